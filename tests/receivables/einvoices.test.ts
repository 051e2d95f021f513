// E-invoices on a real database: bills get invoices, numbers come from tracks in order, and payments, credit
// notes and voids follow (T-EINV).
import { beforeAll, describe, expect, it } from 'vitest';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import {
  addTrack,
  asAdmin,
  company,
  companyTaxId,
  coverOf,
  detail,
  fails,
  invoiceOf,
  invoicesOf,
  list,
  run,
  save,
  seller,
  startEinvoices,
  sums,
  way,
} from '../support/einvoices-console.ts';
import {
  at,
  billOf,
  bills,
  close,
  credit,
  customer,
  expectSoundBooks,
  fee,
  moveTo,
  net,
  november,
  october,
  pay,
  september,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';

const made = {} as Record<'company' | 'consumer' | 'voided' | 'later', Customer>;
const noticesOf = async (token: string): Promise<string[]> =>
  (await at.console.ok(notifications.listNotifications, { limit: 100 }, { token })).items.map(
    (each) => each.message,
  );

beforeAll(async () => {
  await startEinvoices();
  made.company = await company(fee('1000'), fee('333'));
  made.consumer = await customer(fee('1000'), fee('333'));
  made.voided = await company(fee('700'));
  made.later = await customer(fee('500'));
  await moveTo('2024-10-05T03:00:00Z');
  await close(september);
});

describe('T-EINV: numbers of e-invoices', () => {
  it('without a track invoices wait with the reason and operators are notified; a new track resumes them', async () => {
    await run();
    expect((await list()).map(({ state, errorCode, number }) => [state, errorCode, number])).toEqual(
      Array.from({ length: 4 }, () => ['pending', 'einvoices.no_number', null]),
    );
    expect(await noticesOf(at.admin)).toContain(
      'No e-invoice numbers are left for the two months from Sep 2024. Nothing can be issued until a range is added.',
    );
    expect((await addTrack('2024-09', '12345600', '12345649')).status).toBe(201);
    await run();
    expect((await list()).map(({ state, number }) => [state, number])).toEqual([
      ['uploading', 'AB12345600'],
      ['uploading', 'AB12345601'],
      ['uploading', 'AB12345602'],
      ['uploading', 'AB12345603'],
    ]);
    expect(way.provider.issued.size).toBe(4);
  });

  it('a past, reversed, uneven, overlapping or invalid range is rejected at its field', async () => {
    expect(await fails(addTrack('2024-10', '12345700', '12345749'))).toBe('period: einvoices.period_wrong');
    expect(await fails(addTrack('2024-07', '12345700', '12345749'))).toBe('period: einvoices.period_past');
    expect(await fails(addTrack('2024-09', '12345700', '12345749', 'A1'))).toBe(
      'letters: einvoices.letters_wrong',
    );
    expect(await fails(addTrack('2024-09', '123457', '12345749'))).toBe('from: einvoices.digits_wrong');
    expect(await fails(addTrack('2024-09', '12345701', '12345749'))).toBe('from: einvoices.range_uneven');
    expect(await fails(addTrack('2024-09', '12345700', '12345750'))).toBe('to: einvoices.range_uneven');
    expect(await fails(addTrack('2024-09', '12345700', '12345649'))).toBe('to: einvoices.range_reversed');
    expect(await fails(addTrack('2024-09', '12345600', '12345699'))).toBe('from: einvoices.track_overlaps');
    // The same numbers in another period are different ones.
    expect((await addTrack('2025-01', '12345600', '12345649')).status).toBe(201);
    expect((await addTrack('2024-11', '00000000', '00000049', 'cd')).status).toBe(201);
  });
});

describe('T-EINV: the content of an e-invoice', () => {
  it('for a company has net items and separate tax, for a consumer items with tax; both equal the bill exactly', async () => {
    const toCompany = await invoiceOf(made.company);
    expect(toCompany).toMatchObject({
      kind: 'company',
      taxId: '22099131',
      seller,
      isPrinted: true,
      carrier: null,
      shownTax: twd(67),
      sales: { taxable: twd(1333), zero_rated: twd(0), exempt: twd(0) },
    });
    expect(toCompany.items.map((item) => item.amount.minor)).toEqual([1000n, 333n]);
    const toConsumer = await invoiceOf(made.consumer);
    expect(toConsumer).toMatchObject({
      kind: 'consumer',
      taxId: '',
      // Turnkey has no member carrier, so it is printed.
      isPrinted: true,
      carrier: null,
      shownTax: twd(0),
      sales: { taxable: twd(1400) },
    });
    expect(toConsumer.items.map((item) => item.amount.minor)).toEqual([1050n, 350n]);
    for (const one of [made.company, made.consumer]) {
      const bill = await billOf(one);
      expect(sums(await invoiceOf(one))).toEqual([bill.net.minor, bill.tax.minor, bill.total.minor, 0n]);
    }
  });

  it('is visible to its customer, who is notified, and to no other', async () => {
    const bill = await billOf(made.company);
    const own = await at.console.ok(
      einvoices.billEinvoices,
      { billId: bill.id },
      { token: made.company.token },
    );
    expect(own.items.map(({ number }) => number)).toEqual(['AB12345600']);
    expect(own.canChoose).toBe(false);
    expect(await noticesOf(made.company.token)).toContain(
      `E-invoice AB12345600 for NT$1,400 was issued for bill ${bill.number}.`,
    );
    const other = await at.console.call(
      einvoices.billEinvoices,
      { billId: bill.id },
      { token: made.consumer.token },
    );
    expect(other.status).toBe(404);
    const ownList = await at.console.ok(einvoices.listEinvoices, {}, { token: made.consumer.token });
    expect(ownList.items.map(({ number }) => number)).toEqual(['AB12345601']);
  });

  it('is found by number, organization, bill and tax id', async () => {
    const bill = await billOf(made.company);
    for (const q of ['AB12345600', bill.organization, bill.number, '22099131'])
      expect((await list({ q })).map(({ number }) => number)).toContain('AB12345600');
    expect(await list({ q: 'AB12345601' })).toHaveLength(1);
    expect(await list({ kind: 'consumer' })).toHaveLength(2);
  });
});

describe('T-EINV: the upload of an e-invoice', () => {
  it('is queried until the platform has it, and a rejected one is failed with its message', async () => {
    await moveTo('2024-10-05T03:05:00Z');
    way.provider.upload = { state: 'uploading' };
    await run();
    expect((await list()).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'uploading'));
    await moveTo('2024-10-05T03:10:00Z');
    way.provider.upload = { state: 'failed', code: 'E001', reason: '賣方統編錯誤' };
    await run();
    expect((await list()).map(({ state, errorCode }) => [state, errorCode])).toEqual(
      Array.from({ length: 4 }, () => ['failed', 'E001']),
    );
    way.provider.upload = { state: 'uploaded' };
    for (const { id } of await list())
      await at.console.ok(einvoices.retryEinvoice, { einvoiceId: id }, asAdmin());
    await run();
    expect((await list()).map(({ state, errorCode }) => [state, errorCode])).toEqual(
      Array.from({ length: 4 }, () => ['uploaded', null]),
    );
    // Nothing was issued a second time.
    expect(way.provider.calls.filter((call) => call.startsWith('issue'))).toHaveLength(4);
  });
});

