// ezPay: its published check value, requests, responses, and rejections by us or by ezPay.
import { beforeEach, describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { allowanceOn, companyInvoice, consumerInvoice } from '#tests/support/einvoices/documents.ts';
import {
  ezpayInvoiceAccount,
  startEzpayInvoices,
  type EzpayFakeInvoice,
  type FakeEzpayInvoices,
} from '#tests/support/einvoices/ezpay.ts';
import { ProviderUnsure, type EInvoiceProvider, type InvoiceToSend } from '../provider.ts';
import { checkCode } from './ezpay-call.ts';
import { ezpayInvoices } from './ezpay.ts';
import { orderNumber } from './order-number.ts';

const now = (): Date => new Date('2026-11-26T06:30:06Z');
let fake: FakeEzpayInvoices;
let provider: EInvoiceProvider;
let more: (account: Partial<typeof ezpayInvoiceAccount>) => EInvoiceProvider;

beforeEach(async () => {
  const { url, issued, close } = await startEzpayInvoices();
  atFileEnd(close);
  fake = issued;
  more = (account) => ezpayInvoices({ ...ezpayInvoiceAccount, ...account, apiBase: `${url}/`, now });
  provider = more({});
});

const held = (invoice: InvoiceToSend): EzpayFakeInvoice => {
  const found = fake.invoices.get(orderNumber(invoice.invoiceId));
  if (!found) throw new Error('the simulated ezPay does not hold the invoice');
  return found;
};

it('T-EINV: computes the CheckCode of the manual’s example (EZP_INVI 1.2, appendix 二)', () => {
  const answer = {
    MerchantID: '3622183',
    MerchantOrderNo: '201409170000001',
    InvoiceTransNo: '14061313541640927',
    TotalAmt: 500,
    RandomNum: '0142',
  };
  expect(checkCode(answer, { ...ezpayInvoiceAccount, apiBase: '', now })).toBe(
    '303AB800650B724733B5D91CBCE075D9EA09E4CDE9CD33461D45F07D5EC7EECB',
  );
});

describe('T-EINV: ezPay', () => {
  it('issues to a consumer, finds, voids', async () => {
    const invoice = consumerInvoice();
    expect(await provider.findInvoice(invoice)).toBeNull();
    const issued = await provider.issue(invoice);
    expect(issued).toEqual({
      number: 'YY10000101',
      randomCode: '0142',
      issuedAt: new Date('2026-11-26T06:30:06Z'),
    });
    // NT$340 with 5 percent included: 324 and 16.
    expect(held(invoice).fields).toMatchObject({
      Category: 'B2C',
      PrintFlag: 'N',
      CarrierType: '0',
      CarrierNum: '/ABC+123',
      TaxType: '1',
      TaxRate: '5',
      Amt: '324',
      TaxAmt: '16',
      TotalAmt: '340',
      ItemAmt: '340',
    });
    expect(await provider.findInvoice(invoice)).toEqual(issued);
    expect(await provider.issue(invoice)).toEqual(issued);
    expect(fake.invoices.size).toBe(1);
    expect(await provider.isVoided(invoice, issued)).toBe(false);
    await provider.voidInvoice(invoice, issued, '這個原因比二十個位元組長', now());
    await provider.voidInvoice(invoice, issued, '金額開立錯誤', now());
    expect(await provider.isVoided(invoice, issued)).toBe(true);
  });

  it.each([
    ['0', 'uploading'],
    ['2', 'uploading'],
    ['1', 'uploaded'],
    ['3', 'failed'],
  ] as const)('UploadStatus %s is %s', async (upload, state) => {
    const invoice = consumerInvoice();
    const issued = await provider.issue(invoice);
    held(invoice).upload = upload;
    expect(await provider.invoiceState(invoice, issued)).toMatchObject({ state });
  });

  it('issues to a company, net, with its items in columns', async () => {
    const [first, second] = companyInvoice().items;
    if (!first || !second) throw new Error('no items');
    const invoice = companyInvoice(1, {
      items: [
        { ...first, description: '儲存|空間' },
        { ...second, quantity: '0.5', unitPrice: '800' },
      ],
    });
    await provider.issue(invoice);
    expect(held(invoice).fields).toMatchObject({
      Category: 'B2B',
      BuyerUBN: '12345675',
      PrintFlag: 'Y',
      Amt: '1000',
      TaxAmt: '50',
      TotalAmt: '1050',
      ItemName: '儲存／空間|資料庫',
      ItemCount: '2|1',
      ItemPrice: '300|400',
      ItemAmt: '600|400',
    });
  });

  it('splits a consumer’s amounts by kind of tax', async () => {
    const [item] = consumerInvoice().items;
    if (!item) throw new Error('no item');
    const invoice = consumerInvoice(1, {
      items: [
        { ...item, unitPrice: '210', amount: 210n },
        { ...item, unitPrice: '100', amount: 100n, taxKind: 'exempt' },
      ],
      sales: { taxable: 210n, zero_rated: 0n, exempt: 100n },
      total: 310n,
    });
    await provider.issue(invoice);
    expect(held(invoice).fields).toMatchObject({
      TaxType: '9',
      Amt: '300',
      AmtSales: '200',
      AmtZero: '0',
      AmtFree: '100',
      TaxAmt: '10',
      ItemTaxType: '1|3',
    });
  });

  it('creates and voids allowances; their state cannot be queried', async () => {
    const invoice = companyInvoice();
    const issued = await provider.issue(invoice);
    const allowance = allowanceOn(invoice, issued);
    const allowed = await provider.allow(allowance);
    expect(fake.allowances.get(allowed.number)).toMatchObject({ total: 210, isVoided: false });
    await expect(provider.findAllowance(allowance)).rejects.toBeInstanceOf(ProviderUnsure);
    await expect(provider.voidInvoice(invoice, issued, '錯誤', now())).rejects.toMatchObject({
      code: 'LIB10007',
    });
    await provider.voidAllowance(allowance, allowed, '折讓錯誤', now());
    await provider.voidAllowance(allowance, allowed, '折讓錯誤', now());
    expect(fake.allowances.get(allowed.number)).toMatchObject({ isVoided: true });
  });
});

describe('T-EINV: rejections by ezPay or before the request', () => {
  it('have ezPay’s own message, and nothing was issued', async () => {
    const invoice = companyInvoice(1, { total: 1051n });
    await expect(provider.issue(invoice)).rejects.toMatchObject({
      code: 'INV10012',
      message: '發票金額、課稅別驗證錯誤',
    });
    expect(await provider.findInvoice(invoice)).toBeNull();
  });

  it('never accept another total under our number as ours', async () => {
    const invoice = consumerInvoice();
    await provider.issue(invoice);
    const [item] = invoice.items;
    if (!item) throw new Error('no item');
    const other = consumerInvoice(1, {
      items: [{ ...item, unitPrice: '341', amount: 341n }],
      sales: { taxable: 341n, zero_rated: 0n, exempt: 0n },
      total: 341n,
    });
    await expect(provider.issue(other)).rejects.toBeInstanceOf(ProviderUnsure);
  });

  it.each([
    [{ buyer: { ...companyInvoice().buyer, name: '' } }, 'field_missing:buyer.name'],
    [{ buyer: { ...companyInvoice().buyer, name: '名'.repeat(61) } }, 'field_long:buyer.name'],
  ])('%o as %s, and nothing is sent', async (given, code) => {
    await expect(provider.issue(companyInvoice(1, given))).rejects.toMatchObject({ code });
    expect(fake.calls).toEqual([]);
  });

  it('include a wrong shop and wrong keys in the connection test', async () => {
    expect(await provider.check(now())).toEqual({ isLive: false });
    await expect(more({ hashKey: 'f'.repeat(32) }).check(now())).rejects.toMatchObject({ code: 'KEY10002' });
    await expect(more({ merchantId: '9' }).check(now())).rejects.toMatchObject({ code: 'KEY10006' });
  });
});
