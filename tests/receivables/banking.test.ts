// Bank statements and automatic payment: every row counts once, every amount is booked once, and the books
// agree.
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import {
  banking,
  type BankRow,
  type Mapping,
  type Statement,
} from '#features/receivables/banking/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { payAllAutomatically } from '#features/receivables/payments/server/index.ts';
import { booksAgree, csvOf, type Line } from '../support/banking.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
let big5: Buffer;
const mapping: Mapping = { headerLine: 1, day: 0, description: 1, debit: 2, credit: 3, balance: 4 };
const account = '012-345-678901';

beforeAll(async () => {
  app = await createPaymentApp(90);
  await app.ok(
    payments.setBankAccount,
    { bank: '台灣銀行', holder: 'Formosa Cloud', account, note: '' },
    asAdmin(),
  );
  big5 = Buffer.from(
    'a5e6a9f6a4e9b4c12cba4bad6e2ca4e4a558' +
      '2ca673a44a2cbe6cc342' +
      '0a' +
      Buffer.from('113/10/04,').toString('hex') +
      'c2e0b162' +
      Buffer.from(',,777,\n').toString('hex'),
    'hex',
  );
});
const asAdmin = () => ({ token: app.admin });
const asUser = () => ({ token: app.user.token });

afterEach(() => booksAgree(app));

const upload = (
  body: string | Buffer,
  more: Partial<{ mapping: Mapping; account: string }> = {},
): Promise<Statement> =>
  app.ok(
    banking.uploadStatement,
    { fileName: 'statement.csv', account, currency: 'TWD', mapping, ...more },
    { ...asAdmin(), body: body as string, headers: { 'content-type': 'text/csv' } },
  );
let place = 0;
/** A text that no other row has. */
const unique = (): string => `row ${++place}`;
async function rowsOf(q: string): Promise<BankRow[]> {
  return (await app.ok(banking.listRows, { q, limit: 200 }, asAdmin())).items;
}
async function oneRow(words: string, amount: number): Promise<BankRow> {
  await upload(
    csvOf([['113/10/04', words, amount < 0 ? String(-amount) : '', amount < 0 ? '' : String(amount)]]),
  );
  const [row] = await rowsOf(words);
  return row!;
}
const apply = (
  rowId: string,
  parts: { kind: 'transfer' | 'bill' | 'balance' | 'refund'; id: string; amount: number }[],
  headers?: Record<string, string>,
) =>
  app.call(
    banking.applyRow,
    { rowId: rowId as never, parts: parts.map((part) => ({ ...part, amount: twd(part.amount) })) },
    { ...asAdmin(), ...(headers && { headers }) },
  );
const undo = (rowId: string) =>
  app.call(banking.undoRow, { rowId: rowId as never, reason: 'wrong customer' }, asAdmin());
const topUp = (amount: number) => app.ok(payments.topUp, { amount: twd(amount) }, asUser());
/** A bill without any payment, manual or automatic. */
async function freshBill(): Promise<Bill> {
  for (;;) {
    const bill = await app.billNow(app.bill().id);
    if (bill.state === 'open' && bill.paid.minor === 0n) return bill;
  }
}
/** Spends the balance, so that a test starts with none. */
async function empty(): Promise<void> {
  for (let left = await app.balance(); left > 0; left = await app.balance())
    await app.pay((await freshBill()).id, 'balance', Math.min(left, billTotal));
}

