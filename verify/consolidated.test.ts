// Consolidated bills on a real database: one bill for everything that an organization pays in a month,
// notified once, due once, paid at once; with the independent checker after each step (R-BILL-05).
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '../src/features/invoicing/billing/contract.ts';
import type { ConsolidatedBill } from '../src/features/invoicing/billing/contract-consolidated.ts';
import { consolidateBills } from '../src/features/invoicing/billing/server/index.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { notifications } from '../src/features/messaging/notifications/contract.ts';
import { payers } from '../src/features/invoicing/payers/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { plans } from '../src/features/receivables/payment-plans/contract.ts';
import { dunning } from '../src/features/receivables/dunning/contract.ts';
import { banking, type BankRow } from '../src/features/receivables/banking/contract.ts';
import { csvOf } from '../tests/support/banking.ts';
import {
  at,
  balanceOf,
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
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../tests/support/corrections.ts';
import { holdJob, runFeatureJob } from '../tests/support/jobs.ts';
import { pdfPages } from '../tests/support/pdf.ts';
import { foundIn } from './test-damage.ts';
import { checkerOf, foundBy } from './test-found.ts';

let client: pg.Client;
/** The payer, two organizations that it pays for, and one that pays for itself. */
let parent: Customer;
let child: Customer;
let sibling: Customer;
let stranger: Customer;

beforeAll(async () => {
  await startBilling();
  await holdJob(at.console.app, 'billing.consolidate', 'billing.consolidate');
  client = await checkerOf(at.console);
  parent = await customer(fee('100'));
  child = await customer(fee('200'));
  sibling = await customer(fee('400'), fee('10', 'USD'));
  stranger = await customer(fee('50'));
  for (const one of [child, sibling])
    await at.console.ok(
      payers.setPayer,
      { organizationId: one.organizationId, payerId: parent.organizationId, from: september },
      asAdmin(),
    );
  await consolidated(parent, true, october);
});
afterEach(expectSoundBooks);
/** At the end of each part, because the checker reads the whole database. */
const verified = async (): Promise<void> => {
  expect(await foundBy(client)).toEqual([]);
  expect(await foundBy(client, parent.organizationId)).toEqual([]);
};

const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });
const consolidated = (one: Customer, isConsolidated: boolean, from: BillingMonth) =>
  at.console.ok(
    payers.setPayerBilling,
    { organizationId: one.organizationId, isConsolidated, from },
    asAdmin(),
  );
const consolidate = () => consolidateBills(at.console.app);
const list = async (one: Customer, month?: BillingMonth): Promise<ConsolidatedBill[]> =>
  (await at.console.ok(billing.listConsolidatedBills, { sort: 'number', ...(month && { month }) }, as(one)))
    .items;
const of = async (month: BillingMonth, currency = 'TWD', supplement = 0): Promise<ConsolidatedBill> =>
  required(
    (await list(parent, month)).find((bill) => bill.currency === currency && bill.supplement === supplement),
    'the consolidated bill',
  );
const detail = (bill: ConsolidatedBill) =>
  at.console.ok(billing.getConsolidatedBill, { consolidatedId: bill.id }, as(parent));
const payAll = (bill: ConsolidatedBill, method: 'balance' | 'bank_transfer' = 'balance', key?: string) =>
  at.console.call(
    payments.payConsolidatedBill,
    { consolidatedId: bill.id, method },
    { ...as(parent), ...(key !== undefined && { headers: { 'idempotency-key': key } }) },
  );
const messages = async (one: Customer): Promise<string[]> =>
  (
    await at.console.ok(notifications.listNotifications, { limit: 100 }, { ...as(one), language: 'enUS' })
  ).items.map(({ message }) => message);

