// What others than the payer see of the same money: users that somebody pays for, resellers and their
// customers, and the operator’s reports; and what is left when everything has ended.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyDecimal, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { runFeatureJob } from './jobs.ts';
import type { Lives, Person } from './lives.ts';
import { subscriptionsOf } from './lives-verbs.ts';

const sumOf = (amounts: readonly Money[], currency: Currency): Money =>
  sumMoney(
    amounts.filter((each) => each.currency === currency),
    currency,
  );

/** A customer’s account as Admins list it, its credit, and what others pay or sell to it. */
export async function expectOthers(lives: Lives, person: Person): Promise<void> {
  const { console } = lives;
  const { organizationId, token } = person;
  const asUser = { token };
  const account = await console.ok(consoleContract.getOrganizationAccount, { organizationId }, lives.asAdmin);
  const own = await console.call(payments.balance, {}, asUser);
  if (own.status === 200) {
    // Customers see their main currency first.
    const listed = (amounts: readonly Money[]) =>
      amounts.filter(({ minor }) => minor !== 0n).toSorted((a, b) => a.currency.localeCompare(b.currency));
    expect(account.balances, 'balances of the account').toEqual(listed(own.data.balances));
    expect(account.owed, 'owed of the account').toEqual(listed(own.data.owed));
  }
  const credit = await console.call(creditgrants.ownCredits, {}, asUser);
  if (credit.status === 200)
    for (const grant of credit.data.grants) {
      const detail = await console.ok(creditgrants.adminGetGrant, { grantId: grant.id }, lives.asAdmin);
      expect(detail.left, 'what is left of credit').toEqual(grant.left);
      if (grant.recurring === null && detail.movements.length > 0)
        expect(
          detail.movements.reduce((sum, { amount }) => sum + amount.minor, 0n),
          'the movements of credit',
        ).toBe(detail.left.minor);
    }
  const covered = await console.call(billing.listCoveredBills, { limit: 200 }, asUser);
  if (covered.status === 200)
    for (const { id, net, tax, total } of covered.data.items) {
      const bill = await console.ok(billing.adminGetBill, { billId: id }, lives.asAdmin);
      expect({ net, tax, total }).toEqual({ net: bill.net, tax: bill.tax, total: bill.total });
      const shown = await console.ok(billing.getCoveredBill, { billId: id }, asUser);
      expect(
        shown.lines.map((line) => line.total),
        'a covered bill',
      ).toEqual(bill.lines.map((line) => line.total));
    }
  const retail = await console.call(resellers.retailBills, { limit: 200 }, asUser);
  if (retail.status === 200)
    for (const { id } of retail.data.items) {
      const bill = await console.ok(resellers.retailBill, { retailBillId: id }, asUser);
      expect(bill.net, 'a retail bill').toEqual(
        sumOf(
          bill.lines.map((line) => line.total),
          bill.net.currency,
        ),
      );
      expect(bill.total.minor).toBe(bill.net.minor + bill.tax.minor);
    }
  for (let back = 1; back < 6; back++) {
    const month = lives.month(-back);
    const { status, data } = await console.call(resellers.wholesale, { month }, asUser);
    if (status !== 200) break;
    expect(data.isProven, `wholesale of ${month}`).toBe(true);
    for (const total of data.totals)
      expect(total.margin.minor).toBe(total.retail.minor - total.wholesale.minor);
  }
  for (const { id } of await subscriptionsOf(lives, person)) {
    const { status, data } = await console.call(
      billing.subscriptionLines,
      { subscriptionId: id, limit: 200 },
      asUser,
    );
    if (status !== 200) continue;
    const { rows } = await sql<{ minor: bigint }>`select coalesce(sum(amount_minor), 0)::bigint as minor
      from bill_line l join bill b on b.id = l.bill_id where l.subscription_id = ${id} and b.state <> 'void'
        and l.kind <> all(${[...ofTerms]}::text[])`.execute(lives.db);
    const lines = data.items.filter(({ line }) => !ofTerms.has(line.kind));
    expect([id, lines.reduce((sum, { line }) => sum + line.total.minor, 0n)]).toEqual([id, rows[0]?.minor]);
  }
}
const ofTerms: ReadonlySet<string> = new Set([
  'one_off',
  'discount',
  'committed_rate',
  'overage_rate',
  'true_up',
  'minimum_spend',
  'promotional_credit',
  'interim',
  'interim_deduction',
]);