describe('a bank statement', () => {
  it('counts every row once: imported twice, overlapping, and with equal rows of a day', async () => {
    const [a, b] = [unique(), unique()];
    const first: Line[] = [
      ['2024/10/01', a, '', '1,000', '1000'],
      ['2024/10/01', a, '', '1,000', '2000'],
      ['113/10/02', b, '250', '', '1750'],
    ];
    expect(await upload(csvOf(first))).toMatchObject({
      rows: 3,
      fresh: 3,
      known: 0,
      refusedTotal: 0,
      firstDay: '2024-10-01',
      lastDay: '2024-10-02',
      opening: twd(0),
      closing: twd(1750),
      isChainWhole: true,
    });
    expect(await upload(csvOf(first))).toMatchObject({ fresh: 0, known: 3 });
    expect(
      await upload(
        csvOf([first[0]!, first[1]!, ['2024-10-01', a, '', '1000'], first[2]!, ['113/10/03', b, '250', '']]),
      ),
    ).toMatchObject({ fresh: 2, known: 3 });
    expect(await rowsOf(a)).toHaveLength(3);
    const parallel = await Promise.all(
      Array.from({ length: 2 }, () =>
        app.call(
          banking.uploadStatement,
          { account, currency: 'TWD', mapping },
          {
            ...asAdmin(),
            body: csvOf([['2024/10/04', `${a} twice`, '', '5']]),
            headers: { 'content-type': 'text/csv' },
          },
        ),
      ),
    );
    expect(
      parallel.filter((answer) => answer.status === 201).reduce((sum, answer) => sum + answer.data.fresh, 0),
    ).toBe(1);
  });

  it('reports bad lines and imports the others; cells with formulas stay text', async () => {
    const words = unique();
    const statement = await upload(
      `${csvOf([
        ['2024/10/01', `=HYPERLINK("http://x","${words}")`, '', '10'],
        ['合計', '', '', '10'],
        ['2024/10/01', words, '', '1.5'],
        ['2024/10/01', words, '3', '4'],
        ['2024/13/01', words, '', '1'],
        ['2024/10/01', `${words} <script>\u0007\u202E'; drop table payment; --`, '', '11'],
      ])}2024/10/01\n`,
    );
    expect(statement).toMatchObject({ rows: 2, fresh: 2, refusedTotal: 5 });
    expect(statement.refused.map(({ line, code }) => [line, code])).toEqual([
      [3, 'banking.line_day'],
      [4, 'banking.line_amount'],
      [5, 'banking.line_both'],
      [6, 'banking.line_day'],
      [8, 'banking.line_no_amount'],
    ]);
    expect(statement.refused[0]?.message).toBe('No readable date');
    expect((await rowsOf(words)).map((row) => row.words).toSorted()).toEqual([
      `=HYPERLINK("http://x","${words}")`,
      `${words} <script> '; drop table payment; --`,
    ]);
  });

  it('in Big5 is read, with guessed and then remembered columns', async () => {
    const inspect = () =>
      app.ok(
        banking.inspectStatement,
        {},
        { ...asAdmin(), body: big5 as never, headers: { 'content-type': 'text/csv' } },
      );
    const found = await inspect();
    expect(found).toMatchObject({
      encoding: 'big5',
      header: ['交易日期', '摘要', '支出', '存入', '餘額'],
      mapping,
      isRemembered: true,
      account,
      rows: 1,
    });
    expect(
      await upload(big5, { mapping: { headerLine: 1, day: 0, description: 1, credit: 3 }, account: '999' }),
    ).toMatchObject({ fresh: 1 });
    expect(await inspect()).toMatchObject({
      isRemembered: true,
      account: '999',
      mapping: { headerLine: 1, day: 0, description: 1, credit: 3 },
    });
    expect((await app.ok(banking.listRows, { account: '999' }, asAdmin())).items[0]).toMatchObject({
      words: '轉帳',
      amount: twd(777),
    });
  });

  it.each([
    ['', 'banking.empty'],
    [Buffer.from([0xff, 0xfe, 0x00, 0x41]), 'banking.encoding_unknown'],
    ['a,b\n"unclosed', 'banking.unreadable'],
  ])('in a wrong format is rejected (%#)', async (body, code) => {
    const answer = await app.call(
      banking.inspectStatement,
      {},
      { ...asAdmin(), body: body as string, headers: { 'content-type': 'text/csv' } },
    );
    expect([answer.status, answer.envelope.code]).toEqual([422, code]);
  });

  it('of 2,000 rows is matched in one step', async () => {
    const transfer = await topUp(12_345);
    const many = unique();
    const lines: Line[] = Array.from({ length: 2000 }, (_, index) => [
      '2024/10/03',
      index === 1234 ? `${many} ${transfer.reference.toLowerCase()}` : `${many} ${index}`,
      '',
      index === 1234 ? '12,345' : '3',
    ]);
    expect(await upload(csvOf(lines))).toMatchObject({ fresh: 2000 });
    expect((await rowsOf(transfer.reference))[0]).toMatchObject({
      state: 'matched',
      certainty: 'certain',
      reason: 'reference',
      target: { kind: 'transfer', id: transfer.id, organization: 'One' },
    });
    await app.ok(payments.rejectPayment, { paymentId: transfer.id, reason: 'test' }, asAdmin());
    expect((await app.ok(banking.matchRows, {}, asAdmin())).matched).toBe(0);
  });
});