describe('T-EINV: voids and allowances', () => {
  it('a credit note creates an allowance of its net and tax', async () => {
    const bill = await billOf(made.company);
    expect((await credit(bill, net(100))).status).toBe(201);
    await run();
    const [invoice] = await invoicesOf(bill);
    expect(invoice).toMatchObject({ state: 'allowed', allowed: twd(105) });
    expect(invoice?.allowances).toMatchObject([
      { state: 'sent', net: twd(100), tax: twd(5), total: twd(105) },
    ]);
    const [sent] = [...way.provider.allowed.values()];
    expect(sent?.allowance).toMatchObject({
      net: 100n,
      tax: 5n,
      invoice: { number: 'AB12345600' },
      items: [{ amount: 100n, tax: 5n, taxKind: 'taxable' }],
    });
    expect(sent?.number).toMatch(/^[0-9a-z]{16}$/i);
    expect(await noticesOf(made.company.token)).toContain(
      `An allowance of NT$105 was made on e-invoice AB12345600 of bill ${bill.number}.`,
    );
    // Another run creates nothing more.
    await run();
    expect(way.provider.allowed.size).toBe(1);
  });

  it('a voided allowance is issued again, because its credit note is valid', async () => {
    const [invoice] = await invoicesOf(await billOf(made.company));
    const [allowance] = invoice?.allowances ?? [];
    await at.console.ok(
      einvoices.voidAllowance,
      { allowanceId: allowance!.id, reason: '品名錯誤' },
      asAdmin(),
    );
    await run();
    const [after] = await invoicesOf(await billOf(made.company));
    expect(after?.allowances.map(({ state, total }) => [state, total.minor])).toEqual([
      ['voided', 105n],
      ['sent', 105n],
    ]);
    expect(after?.allowed).toEqual(twd(105));
    expect(way.provider.voidedAllowances.size).toBe(1);
  });

  it('the invoice of a void bill is voided within its two months', async () => {
    const bill = await billOf(made.voided);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    await run();
    const [invoice] = await invoicesOf(bill);
    expect(invoice).toMatchObject({ state: 'voided', voidReason: '帳單作廢' });
    expect(way.provider.voided).toEqual(new Set([invoice?.id]));
    expect(await noticesOf(made.voided.token)).toContain(
      `E-invoice AB12345602 of bill ${bill.number} is void.`,
    );
  });

  it('the invoice of a void bill is reduced by an allowance of the rest if it has one or is of another period', async () => {
    const company = await billOf(made.company);
    await at.console.ok(credits.voidBill, { billId: company.id, reason: 'wrong' }, asAdmin());
    await run();
    const [withAllowance] = await invoicesOf(company);
    expect(withAllowance).toMatchObject({ state: 'allowed', allowed: withAllowance?.total });
    await moveTo('2024-10-31T16:00:00Z');
    const later = await billOf(made.later);
    await at.console.ok(credits.voidBill, { billId: later.id, reason: 'wrong' }, asAdmin());
    await run();
    const [ofBefore] = await invoicesOf(later);
    expect(ofBefore).toMatchObject({ state: 'allowed', allowed: twd(525) });
    expect(ofBefore?.allowances).toMatchObject([{ net: twd(500), tax: twd(25), creditNoteId: null }]);
    expect(way.provider.voided.size).toBe(1);
  });

  it('an Admin voids an invoice with a wrong buyer, and one for the right buyer with the same amounts follows', async () => {
    await moveTo('2024-11-04T03:00:00Z');
    await close(october);
    await run();
    const first = await invoiceOf(made.consumer, october);
    expect(first.number).toBe('CD00000001');
    expect((await detail(first.id)).may).toMatchObject({ void: true, undo: false, changeBuyer: false });
    await at.console.ok(
      einvoices.voidEinvoice,
      {
        einvoiceId: first.id,
        reason: '買受人錯誤',
        again: true,
        buyer: { taxId: '22099131', name: '', keep: 'member', code: '' },
      },
      asAdmin(),
    );
    await run();
    await run();
    const bill = await billOf(made.consumer, october);
    const [voided, again] = await invoicesOf(bill);
    expect(voided).toMatchObject({ state: 'voided', number: first.number });
    expect(again).toMatchObject({ kind: 'company', taxId: '22099131', total: first.total });
    expect(again?.number).not.toBe(first.number);
    expect(again?.net).toEqual(bill.net);
  });

  it('an Admin voids one without a replacement, and credit notes of that bill create no allowance', async () => {
    const bill = await billOf(made.company, october);
    const [first] = await invoicesOf(bill);
    await at.console.ok(
      einvoices.voidEinvoice,
      { einvoiceId: first!.id, reason: '改開紙本', again: false },
      asAdmin(),
    );
    await credit(bill, net(50));
    await run();
    const items = await invoicesOf(bill);
    expect(items.map(({ state, allowances }) => [state, allowances.length])).toEqual([['voided', 0]]);
    expect(await coverOf(bill)).toMatchObject({ canChoose: false });
    // Resumed, the rest of the bill gets an invoice.
    await at.console.ok(einvoices.coverBill, { billId: bill.id }, asAdmin());
    await run();
    const [, again] = await invoicesOf(bill);
    expect(again).toMatchObject({ state: 'uploading', net: twd(1283), total: twd(1347) });
  });
});