/** A row of a bank statement, as it is matched now. */
async function bankRow(words: string, amount: string): Promise<BankRow> {
  await at.console.ok(
    banking.uploadStatement,
    {
      fileName: 'statement.csv',
      account: '123',
      currency: 'TWD',
      mapping: { headerLine: 1, day: 0, description: 1, debit: 2, credit: 3, balance: 4 },
    },
    {
      ...asAdmin(),
      body: csvOf([['2024-12-03', words, '', amount]]),
      headers: { 'content-type': 'text/csv' },
    },
  );
  const { items } = await at.console.ok(banking.listRows, { q: words }, asAdmin());
  return required(items[0], 'the row');
}
const bookFor = (row: BankRow, bill: ConsolidatedBill) =>
  at.console.call(
    banking.applyRow,
    { rowId: row.id, parts: [{ kind: 'consolidated', id: bill.id, amount: row.amount }] },
    asAdmin(),
  );

describe('T-CONSOLIDATED: one consolidated bill a month', () => {
  afterAll(verified);
  it('is issued once all organizations of the payer are closed: the exact total per currency, own bill first, one notification', async () => {
    await moveTo('2024-10-02T00:00:00Z');
    // September is not consolidated.
    await close(september);
    expect(await consolidate()).toBe(0);
    expect(await list(parent)).toEqual([]);
    const before = (await messages(parent)).length;
    await moveTo('2024-11-02T00:00:00Z');
    await close(october);
    expect(await consolidate()).toBe(2);
    expect(await consolidate()).toBe(0);
    const [inTwd, inUsd] = [await of(october), await of(october, 'USD')];
    expect(inTwd).toMatchObject({
      number: 'CB-202410-000001',
      sections: 3,
      net: twd(700),
      tax: twd(35),
      total: twd(735),
      due: twd(735),
      dueNow: twd(735),
      state: 'open',
      paymentStatus: 'unpaid',
      supplement: 0,
    });
    expect([inUsd.number, inUsd.sections, moneyText(inUsd.total)]).toEqual(['CB-202410-000002', 1, '10.50']);
    const { bills: sections } = await detail(inTwd);
    expect(sections.map(({ usedBy, total }) => [usedBy?.organization, total])).toEqual([
      [undefined, twd(105)],
      ['C2', twd(210)],
      ['C3', twd(420)],
    ]);
    expect(new Set(sections.map(({ dueAt }) => dueAt.toISOString()))).toEqual(
      new Set([inTwd.dueAt.toISOString()]),
    );
    const newMessages = (await messages(parent)).slice(0, (await messages(parent)).length - before);
    expect(newMessages.filter((message) => message.includes('CB-202410-000001'))).toHaveLength(1);
    expect(newMessages.filter((message) => message.includes('202410'))).toHaveLength(2);
    expect(newMessages.join()).not.toContain('B-202410-000003 ');
  });

  it('is not visible to the organizations it pays for, or to strangers', async () => {
    const bill = await of(october);
    for (const one of [child, stranger]) {
      expect(await list(one)).toEqual([]);
      const input = { consolidatedId: bill.id };
      const answers = await Promise.all([
        at.console.call(billing.getConsolidatedBill, input, as(one)),
        at.console.call(billing.consolidatedBillPdf, input, as(one)),
        at.console.call(billing.consolidatedBillCsv, input, as(one)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(
        (
          await at.console.call(
            payments.payConsolidatedBill,
            { consolidatedId: bill.id, method: 'balance' },
            as(one),
          )
        ).envelope.code,
      ).toBe('billing.consolidated_not_found');
    }
  });

  it('is a PDF with the total first and a section per organization, and a CSV of all lines', async () => {
    const bill = await of(october);
    const pdf = await at.console.ok(
      billing.consolidatedBillPdf,
      { consolidatedId: bill.id, language: 'enUS' },
      as(parent),
    );
    const pages = (await pdfPages(pdf.body as Uint8Array)).join('\n');
    for (const words of ['CB-202410-000001', 'NT$735', 'C1', 'C2', 'C3', 'NT$420', 'NT$210', 'NT$105'])
      expect(pages).toContain(words);
    const csv = await at.console.ok(
      billing.consolidatedBillCsv,
      { consolidatedId: bill.id, language: 'enUS' },
      as(parent),
    );
    const lines = new TextDecoder()
      .decode(csv.body as Uint8Array)
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain('CB-202410-000001,C1,');
    expect(lines[3]).toContain('CB-202410-000001,C3,');
  });
});

describe('T-CONSOLIDATED: paying a consolidated bill', () => {
  afterAll(verified);
  it('from the balance is all or nothing, exactly the amount due after a credit note and a partial payment', async () => {
    const bill = await of(october);
    const { bills: sections } = await detail(bill);
    const [own, second, third] = sections;
    await topUp(parent, twd(600));
    expect((await pay(parent, required(own, 'own'), twd(5))).status).toBe(201);
    expect((await credit(required(second, 'second'), net(100))).status).toBe(201);
    // 735 − 5 − 105 = 625, and the balance has 595.
    const refused = await payAll(bill);
    expect(refused.envelope.code).toBe('payments.balance_too_low');
    expect((await detail(bill)).bills.map(({ due }) => due)).toEqual([twd(100), twd(105), twd(420)]);
    await topUp(parent, twd(100));
    // Twice at once, with the same key and without: paid once.
    const answers = await Promise.all([payAll(bill, 'balance', 'once'), payAll(bill, 'balance', 'once')]);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(await payAll(bill)).toMatchObject({ envelope: { code: 'billing.already_paid' } });
    const now = await detail(bill);
    expect(now).toMatchObject({ state: 'paid', paymentStatus: 'paid', due: twd(0), credited: twd(105) });
    expect(now.paid).toEqual(twd(630));
    expect(now.bills.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
    expect(await balanceOf(parent)).toBe(70n);
    expect(third?.usedBy?.organization).toBe('C3');
    expect((await messages(parent)).filter((message) => /CB-202410-000001.*paid/.test(message))).toHaveLength(
      1,
    );
  });

  it('by one transfer adds it to the balance and pays all bills on confirmation; a smaller amount pays as many as it can', async () => {
    await moveTo('2024-12-02T00:00:00Z');
    await close(november);
    await consolidate();
    const bill = await of(november);
    await at.console.ok(
      payments.setBankAccount,
      { bank: 'Bank', holder: 'Seller', account: '123', note: '' },
      asAdmin(),
    );
    const { envelope, status } = await payAll(bill, 'bank_transfer');
    expect(status).toBe(201);
    const payment = required(
      (envelope.data as { payment: { id: `pay_${string}`; amount: unknown; billNumber: string } | null })
        .payment,
      'the transfer',
    );
    expect([payment.billNumber]).toEqual([bill.number]);
    expect((await detail(bill)).due).toEqual(twd(735));
    // A transfer that names the bill is matched to the announced one.
    const announced = await bankRow(`announced ${bill.number}`, '735');
    expect(announced).toMatchObject({
      reason: 'reference',
      certainty: 'certain',
      target: { kind: 'transfer', id: payment.id, billNumber: bill.number },
    });
    await at.console.ok(banking.ignoreRow, { rowId: announced.id, reason: 'Confirmed by hand' }, asAdmin());
    await at.console.ok(
      payments.confirmPayment,
      { paymentId: payment.id as never, amount: twd(400) },
      asAdmin(),
    );
    // 400 pays the first two completely and 85 of the third; the previous balance is not used.
    expect((await detail(bill)).bills.map(({ paid }) => paid)).toEqual([twd(105), twd(210), twd(85)]);
    expect(await balanceOf(parent)).toBe(70n);
    expect(await detail(bill)).toMatchObject({
      state: 'open',
      paymentStatus: 'partially_paid',
      due: twd(335),
    });
  });

  it('by transfers is matched by the number on the bank statement, not confused with a bill of the same number', async () => {
    const bill = await of(november);
    const sameNumber = bill.number.replace('CB', 'B');
    const ofAll = (await Promise.all([parent, stranger].map((one) => bills(one, november)))).flat();
    expect(ofAll.filter(({ number }) => number === sameNumber)).toHaveLength(1);
    const part = await bankRow(`貨款 ${bill.number}`, '300');
    expect(part).toMatchObject({
      state: 'matched',
      reason: 'bill_number_amount_differs',
      certainty: 'likely',
      target: { kind: 'consolidated', id: bill.id, organizationId: parent.organizationId, amount: twd(335) },
    });
    expect((await bookFor(part, bill)).status).toBe(200);
    expect((await detail(bill)).bills.map(({ paid }) => paid)).toEqual([twd(105), twd(210), twd(385)]);
    const rest = await bankRow(`rest of ${bill.number.replaceAll('-', '')}`, '35');
    expect(rest).toMatchObject({ reason: 'bill_number', certainty: 'certain', target: { amount: twd(35) } });
    const answers = await Promise.all([bookFor(rest, bill), bookFor(rest, bill)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await detail(bill)).toMatchObject({ state: 'paid', due: twd(0) });
    expect(await balanceOf(parent)).toBe(70n);
    const { items } = await at.console.ok(banking.listRows, { q: 'rest of' }, asAdmin());
    expect(items).toMatchObject([
      { state: 'applied', applied: [{ kind: 'consolidated', billNumber: bill.number, amount: twd(35) }] },
    ]);
    // Once it is paid no transfer is expected for it.
    const late = await bankRow(`twice ${bill.number}`, '735');
    expect(late.target).toBeNull();
    expect((await bookFor(late, bill)).envelope).toMatchObject({ code: 'payments.bill_not_open' });
  });
});

describe('T-CONSOLIDATED: later changes of a consolidated bill', () => {
  afterAll(verified);
  const december = '2024-12' as BillingMonth;
  it('the replacement of a voided bill is on a supplement', async () => {
    const bill = await of(november, 'USD');
    const [first] = (await detail(bill)).bills;
    await at.console.ok(
      credits.voidBill,
      { billId: required(first, 'a bill').id, reason: 'wrong' },
      asAdmin(),
    );
    expect(await detail(bill)).toMatchObject({ state: 'void', paymentStatus: 'void' });
    await at.console.ok(credits.reissueBill, { billId: required(first, 'a bill').id }, asAdmin());
    expect(await consolidate()).toBe(1);
    const supplement = await of(november, 'USD', 1);
    expect([supplement.number, supplement.sections, moneyText(supplement.total)]).toEqual([
      'CB-202411-000003',
      1,
      '10.50',
    ]);
  });

  it('an organization that cannot be billed yet is waited for, two days at most', async () => {
    await moveTo('2025-01-02T00:00:00Z');
    // As where a month ends later: one organization is closed later.
    await client.query(`update organization set time_zone = 'Pacific/Niue' where id = $1`, [
      sibling.organizationId,
    ]);
    at.console.clock.set(new Date('2025-01-01T10:30:00Z'));
    await close(december);
    expect(await consolidate()).toBe(0);
    expect(await list(parent, december)).toEqual([]);
    at.console.clock.set(new Date('2025-01-01T12:30:00Z'));
    await close(december);
    expect(await consolidate()).toBe(2);
    const bill = await of(december);
    expect(bill.sections).toBe(3);
    // One due date, that of the first bill.
    expect(new Set((await detail(bill)).bills.map(({ dueAt }) => dueAt.toISOString())).size).toBe(1);
  });

  it('one reminder covers everything that is due, and names the consolidated bill', async () => {
    const bill = await of(december);
    const rehearsal = await at.console.ok(dunning.rehearseDunning, {}, asAdmin());
    await at.console.ok(dunning.switchDunning, { isOn: true, rehearsalId: rehearsal.id }, asAdmin());
    await moveTo(new Date(bill.dueAt.getTime() + 2 * 86_400_000).toISOString());
    const before = (await messages(parent)).filter((message) => message.includes('202412'));
    await runFeatureJob(at.console.app, 'dunning');
    const reminders = (await messages(parent))
      .filter((message) => message.includes('202412'))
      .slice(0, -before.length);
    expect(reminders.filter((message) => message.includes(bill.number)).length).toBeGreaterThan(0);
    expect(reminders.filter((message) => message.includes('NT$735'))).toHaveLength(
      reminders.filter((message) => message.includes(bill.number)).length,
    );
    expect(reminders.filter((message) => /[^C]B-202412/.test(message))).toEqual([]);
    expect(await detail(bill)).toMatchObject({ paymentStatus: 'overdue' });
  });

  it('paying the consolidated bill pays the due instalments of a bill with a payment plan', async () => {
    const bill = await of(december);
    const { bills: sections } = await detail(bill);
    const third = required(sections[2], 'the third');
    const dayIn = (days: number): string =>
      new Date(at.console.app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    await at.console.ok(
      plans.agreePlan,
      {
        billIds: [third.id],
        instalments: [
          { on: dayIn(0), amount: twd(120) },
          { on: dayIn(60), amount: twd(300) },
        ],
        graceDays: 3,
        note: '',
      } as never,
      asAdmin(),
    );
    expect(await detail(bill)).toMatchObject({ due: twd(735), dueNow: twd(435) });
    await topUp(parent, twd(435));
    expect((await payAll(bill)).status).toBe(201);
    expect(await detail(bill)).toMatchObject({ due: twd(300), dueNow: twd(0), state: 'open' });
    expect((await bills(parent, december)).length).toBe(4);
  });

  it('the payer can return to separate bills from a later month; the setting is rejected for a billed month', async () => {
    const refused = await at.console.call(
      payers.setPayerBilling,
      { organizationId: parent.organizationId, isConsolidated: false, from: december },
      asAdmin(),
    );
    expect([refused.envelope.code, refused.envelope.errors?.[0]?.field]).toEqual([
      'payers.month_billed',
      'from',
    ]);
    const january = '2025-01' as BillingMonth;
    await consolidated(parent, false, january);
    expect(
      (await at.console.ok(payers.listPayers, {}, asAdmin())).items.map(
        ({ consolidatedFrom }) => consolidatedFrom,
      ),
    ).toEqual([null, null]);
    await moveTo('2025-02-05T00:00:00Z');
    await close(january);
    expect(await consolidate()).toBe(0);
    expect(await list(parent, january)).toEqual([]);
    expect((await messages(parent)).some((message) => message.includes('B-202501'))).toBe(true);
  });
});

describe('T-CONSOLIDATED: the checker', () => {
  const found = async (damage: string) =>
    (await foundIn(client, [damage])).filter((each) => each.startsWith('consolidated-bills'));
  it.each([
    [
      `update consolidated_bill set total_minor = total_minor + 1 where number = 'CB-202410-000001'`,
      'consolidated_total_differs CB-202410-000001',
    ],
    [
      `update consolidated_bill set due_at = due_at + interval '1 day' where number = 'CB-202410-000001'`,
      'consolidated_due_differs CB-202410-000001',
    ],
  ])('finds %s', async (damage, finding) => {
    expect(await found(damage)).toEqual([`consolidated-bills: ${finding}`]);
  });
  it('finds a missing bill, and one of another payer', async () => {
    expect(
      await found(
        `delete from consolidated_bill_part where position = 3 and consolidated_id = (select id from consolidated_bill where number = 'CB-202410-000001')`,
      ),
    ).toHaveLength(2);
    expect(
      await found(`update consolidated_bill set month = '2024-08' where number = 'CB-202410-000002'`),
    ).toEqual(['consolidated-bills: consolidated_foreign_bill CB-202410-000002']);
  });
});