describe('a row of a bank statement', () => {
  it('pays its announced transfer: the bill up to the amount due, the rest to the balance', async () => {
    await empty();
    const bill = await freshBill();
    const transfer = await app.pay(bill.id, 'bank_transfer', 400);
    const row = await oneRow(`${unique()} ${bill.number.replaceAll('-', ' ')}`, 2000);
    // The bill waits for the transfer that was announced for it.
    expect(row).toMatchObject({
      certainty: 'likely',
      reason: 'reference_amount_differs',
      target: { kind: 'transfer', id: transfer.id, billNumber: bill.number },
    });
    const answer = await apply(row.id, [{ kind: 'transfer', id: transfer.id, amount: 2000 }]);
    expect(answer.data).toMatchObject({
      state: 'applied',
      applied: [{ billNumber: bill.number, amount: twd(2000), toBill: twd(billTotal) }],
    });
    expect((await app.billNow(bill.id)).state).toBe('paid');
    expect(await app.balance()).toBe(2000 - billTotal);
    expect((await apply(row.id, [{ kind: 'transfer', id: transfer.id, amount: 2000 }])).envelope.code).toBe(
      'banking.row_applied',
    );
  });

  it('can be split over several bills; the parts must add up to it', async () => {
    const [a, b] = [await freshBill(), await freshBill()];
    const row = await oneRow(unique(), 3000);
    const parts = [
      { kind: 'bill' as const, id: a.id, amount: billTotal },
      { kind: 'bill' as const, id: b.id, amount: 1000 },
    ];
    expect((await apply(row.id, parts)).envelope.code).toBe('banking.parts_differ');
    expect(
      (
        await apply(row.id, [
          ...parts,
          { kind: 'balance', id: app.user.organizationId, amount: 3000 - billTotal - 1000 },
        ])
      ).status,
    ).toBe(200);
    expect([(await app.billNow(a.id)).state, (await app.billNow(b.id)).due]).toEqual([
      'paid',
      twd(billTotal - 1000),
    ]);
    expect(
      (await apply((await oneRow(unique(), 500)).id, [{ kind: 'refund', id: 'x', amount: 500 }])).envelope
        .code,
    ).toBe('banking.part_wrong_way');
    expect(
      (await apply((await oneRow(unique(), 500)).id, [{ kind: 'bill', id: a.id, amount: 500 }])).envelope
        .code,
    ).toBe('payments.bill_not_open');
  });

  it('booked 50 times concurrently is booked once; with one key all get the same response', async () => {
    const [before, row] = [await app.balance(), await oneRow(unique(), 70)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        apply(row.id, [{ kind: 'balance', id: app.user.organizationId, amount: 70 }]),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 409),
    ]);
    const keyed = await oneRow(unique(), 30);
    const same = await Promise.all(
      Array.from({ length: 10 }, () =>
        apply(keyed.id, [{ kind: 'balance', id: app.user.organizationId, amount: 30 }], {
          'idempotency-key': 'book-once',
        }),
      ),
    );
    expect(new Set(same.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await app.balance()).toBe(before + 100);
  });

  it('and a concurrent payment by the customer pay a bill once; the excess is in the balance or unmatched', async () => {
    for (let round = 0; round < 5; round++) {
      const bill = await freshBill();
      await apply((await oneRow(unique(), billTotal)).id, [
        { kind: 'balance', id: app.user.organizationId, amount: billTotal },
      ]);
      const before = await app.balance();
      const row = await oneRow(unique(), billTotal);
      const [booked, paid] = await Promise.all([
        apply(row.id, [{ kind: 'bill', id: bill.id, amount: billTotal }]),
        app.call(payments.payBill, { billId: bill.id, method: 'balance' }, asUser()),
      ]);
      expect((await app.billNow(bill.id)).state).toBe('paid');
      expect([booked.status, paid.status].toSorted((x, y) => x - y)).toEqual(
        [200, booked.status === 200 ? 409 : 201]
          .toSorted((x, y) => x - y)
          .map((status, index) => (booked.status === 200 ? status : [201, 409][index])),
      );
      expect(await app.balance()).toBe(booked.status === 200 ? before : before - billTotal);
    }
  });

  it('remembers its payer: the next row of that account is a certain match', async () => {
    const withPayer: Mapping = {
      headerLine: 1,
      day: 0,
      description: 1,
      credit: 2,
      payerName: 3,
      payerAccount: 4,
    };
    const file = (words: string, amount: number) =>
      `Date,Description,Credit,Payer,Payer account\n2024-10-04,${words},${amount},個人匯款,81200012345\n`;
    const first = unique();
    await upload(file(first, 40), { mapping: withPayer });
    const [row] = await rowsOf(first);
    expect(row).toMatchObject({ state: 'open', payerName: '個人匯款' });
    await apply(row!.id, [{ kind: 'balance', id: app.user.organizationId, amount: 40 }]);
    const transfer = await topUp(4321);
    const second = unique();
    await upload(file(second, 4321), { mapping: withPayer });
    expect((await rowsOf(second))[0]).toMatchObject({
      certainty: 'certain',
      reason: 'payer_amount',
      target: { id: transfer.id },
    });
    await undo(row!.id);
    await app.ok(banking.matchRows, {}, asAdmin());
    expect((await rowsOf(second))[0]?.certainty).not.toBe('certain');
    await app.ok(payments.rejectPayment, { paymentId: transfer.id, reason: 'test' }, asAdmin());
    await app.ok(banking.matchRows, {}, asAdmin());
  });

  it('can be ignored with a reason, and restored', async () => {
    const row = await oneRow(unique(), 8);
    expect(await app.ok(banking.ignoreRow, { rowId: row.id, reason: 'interest' }, asAdmin())).toMatchObject({
      state: 'ignored',
      ignoredReason: 'interest',
    });
    expect(
      (await apply(row.id, [{ kind: 'balance', id: app.user.organizationId, amount: 8 }])).envelope.code,
    ).toBe('banking.row_ignored');
    expect((await app.ok(banking.reopenRow, { rowId: row.id }, asAdmin())).state).toBe('open');
    expect((await app.call(banking.reopenRow, { rowId: row.id }, asAdmin())).envelope.code).toBe(
      'banking.row_not_ignored',
    );
  });

  it('with an outgoing amount completes a recorded refund once', async () => {
    const came = await oneRow(unique(), 600);
    const { applied } = (
      await apply(came.id, [{ kind: 'balance', id: app.user.organizationId, amount: 600 }])
    ).data;
    const refund = await app.ok(
      payments.refundPayment,
      { paymentId: applied[0]!.paymentId!, amount: twd(250), reason: 'asked for' },
      asAdmin(),
    );
    expect((await undo(came.id)).envelope.code).toBe('payments.not_refundable');
    const row = await oneRow(`${unique()} ${(await app.payment(applied[0]!.paymentId!)).reference}`, -250);
    expect(row).toMatchObject({ certainty: 'certain', target: { kind: 'refund', id: refund.id } });
    expect((await apply(row.id, [{ kind: 'refund', id: refund.id, amount: -250 }])).status).toBe(200);
    const again = await oneRow(unique(), -250);
    expect(again.state).toBe('open');
    expect((await apply(again.id, [{ kind: 'refund', id: refund.id, amount: -250 }])).envelope.code).toBe(
      'banking.target_gone',
    );
    expect((await undo(row.id)).data.state).toBe('open');
  });
});

