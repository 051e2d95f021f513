// ECPay with its two services: requests, responses, and rejections by us or by ECPay.
import { beforeEach, describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { allowanceOn, companyInvoice, consumerInvoice } from '#tests/support/einvoices/documents.ts';
import {
  ecpayInvoiceAccount,
  startEcpayInvoices,
  type FakeEcpayInvoices,
  type FakeInvoice,
} from '#tests/support/einvoices/ecpay.ts';
import type { EInvoiceProvider, InvoiceToSend } from '../provider.ts';
import { ecpayInvoices } from './ecpay.ts';
import { orderNumber } from './order-number.ts';

const now = (): Date => new Date('2026-11-26T06:30:06Z');
let fake: FakeEcpayInvoices;
let provider: EInvoiceProvider;
let b2b: EInvoiceProvider;
let more: (account: Partial<typeof ecpayInvoiceAccount>) => EInvoiceProvider;

beforeEach(async () => {
  const { url, issued, close } = await startEcpayInvoices();
  atFileEnd(close);
  fake = issued;
  more = (account) =>
    ecpayInvoices({ ...ecpayInvoiceAccount, ...account, apiBase: `${url}/`, hasB2b: false, now });
  provider = more({});
  b2b = ecpayInvoices({ ...ecpayInvoiceAccount, apiBase: url, hasB2b: true, now });
});

const held = (invoice: InvoiceToSend): FakeInvoice => {
  const found = fake.invoices.get(orderNumber(invoice.invoiceId));
  if (!found) throw new Error('the simulated ECPay does not hold the invoice');
  return found;
};

describe('T-EINV: ECPay B2C', () => {
  it('issues to a consumer with a mobile bar code, finds and voids the invoice', async () => {
    const invoice = consumerInvoice();
    expect(await provider.findInvoice(invoice)).toBeNull();
    const issued = await provider.issue(invoice);
    expect(issued).toEqual({
      number: 'JU11080001',
      randomCode: '0427',
      issuedAt: new Date('2026-11-26T06:30:06Z'),
    });
    expect(held(invoice).data).toMatchObject({
      CarrierType: '3',
      CarrierNum: '/ABC+123',
      Print: '0',
      Donation: '0',
      SalesAmount: 340,
      TaxType: '1',
      InvType: '07',
      vat: '1',
      Items: [{ ItemSeq: 1, ItemName: '物件儲存空間', ItemCount: 1, ItemPrice: 340, ItemAmount: 340 }],
    });
    // There the random code is a number: 427.
    expect(await provider.findInvoice(invoice)).toEqual(issued);
    expect(await provider.issue(invoice)).toEqual(issued);
    expect(fake.invoices.size).toBe(1);
    await provider.voidInvoice(invoice, issued, '金額開立錯誤', now());
    expect(await provider.isVoided(invoice, issued)).toBe(true);
    await provider.voidInvoice(invoice, issued, '金額開立錯誤', now());
  });

  it.each([
    ['0', '', 'uploading'],
    ['1', 'G', 'uploading'],
    ['1', 'C', 'uploaded'],
    ['1', '', 'uploaded'],
    ['1', 'E', 'failed'],
  ] as const)('maps upload %s, turnkey %s to %s', async (upload, turnkey, state) => {
    const invoice = consumerInvoice();
    const issued = await provider.issue(invoice);
    Object.assign(held(invoice), { upload, turnkey });
    expect(await provider.invoiceState(invoice, issued)).toMatchObject({ state });
  });

  it.each([
    [
      { carrier: null, donationCode: '8455' },
      { Donation: '1', LoveCode: '8455', CarrierType: '', Print: '0' },
    ],
    [
      { carrier: { kind: 'citizen', code: 'AB12345678901234' } },
      { CarrierType: '2', CarrierNum: 'AB12345678901234', Print: '0' },
    ],
    [{ carrier: { kind: 'member', code: '' } }, { CarrierType: '1', CarrierNum: '', Print: '0' }],
  ] as const)('sends %o as %o', async (given, sent) => {
    const invoice = consumerInvoice(1, given);
    await provider.issue(invoice);
    expect(held(invoice).data).toMatchObject(sent);
  });

  it('issues to a company, items with tax, and reduces it by an allowance that is found again', async () => {
    const invoice = companyInvoice();
    const issued = await provider.issue(invoice);
    expect(held(invoice).data).toMatchObject({
      CustomerIdentifier: '12345675',
      Print: '1',
      SalesAmount: 1050,
      TaxAmount: 50,
      Items: [
        { ItemCount: 2, ItemPrice: 315, ItemAmount: 630 },
        { ItemCount: 1, ItemPrice: 420, ItemAmount: 420 },
      ],
    });
    const first = allowanceOn(invoice, issued);
    expect(await provider.findAllowance(first)).toBeNull();
    const allowed = await provider.allow(first);
    expect(await provider.findAllowance(first)).toEqual(allowed);
    // A second one with the same amount is not the first one, which is already known.
    const second = allowanceOn(invoice, issued, 2, { others: [{ ...allowed, net: 200n, tax: 10n }] });
    expect(await provider.findAllowance(second)).toBeNull();
    await expect(provider.voidInvoice(invoice, issued, '錯誤', now())).rejects.toMatchObject({
      code: '5070450',
    });
    expect(await provider.isAllowanceVoided(first, allowed)).toBe(false);
    await provider.voidAllowance(first, allowed, '折讓錯誤', now());
    await provider.voidAllowance(first, allowed, '折讓錯誤', now());
    expect(await provider.isAllowanceVoided(first, allowed)).toBe(true);
    expect(await provider.findAllowance(first)).toBeNull();
  });

  it('sends items without an exact price as one whole, and several kinds of tax with reasons', async () => {
    const [item] = companyInvoice().items;
    if (!item) throw new Error('no item');
    const invoice = companyInvoice(1, {
      items: [
        { ...item, quantity: '3', unitPrice: '33.3333333333', amount: 100n },
        { ...item, quantity: '2', unitPrice: '50', amount: 100n, taxKind: 'zero_rated' },
      ],
      sales: { taxable: 100n, zero_rated: 100n, exempt: 0n },
      tax: 5n,
      total: 205n,
    });
    await provider.issue(invoice);
    expect(held(invoice).data).toMatchObject({
      TaxType: '9',
      ClearanceMark: '1',
      Items: [
        { ItemCount: 1, ItemWord: '式', ItemPrice: 105, ItemAmount: 105, ItemTaxType: '1' },
        { ItemCount: 2, ItemPrice: 50, ItemAmount: 100, ItemTaxType: '2' },
      ],
    });
  });
});

describe('T-EINV: rejections by ECPay or before the request', () => {
  it('have ECPay’s own message, and nothing was issued', async () => {
    const invoice = consumerInvoice(1, { carrier: null, donationCode: '12' });
    await expect(provider.issue(invoice)).rejects.toMatchObject({
      name: 'Error',
      code: '2020001',
      message: '捐贈碼為3~7碼純數字',
    });
    expect(await provider.findInvoice(invoice)).toBeNull();
  });

  it.each([
    [{ buyer: { ...companyInvoice().buyer, email: '' } }, 'field_missing:buyer.email'],
    [{ buyer: { ...companyInvoice().buyer, address: '' } }, 'field_missing:buyer.address'],
    [{ buyer: { ...companyInvoice().buyer, name: '名'.repeat(61) } }, 'field_long:buyer.name'],
    [{ total: 1060n }, 'field_wrong:total'],
  ])('%o as %s, and nothing is sent', async (given, code) => {
    await expect(provider.issue(companyInvoice(1, given))).rejects.toMatchObject({ code });
    expect(fake.calls).toEqual([]);
  });

  it('include a wrong merchant and wrong keys in the connection test', async () => {
    expect(await provider.check(now())).toEqual({ isLive: false });
    await expect(more({ hashKey: 'aaaaaaaaaaaaaaaa' }).check(now())).rejects.toMatchObject({ code: '110' });
    await expect(more({ merchantId: '2000999' }).check(now())).rejects.toMatchObject({ code: '115' });
  });
});

describe('T-EINV: ECPay B2B', () => {
  it('registers the company, issues net amounts, finds, voids', async () => {
    const invoice = companyInvoice();
    expect(await b2b.findInvoice(invoice)).toBeNull();
    const issued = await b2b.issue(invoice);
    expect(issued).toEqual({ number: 'JU11080001', randomCode: '0427', issuedAt: invoice.issuedAt });
    expect(fake.calls.slice(1)).toEqual([
      '/B2BInvoice/Issue',
      '/B2BInvoice/MaintainMerchantCustomerData',
      '/B2BInvoice/Issue',
    ]);
    expect(held(invoice).data).toMatchObject({
      SalesAmount: 1000,
      TaxAmount: 50,
      TotalAmount: 1050,
      Items: [{ ItemCount: 2, ItemPrice: 300, ItemAmount: 600 }, { ItemAmount: 400 }],
    });
    expect(await b2b.findInvoice(invoice)).toEqual(issued);
    expect(await b2b.issue(invoice)).toEqual(issued);
    held(invoice).upload = '1';
    expect(await b2b.invoiceState(invoice, issued)).toEqual({ state: 'uploaded' });
    await b2b.voidInvoice(invoice, issued, '金額開立錯誤', now());
    await b2b.voidInvoice(invoice, issued, '金額開立錯誤', now());
    expect(await b2b.isVoided(invoice, issued)).toBe(true);
  });

  it('creates allowances, and detects from the remainder whether it did', async () => {
    const invoice = companyInvoice();
    const issued = await b2b.issue(invoice);
    const allowance = allowanceOn(invoice, issued);
    expect(await b2b.findAllowance(allowance)).toBeNull();
    const allowed = await b2b.allow(allowance);
    await expect(b2b.findAllowance(allowance)).rejects.toThrow(/console/);
    const second = allowanceOn(invoice, issued, 2, { others: [{ ...allowed, net: 200n, tax: 10n }] });
    expect(await b2b.findAllowance(second)).toBeNull();
    await b2b.voidAllowance(allowance, allowed, '折讓錯誤', now());
    await b2b.voidAllowance(allowance, allowed, '折讓錯誤', now());
    expect(await b2b.isAllowanceVoided(allowance, allowed)).toBe(true);
  });

  it('is for companies only; consumers use B2C', async () => {
    await b2b.issue(consumerInvoice());
    expect(fake.calls).toEqual(['/B2CInvoice/Issue']);
  });

  it('accepts items of one kind of tax only', async () => {
    const [first, second] = companyInvoice().items;
    if (!first || !second) throw new Error('no items');
    const mixed = companyInvoice(1, {
      items: [first, { ...second, taxKind: 'exempt' }],
      sales: { taxable: 600n, zero_rated: 0n, exempt: 400n },
      tax: 30n,
      total: 1030n,
    });
    await expect(b2b.issue(mixed)).rejects.toMatchObject({ code: 'field_wrong:items' });
    expect(fake.calls).toEqual([]);
  });
});
