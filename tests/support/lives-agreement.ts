// What holds whatever people did: in the database after each step, and in everything that shows money at the
// end of a life.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { decimalText, decimal, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyDecimal, moneyText, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { billing, type Bill, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { accounting } from '#features/reporting/accounting/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { chargeKinds } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { foundBy } from '../../verify/test-found.ts';
import { proven } from './bill-proofs.ts';
import { expectReportsMatch } from './finance-reports.ts';
import { runFeatureJob } from './jobs.ts';
import { pdfPages } from './pdf.ts';
import type { Lives, Person } from './lives.ts';
import { creditedIn, expectOthers, expectReports } from './lives-others.ts';
import { expectForecast } from './lives-forecasts.ts';
import { expectProviders, hearProviders } from './lives-providers.ts';

/** What is wrong in the database. */
export async function expectSound(lives: Lives): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    select 'currency ' || currency as wrong from ledger_entry group by currency having sum(amount_minor) <> 0
    union all select 'account ' || id from ledger_account a where balance_minor <> coalesce((select sum(amount_minor) from ledger_entry e where e.account_id = a.id), 0)
    union all select 'balance below zero ' || id from ledger_account where kind = 'balance' and balance_minor > 0
    union all select 'receivable ' || o.id || ' ' || c.currency from organization o cross join (select distinct currency from bill) c
      where coalesce((select balance_minor from ledger_account where kind = 'receivable' and organization_id = o.id and currency = c.currency), 0)
        <> coalesce((select sum(total_minor - paid_minor - credited_minor) from bill where organization_id = o.id and bill.currency = c.currency and state = 'open'), 0)
    union all select 'lines ' || id from bill b where net_minor <> coalesce((select sum(amount_minor) from bill_line l where l.bill_id = b.id), 0)
    union all select 'total ' || id from bill where total_minor <> net_minor + tax_minor
    union all select 'over ' || id from bill where state <> 'void' and total_minor > 0 and paid_minor + credited_minor > total_minor
    union all select 'state ' || id from bill where state <> 'void' and (state = 'paid') <> (total_minor <= 0 or paid_minor + credited_minor = total_minor)
    union all select 'numbers ' || series from bill group by series having max(sequence) <> count(*)
    union all select 'note ' || n.id from credit_note n where (net_minor, tax_minor) <> (select sum(l.net_minor), sum(l.tax_minor) from credit_note_line l where l.credit_note_id = n.id)
    union all select 'credited ' || b.id from bill b where credited_minor <> coalesce((select sum(to_due_minor) from credit_note n where n.bill_id = b.id), 0) or returned_minor <> coalesce((select sum(to_balance_minor) from credit_note n where n.bill_id = b.id), 0)
    union all select 'over-credited ' || b.id from bill b where b.total_minor > 0 and (select sum(net_minor + tax_minor) from credit_note n where n.bill_id = b.id) > b.total_minor
    union all select 'refunds ' || p.id from payment p where p.refunded_minor <> coalesce((select sum(amount_minor) from payment_refund r where r.payment_id = p.id and r.state = 'succeeded'), 0) and p.method <> 'withholding'
    union all select 'refunded too much ' || p.id from payment p where p.refunded_minor > p.received_minor`.execute(
    lives.db,
  );
  expect(rows.map(({ wrong }) => wrong)).toEqual([]);
  expect(lives.faults).toEqual([]);
}

const sumOf = (amounts: readonly Money[], currency: Currency): Money =>
  sumMoney(
    amounts.filter((each) => each.currency === currency),
    currency,
  );
const rowsOf = (body: unknown): Record<string, string>[] =>
  parse(Buffer.from(body as Uint8Array), { columns: true, bom: true });
const textOf = (amount: Money): string => decimalText(moneyDecimal(amount));
const sumTexts = (texts: readonly string[]): string =>
  decimalText(sumDecimals(texts.map((text) => decimal(text))));

/** The bill as its customer and an Admin read it, with its lines, history and files. */
async function expectBill(lives: Lives, person: Person, listed: Bill): Promise<BillDetail | undefined> {
  const { console } = lives;
  const name = `bill ${listed.number}`;
  const bill = await console.ok(billing.adminGetBill, { billId: listed.id }, lives.asAdmin);
  const { lines, buyer: _buyer, change: _change, ...rest } = bill;
  expect(rest, name).toEqual(listed);
  const { currency, net, tax, total, paid, credited, due, state } = bill;
  expect(net, name).toEqual(
    sumOf(
      lines.map((line) => line.total),
      currency,
    ),
  );
  expect(total.minor, name).toBe(net.minor + tax.minor);
  if (bill.taxes) {
    expect(tax, name).toEqual(
      sumOf(
        bill.taxes.map((each) => each.tax),
        currency,
      ),
    );
    expect(net, name).toEqual(
      sumOf(
        bill.taxes.map((each) => each.net),
        currency,
      ),
    );
  }
  expect([name, due.minor]).toEqual([
    name,
    state === 'open' ? total.minor - paid.minor - credited.minor : 0n,
  ]);
  const history = await console.ok(credits.adminBillHistory, { billId: bill.id }, lives.asAdmin);
  expect(history.credited, name).toEqual(
    sumOf(
      history.creditNotes.map((note) => note.total),
      currency,
    ),
  );
  for (const note of history.creditNotes) {
    expect(note.total.minor, name).toBe(note.net.minor + note.tax.minor);
    expect(note.toDue.minor + note.toBalance.minor, name).toBe(note.total.minor);
  }
  const own = await console.call(billing.getBill, { billId: bill.id }, { token: person.token });
  if (own.status !== 200) {
    expect(own.envelope.code, name).toBe('resellers.sold_by_reseller');
    return undefined;
  }
  expect({ ...own.data, change: null }, name).toEqual({ ...bill, change: null });
  return bill;
}

/** Everything in which a customer sees money says the same. */
async function expectCustomer(lives: Lives, person: Person): Promise<void> {
  const { console } = lives;
  const { organizationId, token } = person;
  const bills: BillDetail[] = [];
  const { items, total } = await console.ok(
    billing.adminListBills,
    { organizationId, limit: 200 },
    lives.asAdmin,
  );
  expect(items.length).toBe(total);
  for (const listed of items) {
    const bill = await expectBill(lives, person, listed);
    if (bill) bills.push(bill);
  }
  const own = await console.call(billing.listBills, { limit: 200 }, { token });
  if (own.status !== 200) return;
  expect(own.data.items).toEqual(items);
  const resold = await console.call(books.statement, {}, { token });
  // What a reseller sells is not on its customer’s account here.
  if (resold.envelope.code === 'resellers.sold_by_reseller') return;
  const { balances, owed } = await console.ok(payments.balance, {}, { token });
  const used = [
    ...new Set([...items.map(({ currency }) => currency), ...balances.map((each) => each.currency)]),
  ];
  for (const currency of used) {
    const due = sumOf(
      items.map((bill) => bill.due),
      currency,
    );
    expect(sumOf(owed, currency), 'owed').toEqual(due);
    const statement = await console.ok(books.statement, { currency }, { token });
    expect(statement.owed.closing, 'the statement of account').toEqual(due);
    expect(statement.prepaid.closing, 'the statement of the balance').toEqual(sumOf(balances, currency));
    for (const { opening, debits, credits: taken, closing } of [statement.owed])
      expect(closing.minor).toBe(opening.minor + debits.minor - taken.minor);
    const { body } = await console.ok(
      books.exportStatement,
      { currency, format: 'csv', language: 'enUS' },
      { token },
    );
    const rows = rowsOf(body);
    expect(rows.length).toBe(statement.owed.total + statement.prepaid.total);
  }
  lives.console.clock.advance(61_000);
  for (const format of ['csv', 'focus'] as const) {
    const { body } = await console.ok(billing.exportBills, { format, language: 'enUS' }, { token });
    const rows = rowsOf(body);
    for (const currency of used) {
      // Files contain void bills with their reversals.
      const inFile = rows.filter((row) => (row['Currency'] ?? row['BillingCurrency']) === currency);
      const valid = items.filter((bill) => bill.state !== 'void');
      expect([
        format,
        currency,
        sumTexts(inFile.map((row) => row['Amount'] ?? row['BilledCost'] ?? '')),
      ]).toEqual([
        format,
        currency,
        textOf(
          money(
            sumOf(
              valid.map((bill) => bill.total),
              currency,
            ).minor -
              (format === 'focus' || format === 'csv' ? await creditedIn(lives, valid, currency) : 0n),
            currency,
          ),
        ),
      ]);
    }
  }
  await expectLimits(lives, person, sumOf(owed, person.currency), sumOf(balances, person.currency));
  await expectStatistics(lives, person);
  const [newest] = items.filter(({ state }) => state !== 'void');
  if (newest) {
    const pages = await pdfPages(
      (await console.ok(billing.billPdf, { billId: newest.id, language: 'enUS' }, { token }))
        .body as Uint8Array,
    );
    expect(pages.join('\n').replaceAll(',', '')).toContain(moneyText(newest.total).replace('-', ''));
    expect((await proven(console, newest.id, token)).differing, `the proof of ${newest.number}`).toEqual([]);
  }
  const dashboard = await console.ok(consoleContract.userDashboard, {}, { token });
  expect(dashboard.balance.balances).toEqual(balances);
  const current = await console.ok(billing.currentBill, {}, { token });
  expect(dashboard.current.bills.map(({ total }) => moneyText(total))).toEqual(
    current.bills.map(({ total }) => moneyText(total)),
  );
  for (const bill of current.bills) {
    expect(bill.net, 'the running month').toEqual(
      sumOf(
        bill.lines.map((line) => line.total),
        bill.currency,
      ),
    );
    expect(bill.total.minor).toBe(bill.net.minor + bill.tax.minor);
  }
}

/** What is outstanding against a limit is what is owed, less the balance, and what is not billed yet. */
async function expectLimits(
  lives: Lives,
  { currency, token }: Person,
  owed: Money,
  balance: Money,
): Promise<void> {
  const { items } = await lives.console.ok(creditLimits.creditLimit, {}, { token });
  for (const each of items) {
    if (each.limit.currency !== currency) continue;
    expect(each.used.minor, 'used of a limit').toBe(
      each.unpaid.minor + each.unbilled.minor - each.balance.minor,
    );
    expect(each.unpaid.minor, 'unpaid').toBeGreaterThanOrEqual(owed.minor);
    expect(each.balance.minor, 'the balance').toBeLessThanOrEqual(balance.minor);
  }
}

const chargedKinds: ReadonlySet<string> = new Set(chargeKinds);
/**
 * The statistics of closed months come to what their bills charge for use, if nothing came late. They are of
 * what was used: a void bill leaves them as they are, and the bill issued instead does not add to them.
 */
async function expectStatistics(lives: Lives, { organizationId, currency, token }: Person): Promise<void> {
  if (lives.isLate) return;
  const { items } = await lives.console.ok(billing.adminListBills, { limit: 200 }, lives.asAdmin);
  const ofUse = items.filter(
    (bill) =>
      (bill.usedBy?.organizationId ?? bill.organizationId) === organizationId &&
      bill.kind === 'month' &&
      bill.currency === currency,
  );
  const used = ofUse.filter(({ state }) => state !== 'void');
  const isInstead = (of: Bill, bill: Bill): boolean =>
    bill.month === of.month && bill.organizationId === of.organizationId;
  const unbilled = new Set(
    ofUse
      .filter((bill) => bill.state === 'void' && !used.some((other) => isInstead(bill, other)))
      .map(({ month }) => month),
  );
  for (const month of new Set(used.map((bill) => bill.month))) {
    if (unbilled.has(month)) continue;
    const figures = await lives.console.call(usage.statistics, { month }, { token });
    if (figures.status !== 200 || figures.data.currency !== currency) continue;
    let billed = 0n;
    for (const bill of used.filter((each) => each.month === month))
      for (const line of (await lives.console.ok(billing.adminGetBill, { billId: bill.id }, lives.asAdmin))
        .lines)
        if (chargedKinds.has(line.kind)) billed += line.total.minor;
    expect([month, figures.data.billed.minor], 'statistics').toEqual([month, billed]);
  }
}

/** Everything that shows money agrees, and reading it changed nothing. */
export async function expectAgreement(lives: Lives, from: LocalDay): Promise<void> {
  const { console } = lives;
  await hearProviders(lives);
  await runFeatureJob(console.app, 'metrics.refresh');
  await lives.settle();
  await lives.signIn();
  const before = await lives.trace();
  for (const person of lives.people) {
    await expectCustomer(lives, person);
    await expectOthers(lives, person);
    await expectForecast(lives, person);
  }
  await expectReports(lives);
  await expectProviders(lives);
  const { items: trial } = await console.ok(books.trialBalance, {}, lives.asAdmin);
  const used = [...new Set(trial.map(({ currency }) => currency))];
  for (const currency of used) {
    const side = (name: 'debit' | 'credit') =>
      sumOf(
        trial.flatMap((each) => (each[name] ? [each[name]] : [])),
        currency,
      );
    expect(side('debit'), 'the trial balance').toEqual(side('credit'));
    const aged = await console.ok(metrics.receivables, { currency, limit: 200 }, lives.asAdmin);
    expect(aged.totals.total, 'receivables').toEqual(
      sumOf(
        aged.items.map((each) => each.total),
        currency,
      ),
    );
    const { rows } = await sql<{
      minor: bigint;
    }>`select coalesce(sum(total_minor - paid_minor - credited_minor), 0)::bigint as minor
      from bill where state = 'open' and currency = ${currency}`.execute(lives.db);
    expect(aged.totals.total.minor, 'receivables').toBe(rows[0]?.minor);
  }
  const { items: deferred } = await console.ok(books.deferredRevenue, {}, lives.asAdmin);
  for (const each of deferred) {
    expect(each.total, 'deferred revenue').toEqual(each.ledger);
    expect(each.fees, 'deferred fees').toEqual(
      sumOf(
        each.months.map(({ amount }) => amount),
        each.currency,
      ),
    );
  }
  const { proof } = await console.ok(accounting.previewJournal, { period: lives.month() }, lives.asAdmin);
  expect(
    proof.filter(({ isEqual }) => !isEqual),
    'the journal',
  ).toEqual([]);
  await expectReportsMatch(console, lives.admin, { from, middle: lives.day(-20), to: lives.day() });
  const summary = await console.ok(metrics.summary, {}, lives.asAdmin);
  for (const currency of summary.currencies) {
    const { proof: shown } = await console.ok(metrics.summary, { currency }, lives.asAdmin);
    if (shown) expect(shown.isEqual, `metrics ${currency}`).toBe(true);
  }
  const period = { from, to: lives.day() };
  const gains = await console.ok(metrics.exchangeGains, period, lives.asAdmin);
  for (const person of lives.people) {
    const of = person.currency;
    const shown = gains.items.filter(
      (each) => each.organizationId === person.organizationId && each.of === of,
    );
    const { items } = await console.ok(
      metrics.settlements,
      { ...period, organizationId: person.organizationId, of },
      lives.asAdmin,
    );
    expect(
      sumOf(
        shown.map((each) => each.settled),
        of,
      ),
      'settled',
    ).toEqual(
      sumOf(
        items.map((each) => each.amount),
        of,
      ),
    );
    expect(
      shown.reduce((sum, each) => sum + each.gain.minor, 0n),
      'gains',
    ).toBe(items.reduce((sum, each) => sum + (each.gain?.minor ?? 0n), 0n));
  }
  expect(await lives.trace(), 'reading changed').toEqual(before);
  expect(await foundBy(lives.client)).toEqual([]);
}