describe('undoing a booked row', () => {
  it('takes its money out of the balance with a correction; it can be booked again', async () => {
    const before = await app.balance();
    const row = await oneRow(unique(), 900);
    const part = [{ kind: 'balance' as const, id: app.user.organizationId, amount: 900 }];
    const paymentId = (await apply(row.id, part)).data.applied[0]!.paymentId!;
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(row.id)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await app.balance()).toBe(before);
    expect(await app.ok(payments.adminGetPayment, { paymentId }, asAdmin())).toMatchObject({
      state: 'refunded',
      refunds: [{ origin: 'correction', reason: 'wrong customer', amount: twd(900) }],
    });
    expect((await apply(row.id, part)).status).toBe(200);
    expect(await app.balance()).toBe(before + 900);
  });

  it('of a paid bill is rejected while the balance is too low, and possible after the bill is void', async () => {
    await empty();
    const bill = await freshBill();
    const row = await oneRow(unique(), billTotal);
    await apply(row.id, [{ kind: 'bill', id: bill.id, amount: billTotal }]);
    expect((await undo(row.id)).envelope.code).toBe('payments.refund_above_balance');
    await app.ok(credits.voidBill, { billId: bill.id, reason: 'paid by another' }, asAdmin());
    expect((await undo(row.id)).status).toBe(200);
    expect(await app.balance()).toBe(0);
    await app.ok(credits.reissueBill, { billId: bill.id }, asAdmin());
  });
});