/** What credit notes took back of bills in a currency. */
export async function creditedIn(lives: Lives, bills: readonly Bill[], currency: Currency): Promise<bigint> {
  let credited = 0n;
  for (const bill of bills.filter((each) => each.currency === currency))
    credited += (await lives.console.ok(credits.adminBillHistory, { billId: bill.id }, lives.asAdmin))
      .credited.minor;
  return credited;
}

/** The operator’s reports of all bills. */
export async function expectReports(lives: Lives): Promise<void> {
  const { console } = lives;
  const { items } = await console.ok(billing.adminListBills, { limit: 200 }, lives.asAdmin);
  const { body } = await console.ok(
    billing.adminExportBills,
    { format: 'csv', language: 'enUS' },
    lives.asAdmin,
  );
  const rows: Record<string, string>[] = parse(Buffer.from(body as Uint8Array), { columns: true, bom: true });
  const months = [...new Set(items.map(({ month }) => month))].toSorted().slice(-3);
  for (const currency of new Set(items.map((bill) => bill.currency))) {
    const inFile = rows.filter((row) => row['Currency'] === currency).map((row) => row['Amount'] ?? '');
    const valid = items.filter((bill) => bill.state !== 'void');
    const total = sumOf(
      valid.map((bill) => bill.total),
      currency,
    );
    // Files contain credit notes, and void bills with their reversals.
    expect(decimalText(sumDecimals(inFile.map((each) => decimal(each)))), 'all bills in a file').toBe(
      decimalText(moneyDecimal(money(total.minor - (await creditedIn(lives, valid, currency)), currency))),
    );
    for (const month of months) {
      const shown = await console.ok(metrics.customers, { currency, month, limit: 200 }, lives.asAdmin);
      expect(shown.whole, `customers of ${month}`).toEqual(
        sumOf(
          shown.items.map(({ total }) => total),
          currency,
        ),
      );
      for (const by of ['customer', 'service'] as const) {
        const margin = await console.ok(metrics.margin, { currency, month, by, limit: 200 }, lives.asAdmin);
        expect(
          sumOf(
            margin.items.map(({ revenue }) => revenue),
            currency,
          ),
          `the margin of ${month} by ${by}`,
        ).toEqual(margin.billed);
      }
    }
  }
}

/** When every subscription has ended and all terms are over, nothing is deferred but credit that was paid for. */
export async function expectEnd(lives: Lives): Promise<void> {
  await lives.signIn(true);
  for (const person of lives.people)
    for (const { id, state } of await subscriptionsOf(lives, person))
      if (state !== 'canceled' && state !== 'expired')
        await lives.attempt(subscriptions.cancel, { subscriptionId: id, when: 'now' }, person.token);
  for (let months = 0; months < 2; months++) {
    await lives.liveUntilNextMonth(5);
    await lives.attempt(billing.closeMonth, { month: lives.month(-1) }, lives.admin);
  }
  lives.console.clock.advance(430 * 24 * 3_600_000);
  await lives.runJobs();
  await lives.signIn(true);
  await runFeatureJob(lives.console.app, 'billing.recognizeRevenue');
  const { items } = await lives.console.ok(books.deferredRevenue, {}, lives.asAdmin);
  for (const { fees, months, total, ledger } of items) {
    expect([fees.minor, months], 'deferred for ever').toEqual([0n, []]);
    expect(total).toEqual(ledger);
  }
}