describe('T-EINV: e-invoices on payment', () => {
  it('each payment of the bill creates an invoice of its part; together they equal the bill exactly', async () => {
    await save({ consumers: 'on_payment' });
    await moveTo('2024-12-04T03:00:00Z');
    await close(november);
    await run();
    const bill = await billOf(made.later, november);
    expect(await invoicesOf(bill)).toEqual([]);
    await topUp(made.later, twd(2000));
    await run();
    expect(await invoicesOf(bill)).toEqual([]);
    for (const part of [100, 250]) {
      expect((await pay(made.later, bill, twd(part))).status).toBe(201);
      await run();
    }
    await pay(made.later, bill);
    await run();
    const items = await invoicesOf(bill);
    expect(items.map(({ total }) => total.minor)).toEqual([100n, 250n, 175n]);
    expect(items.reduce((sum, { net: part }) => sum + part.minor, 0n)).toBe(bill.net.minor);
    expect(items.reduce((sum, { tax }) => sum + tax.minor, 0n)).toBe(bill.tax.minor);
    // A credit of paid amounts creates allowances, newest invoice first, never more than the rest of each
    // invoice.
    await credit(bill, { kind: 'rest' });
    await run();
    const after = await invoicesOf(bill);
    expect(after.map((one) => [one.total.minor, one.allowed.minor])).toEqual([
      [100n, 100n],
      [250n, 250n],
      [175n, 175n],
    ]);
    await expectSoundBooks();
  });
});