describe('booking all certain rows at once', () => {
  it('books exactly the rows that were shown, each in its own transaction', async () => {
    const transfers = await Promise.all([111, 222, 333].map((amount) => topUp(amount)));
    await upload(
      csvOf(
        transfers.map((transfer) => [
          '2024/10/05',
          `${unique()} ${transfer.reference}`,
          '',
          String(transfer.amount.minor),
        ]),
      ),
    );
    const { certain } = await app.ok(banking.bankOverview, {}, asAdmin());
    const all = certain.find((each) => each.total.minor > 0n);
    expect(all).toMatchObject({ count: 3, total: twd(666) });
    const before = await app.balance();
    const wrong = await app.call(banking.applyCertain, { rowIds: all!.rowIds, total: twd(667) }, asAdmin());
    expect(wrong.envelope.code).toBe('banking.batch_changed');
    await app.ok(payments.confirmPayment, { paymentId: transfers[1]!.id }, asAdmin());
    const key = { headers: { 'idempotency-key': 'all-at-once' } };
    expect(
      await app.ok(banking.applyCertain, { rowIds: all!.rowIds, total: twd(666) }, { ...asAdmin(), ...key }),
    ).toEqual({ applied: 2, amount: twd(444), leftOut: 1 });
    expect(
      await app.ok(banking.applyCertain, { rowIds: all!.rowIds, total: twd(666) }, { ...asAdmin(), ...key }),
    ).toEqual({ applied: 2, amount: twd(444), leftOut: 1 });
    expect(await app.balance()).toBe(before + 666);
    await app.ok(banking.matchRows, {}, asAdmin());
  });

  it('updates the overview, which shows overdue bills and agreement with the bank', async () => {
    const late = await topUp(50_000);
    expect((await app.ok(banking.bankOverview, { days: 0 }, asAdmin())).late).toMatchObject({ total: 0 });
    await app.later(60 * 24 * 8);
    const overview = await app.ok(banking.bankOverview, {}, asAdmin());
    expect(overview.late).toMatchObject({
      total: 1,
      items: [{ paymentId: late.id, reference: late.reference }],
    });
    expect(overview.lines[0]).toMatchObject({
      currency: 'TWD',
      notOnStatement: twd(222),
      difference: twd(0),
    });
    await app.ok(payments.rejectPayment, { paymentId: late.id, reason: 'never came' }, asAdmin());
  });
});

const setAutomatic = (isOn: boolean, isPartial = false) =>
  app.ok(payments.setAutomatic, { isOn, isPartial }, asUser());
const openBills = async (): Promise<Bill[]> =>
  (await app.ok(billing.listBills, { state: 'open', sort: 'issuedAt', limit: 200 }, asUser())).items.toSorted(
    (a, b) => a.number.localeCompare(b.number),
  );
const fund = async (amount: number): Promise<void> =>
  void (await apply((await oneRow(unique(), amount)).id, [
    { kind: 'balance', id: app.user.organizationId, amount },
  ]));

describe('automatic payment', () => {
  it('is off by default; switched on, it pays whole bills, oldest first, immediately and after every deposit', async () => {
    await empty();
    const [first, second] = await openBills();
    await fund(Number(first!.due.minor) + 1);
    expect((await app.ok(payments.balance, {}, asUser())).automatic).toEqual({
      isOn: false,
      isPartial: false,
    });
    expect(await payAllAutomatically(app.app)).toBe(0);
    await setAutomatic(true);
    expect([
      (await app.billNow(first!.id)).state,
      (await app.billNow(second!.id)).due,
      await app.balance(),
    ]).toEqual(['paid', second!.due, 1]);
    await fund(Number(second!.due.minor) - 2);
    expect((await app.billNow(second!.id)).due).toEqual(second!.due);
    await fund(1);
    expect([(await app.billNow(second!.id)).state, await app.balance()]).toEqual(['paid', 0]);
    const { items } = await app.ok(payments.listPayments, { limit: 3 }, asUser());
    const paid = items.find((each) => each.billId === second!.id)!;
    expect(paid).toMatchObject({ method: 'balance', state: 'succeeded', toBill: second!.due });
    expect((await app.call(payments.receipt, { paymentId: paid.id }, asUser())).status).toBe(200);
    const inbox = await app.ok(notifications.listNotifications, { limit: 20 }, asUser());
    expect(
      inbox.items.some((each) => each.message.includes(`${second!.number} was paid from your balance`)),
    ).toBe(true);
    expect((await app.ok(payments.adminListAutomatic, {}, asAdmin())).items).toMatchObject([
      { organization: 'One', isPartial: false },
    ]);
    await setAutomatic(false);
  });

  it('in part, if allowed, uses the whole balance; a bill with another payment in progress is skipped', async () => {
    await empty();
    const [first, second] = await openBills();
    await app.pay(first!.id, 'bank_transfer');
    await setAutomatic(true, true);
    await fund(10);
    expect([
      (await app.billNow(first!.id)).paid,
      (await app.billNow(second!.id)).due,
      await app.balance(),
    ]).toEqual([first!.paid, twd(Number(second!.due.minor) - 10), 0]);
    await setAutomatic(false);
  });

  it('uses refunds: the refund of a void bill pays the next bill in the same transaction', async () => {
    await empty();
    const bill = await freshBill();
    await app
      .pay(bill.id, 'bank_transfer')
      .then((transfer) => app.ok(payments.confirmPayment, { paymentId: transfer.id }, asAdmin()));
    const before = (await openBills()).length;
    await setAutomatic(true);
    await app.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await openBills()).toHaveLength(before - 1);
    await setAutomatic(false);
  });

  it('does not spend money of a pending refund', async () => {
    await empty();
    const { id } = await app.ok(payments.topUp, { amount: twd(5000), method: 'stripe' }, asUser());
    await app.sendStripeEvent(app.stripe.pay(id));
    app.stripe.refundStatus = 'pending';
    await app.ok(
      payments.refundPayment,
      { paymentId: id, amount: twd(5000), reason: 'changed their mind' },
      asAdmin(),
    );
    app.stripe.refundStatus = 'succeeded';
    const before = await openBills();
    await setAutomatic(true, true);
    expect([(await openBills()).map((bill) => bill.due), await app.balance()]).toEqual([
      before.map((bill) => bill.due),
      5000,
    ]);
    await setAutomatic(false);
    // The refund fails and returns, so the money is in the balance at the end.
    const [there] = [...app.stripe.refunds.values()].slice(-1);
    there!.status = 'failed';
    await app.sendStripeEvent(app.stripe.event('refund.failed', there!));
    await empty();
  });

  it('after deposits, concurrent with manual payments, books every deposit and pays every bill once', async () => {
    await empty();
    await setAutomatic(true, true);
    for (let round = 0; round < 3; round++) {
      const [bill] = await openBills();
      const rows: BankRow[] = [];
      for (const amount of [400, 500, 600]) rows.push(await oneRow(unique(), amount));
      const booked = await Promise.all([
        ...rows.map((row) =>
          apply(row.id, [{ kind: 'balance', id: app.user.organizationId, amount: Number(row.amount.minor) }]),
        ),
        app.call(payments.payBill, { billId: bill!.id, method: 'balance', amount: twd(1) }, asUser()),
      ]);
      expect(booked.slice(0, 3).map((answer) => answer.status)).toEqual([200, 200, 200]);
      await payAllAutomatically(app.app);
      expect(await app.balance()).toBe(0);
    }
    await setAutomatic(false);
  });

  it('concurrent with manual payments never pays twice or overdraws the balance', async () => {
    for (let round = 0; round < 4; round++) {
      await empty();
      await fund(billTotal * 2);
      const bills = (await openBills()).slice(0, 4);
      await sql`update automatic_payment set is_on = true, is_partial = ${round % 2 === 0}`.execute(
        app.app.database.kysely,
      );
      await Promise.all([
        payAllAutomatically(app.app),
        payAllAutomatically(app.app),
        ...bills.map((bill) => app.call(payments.payBill, { billId: bill.id, method: 'balance' }, asUser())),
      ]);
      await payAllAutomatically(app.app);
      expect(await app.balance()).toBeGreaterThanOrEqual(0);
      await setAutomatic(false);
    }
  });
});