describe('T-EINV: bills for services of another organization', () => {
  it('get one e-invoice each, to the payer with its tax id, invisible to the user of the services', async () => {
    const december = '2024-12' as typeof november;
    await save();
    await at.console.ok(
      payers.setPayer,
      { organizationId: made.later.organizationId, payerId: made.company.organizationId, from: december },
      asAdmin(),
    );
    // Another two months may have the same numbers.
    way.provider.issued.clear();
    await moveTo('2025-01-04T03:00:00Z');
    await close(december);
    await run();
    const ofPayer = await bills(made.company, december);
    expect(ofPayer.map(({ usedBy }) => usedBy?.organizationId ?? null).toSorted()).toEqual(
      [null, made.later.organizationId].toSorted(),
    );
    for (const bill of ofPayer) {
      const [invoice, ...others] = await invoicesOf(bill);
      expect(others).toEqual([]);
      expect(invoice).toMatchObject({
        state: 'uploading',
        net: bill.net,
        tax: bill.tax,
        total: bill.total,
        buyer: { taxId: companyTaxId },
      });
      expect(
        (await at.console.call(einvoices.billEinvoices, { billId: bill.id }, { token: made.later.token }))
          .status,
      ).toBe(404);
    }
    expect(await bills(made.later, december)).toEqual([]);
    await expectSoundBooks();
  });
});