it('P: the books are correct after random statements and histories', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('row' as const),
      amount: fc.integer({ min: 1, max: 3000 }),
      to: fc.constantFrom('bill' as const, 'balance' as const, 'split' as const),
    }),
    fc.record({
      kind: fc.constant('announced' as const),
      amount: fc.integer({ min: 1, max: 2000 }),
      arrives: fc.integer({ min: 1, max: 2000 }),
    }),
    fc.record({ kind: fc.constant('undo' as const) }),
    fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 1200 }) }),
    fc.record({ kind: fc.constant('again' as const) }),
    fc.record({ kind: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ kind: fc.constant('automatic' as const), isOn: fc.boolean(), isPartial: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const lines: Line[] = [];
      const booked: string[] = [];
      const received: string[] = [];
      for (const one of steps) {
        const words = unique();
        const add = async (amount: number, text = words): Promise<string> => {
          lines.push(['2024/10/06', text, '', String(amount)]);
          await upload(csvOf(lines));
          return (await rowsOf(words))[0]!.id;
        };
        const [bill] = await openBills();
        if (one.kind === 'row') {
          const rowId = await add(one.amount);
          const half = Math.floor(one.amount / 2);
          const balance = (amount: number) => ({
            kind: 'balance' as const,
            id: app.user.organizationId,
            amount,
          });
          const answer = await apply(
            rowId,
            one.to === 'balance' || half === 0 || !bill
              ? [balance(one.amount)]
              : one.to === 'bill'
                ? [{ kind: 'bill', id: bill.id, amount: one.amount }]
                : [{ kind: 'bill', id: bill.id, amount: half }, balance(one.amount - half)],
          );
          expect(answer.status).toBe(200);
          booked.push(rowId);
          received.push(...answer.data.applied.map((each) => each.paymentId!));
        } else if (one.kind === 'announced') {
          const transfer = await topUp(one.amount);
          expect(
            (
              await apply(await add(one.arrives, `${words} ${transfer.reference}`), [
                { kind: 'transfer', id: transfer.id, amount: one.arrives },
              ])
            ).status,
          ).toBe(200);
          received.push(transfer.id);
        } else if (one.kind === 'undo') {
          const rowId = booked.pop();
          if (rowId) expect([200, 409]).toContain((await undo(rowId)).status);
        } else if (one.kind === 'pay' && bill)
          await app.call(
            payments.payBill,
            { billId: bill.id, method: 'balance', amount: twd(one.amount) },
            asUser(),
          );
        else if (one.kind === 'again' && lines.length > 0) expect((await upload(csvOf(lines))).fresh).toBe(0);
        else if (one.kind === 'refund') {
          const paymentId = received.at(-1);
          if (paymentId)
            await app.call(
              payments.refundPayment,
              { paymentId: paymentId as never, amount: twd(one.amount), reason: 'random' },
              asAdmin(),
            );
        } else if (one.kind === 'automatic') await setAutomatic(one.isOn, one.isPartial);
        expect(await app.balance()).toBeGreaterThanOrEqual(0);
      }
      await setAutomatic(false);
    }),
    { numRuns: 6 },
  );
});

it('I5, I7: the independent checker finds nothing after all of these tests', async () => {
  await app.ok(books.runCheck, {}, asAdmin());
  const newest = async () => (await app.ok(books.listChecks, {}, asAdmin())).items[0];
  await vi.waitFor(async () => expect(['waiting', 'running']).not.toContain((await newest())?.state), {
    timeout: 50_000,
    interval: 250,
  });
  const run = await newest();
  expect([run?.state, run?.checks.flatMap((check) => check.findings)]).toEqual(['passed', []]);
});
