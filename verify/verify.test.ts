// The independent checker finds each kind of damage by its code, and nothing in correct books (R-BILL-05, I1,
// I3 to I9).
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { billing } from '../src/features/invoicing/billing/contract.ts';
import { enUS } from '../src/features/reporting/books/locales/enUS.ts';
import { quotes } from '../src/features/invoicing/quotes/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { childEnvironment } from '#platform/server/config.ts';
import { checks } from './checks.ts';
import { connection, opened } from './connection.ts';
import { foundIn } from './test-damage.ts';
import type { Line } from './verify.ts';
import { createTestBooks, placeOf, type TestBooks } from '../tests/support/books.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import { checkerOf } from './test-found.ts';

let books: TestBooks;
let client: pg.Client;

beforeAll(async () => {
  books = await createTestBooks();
  // The second customer’s paid bill is credited in part, and their next bill is voided and issued again.
  const [paid, wrong] = await Promise.all(
    ['2024-09', '2024-10'].map(
      async (month) =>
        (
          await books.console.ok(
            billing.adminListBills,
            { month: month as BillingMonth, organizationId: books.customers[1].organizationId },
            { token: books.admin() },
          )
        ).items[0]!,
    ),
  );
  await books.console.ok(
    credits.issueCredit,
    { billId: paid!.id, what: { kind: 'percent', percent: '50' }, reason: 'slow' },
    { token: books.admin() },
  );
  await books.console.ok(
    credits.reissueBill,
    { billId: wrong!.id, reason: 'wrong' },
    { token: books.admin() },
  );
  const { id: quoteId } = await books.console.ok(
    quotes.createQuote,
    {
      organizationId: books.customers[0].organizationId,
      currency: 'TWD',
      validUntil: dayOf(new Date(books.console.clock.now().getTime() + 20 * 86_400_000), 'Asia/Taipei'),
      content: {
        months: 1,
        items: [],
        oneOffs: [{ name: { zhTW: '安裝', enUS: 'Setup' }, unitPrice: '10' }],
        discounts: [],
        grants: [],
        minimumSpend: null,
      },
    },
    { token: books.admin() },
  );
  await books.console.ok(quotes.sendQuote, { quoteId }, { token: books.admin() });
  // A preview of a month that nobody closed closes nothing.
  const month = '2024-08' as BillingMonth;
  await books.console.ok(billing.previewClose, { month }, { token: books.admin() });
  await vi.waitFor(
    async () => {
      const { run } = await books.console.ok(billing.getPreview, { month }, { token: books.admin() });
      if (run?.state !== 'done') throw new Error(`the preview is ${run?.state}`);
    },
    { timeout: 50_000 },
  );
  client = await checkerOf(books.console);
});

const foundAfter = (...damage: readonly string[]): Promise<string[]> => foundIn(client, damage);
/** One value of the database, of the object that a finding must name. */
async function one(statement: string): Promise<string> {
  const {
    rows: [row],
  } = await client.query<{ one: string }>(`select (${statement})::text as one`);
  return row?.one ?? '';
}

type Outcome = { code: number | null; lines: Line[]; errorOutput: string };
/** Runs the checker in a separate process. */
function verify(environment: Record<string, string>, ...words: readonly string[]): Promise<Outcome> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [resolve(import.meta.dirname, 'verify.ts'), ...words],
      { env: { ...childEnvironment(), ...environment } },
      (_error, stdout, stderr) =>
        done({
          code: child.exitCode,
          errorOutput: stdout + stderr,
          lines: words.includes('--json')
            ? stdout
                .trim()
                .split('\n')
                .filter(Boolean)
                .map((line) => JSON.parse(line) as Line)
            : [],
        }),
    );
  });
}
const findingsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) =>
    line.type === 'check' ? line.findings.map(({ code, subject }) => `${line.id}: ${code} ${subject}`) : [],
  );

describe('correct books', () => {
  it('I1, I3 to I9: two months of bills, payments, corrections and late usage pass, in a separate process', async () => {
    // The messages sent while creating the books have arrived.
    await expect
      .poll(() => one('select count(*) from outbox where sent_at is null and parked_at is null'))
      .toBe('0');
    await runFeatureJob(books.console.app, 'metrics.refresh');
    const { code, lines, errorOutput } = await verify(placeOf(books.console), '--json');
    expect(findingsOf(lines), errorOutput).toEqual([]);
    expect(code).toBe(0);
    expect(lines.at(0)).toMatchObject({ type: 'begin', organization: null });
    expect(lines.at(-1)).toMatchObject({ type: 'end', verdict: 'passed' });
    const checks = lines.flatMap((line) => (line.type === 'check' ? [line] : []));
    // Every check has examined something, except checks of what these books do not contain: terms (in
    // terms.test.ts), refunds, disputes and messages.
    expect(checks.filter((line) => line.examined === '0').map((line) => line.id)).toEqual([
      'bill-terms',
      'discounts-applied',
      'one-offs-billed',
      'credit-grants',
      'credit-scope',
      'credit-grants-booked',
      'credit-accounts',
      'interims-taken-off',
      'commitment-draws',
      'commitment-true-ups',
      'revenue-schedule',
      'revenue-after-end',
      'revenue-recognitions',
      // Tested in tests/reporting/accounting.test.ts.
      'journals',
      // Tested in payers.test.ts.
      'payers',
      // Tested in tests/invoicing/resellers.test.ts.
      'retail-bills',
      'retail-credits',
      'retail-numbers',
      // Tested in einvoices.test.ts.
      'einvoice-sums',
      'einvoice-bills',
      'einvoice-numbers',
      'refunds',
      'disputes',
      'card-charges',
      'plan-instalments',
      // Tested in consolidated.test.ts.
      'consolidated-bills',
      // Tested in cost-imports.test.ts.
      'cost-lines',
      'cost-sold',
      'messages',
    ]);
    expect([...new Set(checks.flatMap((line) => line.invariants))].toSorted()).toEqual([
      'I1',
      'I3',
      'I4',
      'I5',
      'I6',
      'I7',
      'I8',
      'I9',
    ]);
    expect(
      checks.find((line) => line.id === 'usage-billed')?.notes.map((note) => `${note.code} ${note.count}`),
    ).toEqual([
      'uncompared_late_same_price 1',
      'uncompared_late_usage 1',
      'uncompared_level 2',
      'events_unbilled 2',
    ]);
  });
});

const bill = (column = 'number'): Promise<string> =>
  one(`select ${column} from bill where sequence = 1 and series = 'B-202409'`);
const oneBill = `sequence = 1 and series = 'B-202409'`;
const sub = (aggregation: string): Promise<string> =>
  one(
    `select s.id from subscription s join service v on v.id = s.service_id where v.aggregation = '${aggregation}'`,
  );

describe('every damage is found by its check', () => {
  it('nothing is found without damage', async () => {
    expect(await foundAfter('select 1')).toEqual([]);
  });

  it('I1: an entry that was changed, deleted, added or moved to another currency', async () => {
    const transaction = await one(
      `select t.id from ledger_transaction t where kind = 'bill' and reference = (select id from bill where ${oneBill})`,
    );
    const [revenue, reference] = [
      await one(
        `select account_id from ledger_entry where transaction_id = '${transaction}' and position = 2`,
      ),
      await bill('id'),
    ];
    expect(
      await foundAfter(
        `update ledger_entry set amount_minor = amount_minor - 1 where transaction_id = '${transaction}' and position = 2`,
      ),
    ).toEqual([
      `ledger-balanced: transaction_unbalanced ${transaction}`,
      `account-balances: balance_differs ${revenue}`,
      `bills-booked: bill_booked_differently ${reference}`,
    ]);
    expect(
      await foundAfter(
        `delete from ledger_entry where transaction_id = '${transaction}'`,
        `update ledger_account a set balance_minor = coalesce((select sum(amount_minor) from ledger_entry where account_id = a.id), 0)`,
      ),
    ).toEqual([
      `ledger-balanced: transaction_short ${transaction}`,
      `bills-booked: bill_not_booked ${reference}`,
      expect.stringMatching(/^receivables: receivable_differs /),
    ]);
    expect(
      await foundAfter(`update ledger_entry set currency = 'EUR' where transaction_id = '${transaction}'`),
    ).toEqual(
      expect.arrayContaining([
        `ledger-balanced: entry_currency ${transaction} 1`,
        `bills-booked: bill_booked_differently ${reference}`,
      ]),
    );
    expect(await foundAfter(`delete from ledger_transaction where id = '${transaction}'`)).toEqual([
      `ledger-balanced: entry_without_transaction ${transaction} 1`,
      `ledger-balanced: entry_without_transaction ${transaction} 2`,
      `ledger-balanced: entry_without_transaction ${transaction} 3`,
      `bills-booked: bill_not_booked ${reference}`,
    ]);
  });

  it('I1, I5: a stored balance that is not the sum of its entries', async () => {
    expect(
      await foundAfter(`update ledger_account set balance_minor = balance_minor + 1 where id = 'cash:TWD'`),
    ).toEqual(['account-balances: balance_differs cash:TWD']);
  });

  it('I5: an overdrawn prepaid balance', async () => {
    const { organizationId } = books.customers[0];
    const account = `balance:${organizationId}:TWD`;
    expect(
      await foundAfter(
        `insert into ledger_transaction (id, kind, reference, at) values ('ltx_planted', 'correction', 'planted', now())`,
        `insert into ledger_entry values ('ltx_planted', 1, '${account}', 'TWD', 100000), ('ltx_planted', 2, 'revenue:TWD', 'TWD', -100000)`,
        `update ledger_account a set balance_minor = (select sum(amount_minor) from ledger_entry where account_id = a.id) where id in ('${account}', 'revenue:TWD')`,
      ),
    ).toEqual([`balance-not-below-zero: balance_overspent ${account}`]);
  });

  it('I5: a wrong line, net amount or total, and a missing line', async () => {
    const number = await bill();
    expect(
      await foundAfter(
        `update bill_line set amount_minor = amount_minor + 1 where position = 1 and bill_id = '${await bill('id')}'`,
      ),
    ).toEqual([
      `bill-sums: lines_differ_from_net ${number}`,
      `line-rounding: line_rounded_wrong ${number} 1`,
      `bill-content: content_changed ${number}`,
    ]);
    expect(await foundAfter(`update bill set total_minor = total_minor + 1 where ${oneBill}`)).toEqual([
      `bill-sums: total_differs ${number}`,
      `bills-booked: bill_booked_differently ${await bill('id')}`,
      expect.stringMatching(/^receivables: /),
      `bill-content: content_changed ${number}`,
    ]);
    expect(
      await foundAfter(`delete from bill_line where position = 1 and bill_id = '${await bill('id')}'`),
    ).toEqual([
      `bill-sums: line_missing ${number}`,
      `bill-sums: lines_differ_from_net ${number}`,
      `bill-content: content_changed ${number}`,
    ]);
    expect(
      await foundAfter(
        `update bill_line set exact_amount = exact_amount + 0.0001 where position = 1 and bill_id = '${await bill('id')}'`,
      ),
    ).toEqual([
      `line-rounding: steps_differ_from_line ${number} 1`,
      `bill-content: content_changed ${number}`,
    ]);
  });

  it('R-BILL-05, I5: tax that was not rounded half away from zero', async () => {
    const number = await bill();
    const found = await foundAfter(
      `update bill set tax_minor = tax_minor + 1, total_minor = total_minor + 1 where ${oneBill}`,
    );
    expect(found).toEqual([
      `bill-tax: tax_differs ${number}`,
      `bills-booked: bill_booked_differently ${await bill('id')}`,
      expect.stringMatching(/^receivables: /),
      `bill-content: content_changed ${number}`,
    ]);
  });

  it('R-BILL-05, I5: a bill that was changed after it was issued', async () => {
    const number = await bill();
    for (const change of [
      `buyer = jsonb_set(buyer, '{name}', '"Somebody else"')`,
      `tax_rate = 5.0`,
      `number = number`,
    ]) {
      expect(await foundAfter(`update bill set ${change} where ${oneBill}`), change).toEqual(
        change === 'number = number' ? [] : [`bill-content: content_changed ${number}`],
      );
    }
    expect(
      await foundAfter(
        `update bill_line set service_name = 'Another service' where bill_id = '${await bill('id')}'`,
      ),
    ).toEqual([`bill-content: content_changed ${number}`]);
  });

  it('I5: a receivable that differs from the amount due on open bills, and a bill that is not in the ledger', async () => {
    const { organizationId } = books.customers[0];
    expect(await foundAfter(`update bill set paid_minor = paid_minor + 1 where ${oneBill}`)).toEqual([
      `receivables: receivable_differs ${organizationId} TWD`,
      `bills-paid: paid_differs ${await bill()}`,
    ]);
  });

  it('I5: a credit note or void that was changed, is not booked, or exceeds its bill', async () => {
    const [note, noteId, paid, wrong] = [
      await one('select number from credit_note'),
      await one('select id from credit_note'),
      await one('select number from bill where id = (select bill_id from credit_note)'),
      await one(`select number from bill where state = 'void'`),
    ];
    expect(
      await foundAfter(
        `update credit_note_line set net_minor = net_minor + 1 where position = (select min(position) from credit_note_line)`,
      ),
    ).toEqual([`credit-sums: credit_lines_differ ${note}`, `credit-content: credit_changed ${note}`]);
    expect(await foundAfter(`update credit_note set reason = 'quick'`)).toEqual([
      `credit-content: credit_changed ${note}`,
    ]);
    expect(
      await foundAfter(`update bill set credited_minor = credited_minor + 1 where number = '${paid}'`),
    ).toEqual([`credit-sums: credited_differs ${paid}`]);
    expect(await foundAfter(`delete from credit_series`)).toEqual([
      expect.stringMatching(/^numbers: series_end C-/),
    ]);
    expect(
      await foundAfter(`update ledger_transaction set kind = 'correction' where reference = '${noteId}'`),
    ).toEqual([`credits-booked: credit_not_booked ${noteId}`]);
    expect(await foundAfter(`delete from bill_void`)).toEqual([
      `credit-sums: void_differs ${wrong}`,
      `credits-booked: booking_without_void ${await one(`select id from bill where state = 'void'`)}`,
    ]);
  });

  it('I4: a missing number, one of another series, a series with a wrong end, and numbers out of order', async () => {
    expect(
      await foundAfter(`update bill_series set last_number = last_number + 1 where series = 'B-202409'`),
    ).toEqual(['numbers: series_end B-202409']);
    expect(await foundAfter(`update quote_series set last_number = last_number + 1`)).toEqual([
      expect.stringMatching(/^numbers: series_end Q-/),
    ]);
    expect(
      await foundAfter(`update bill set issued_at = issued_at + interval '1 hour' where ${oneBill}`),
    ).toEqual(['numbers: number_out_of_order B-202409-000002']);
    expect(
      await foundAfter(`update bill set sequence = 5 where sequence = 2 and series = 'B-202409'`),
    ).toEqual([
      'numbers: series_end B-202409',
      'numbers: number_missing B-202409-000002',
      expect.stringMatching(/^numbers: number_text bil_/),
    ]);
  });

  it('I3: a second valid bill of a month, a bill of an open month, and an organization that a close left out', async () => {
    const { organizationId } = books.customers[0];
    const found = await foundAfter(
      'drop index bill_standing',
      `update bill set month = '2024-09' where organization_id = '${organizationId}' and month = '2024-10'`,
    );
    expect(found).toContain(`one-bill-a-month: bill_twice ${organizationId} 2024-09 TWD`);
    expect(
      await foundAfter(
        `delete from month_closed where organization_id = '${organizationId}' and month = '2024-10'`,
      ),
    ).toEqual([
      `one-bill-a-month: bill_of_open_month B-202410-000001`,
      `months-closed: month_not_closed ${organizationId} 2024-10`,
    ]);
  });

  it('I7: a payment that is not booked, booked twice or differently; a bill paid twice; cash without a payment', async () => {
    const [payment, topUp, number] = [
      await one(`select id from payment where bill_id = '${await bill('id')}'`),
      await one(`select id from payment where bill_id is null and currency = 'TWD'`),
      await bill(),
    ];
    expect(await foundAfter(`update payment set state = 'failed' where id = '${payment}'`)).toEqual([
      `payments-booked: booking_without_payment ${payment}`,
      `bills-paid: paid_differs ${number}`,
    ]);
    expect(
      await foundAfter(
        `update ledger_entry set amount_minor = amount_minor + sign(amount_minor) where transaction_id = (select id from ledger_transaction where reference = '${topUp}')`,
        `update ledger_account a set balance_minor = (select sum(amount_minor) from ledger_entry where account_id = a.id)`,
      ),
    ).toEqual([`payments-booked: payment_booked_differently ${topUp}`, 'cash: cash_differs TWD']);
    expect(
      await foundAfter(
        `insert into payment select (jsonb_populate_record(p, '{"id":"pay_planted"}')).* from payment p where id = '${payment}'`,
      ),
    ).toEqual(['payments-booked: payment_not_booked pay_planted', `bills-paid: paid_differs ${number}`]);
    expect(
      await foundAfter(
        `insert into ledger_transaction (id, kind, reference, at) select 'ltx_again', 'top_up', reference, at from ledger_transaction where kind = 'payment' and reference = '${payment}'`,
        `insert into ledger_entry select 'ltx_again', position, account_id, currency, amount_minor from ledger_entry e join ledger_transaction t on t.id = e.transaction_id where t.kind = 'payment' and t.reference = '${payment}'`,
      ),
    ).toEqual(
      expect.arrayContaining([
        `payments-booked: booked_twice ${payment}`,
        `payments-booked: payment_booked_differently ${payment}`,
      ]),
    );
    expect(
      await foundAfter(
        `update bill set state = 'open', paid_at = null where state = 'paid' and total_minor > 0`,
      ),
    ).toEqual([expect.stringMatching(/^bills-paid: state_differs B-202409-/)]);
  });

  it('I7: a refund that is not in the ledger', async () => {
    const payment = await one(`select id from payment where bill_id is null and currency = 'TWD'`);
    expect(
      await foundAfter(
        `insert into payment_refund (id, payment_id, organization_id, state, amount_minor, currency, reason, origin, created_at, created_by, settled_at) select 'ref_planted', id, organization_id, 'succeeded', 1, currency, '', 'admin', now(), 'x', now() from payment where id = '${payment}'`,
      ),
    ).toEqual([
      `refunds: refunded_differs ${payment}`,
      'refunds: refund_not_booked ref_planted',
      'cash: cash_differs TWD',
    ]);
  });

  it('I6: an event that is lost, unknown or changed, and a month of events that is missing', async () => {
    const [sum, source] = [
      await sub('sum'),
      await one(`select id from usage_source where source = '/meters/${await sub('sum')}'`),
    ];
    expect(await foundAfter(`delete from usage_event where event_id = 'c1'`)).toEqual([
      `events: event_lost ${source} c1`,
      `usage-hours: hour_differs ${sum} 2024-09-02T15:00Z`,
    ]);
    expect(await foundAfter(`delete from usage_key where event_id = 'c1'`)).toEqual([
      `events: event_unknown ${source} c1`,
    ]);
    expect(await foundAfter(`update usage_event set value = 7 where event_id = 'c1'`)).toEqual([
      `events: event_changed ${source} c1`,
      `usage-hours: hour_differs ${sum} 2024-09-02T15:00Z`,
    ]);
    expect(
      (await foundAfter(`delete from usage_void where event_id = 'p2'`)).map((each) =>
        each.replace(/ .*/, ''),
      ),
    ).toEqual(expect.arrayContaining(['events:', 'usage-hours:']));
    expect(await foundAfter('drop table usage_event_202410')).toEqual(['events: month_vanished 2024-10']);
  });

  it('I6: an hour, day or month that does not equal its parts', async () => {
    const sum = await sub('sum');
    expect(
      await foundAfter(
        `update usage_hour set sum = sum + 1 where subscription_id = '${sum}' and hour = '2024-09-02T15:00Z'`,
      ),
    ).toEqual([
      `usage-hours: hour_differs ${sum} 2024-09-02T15:00Z`,
      `usage-days: day_differs ${sum} 2024-09-02`,
      `usage-months: month_differs ${sum} 2024-09`,
    ]);
    expect(
      await foundAfter(
        `update usage_day set last_value = 99 where subscription_id = '${sum}' and day = '2024-09-02'`,
      ),
    ).toEqual([`usage-days: day_differs ${sum} 2024-09-02`]);
    expect(await foundAfter(`delete from usage_distinct where value = 'two'`)).toEqual([
      `usage-months: different_values_differ ${await sub('unique_count')} 2024-09`,
    ]);
    const max = await sub('max');
    expect(await foundAfter(`update usage_month set max = 4 where subscription_id = '${max}'`)).toEqual([
      `usage-months: month_differs ${max} 2024-09`,
      `usage-billed: usage_charged_differently ${max} 2024-09`,
    ]);
  });

  it('I6: a bill that charged another quantity than was used', async () => {
    const latest = await sub('latest');
    expect(
      await foundAfter(
        `update bill_line set quantity = quantity + 1 where subscription_id = '${latest}' and kind = 'usage' and bill_id in (select id from bill where month = '2024-09')`,
      ),
    ).toEqual([
      expect.stringMatching(/^bill-content: content_changed B-202409-/),
      `usage-billed: usage_charged_differently ${latest} 2024-09`,
    ]);
  });

  it('I8: a message that was given up is a warning, not damage', async () => {
    const found = await foundAfter(
      `insert into outbox (kind, key, payload, created_at, due_at, parked_at, attempts) values ('mail', 'planted', '{}', now(), now(), now(), 12)`,
    );
    expect(found).toEqual([expect.stringMatching(/^messages: message_parked mail \d+$/)]);
  });

  it('I9: an audit row that was changed, deleted, or cut off from the end', async () => {
    const id = await one('select id from audit_log where seq = 3');
    expect(await foundAfter(`update audit_log set action = 'nothing.happened' where seq = 3`)).toEqual([
      `audit-chain: audit_changed 3 ${id}`,
    ]);
    expect(await foundAfter('delete from audit_log where seq = 3')).toEqual(['audit-chain: audit_missing 3']);
    // Two exchanged rows, and the row after them.
    expect(
      await foundAfter(
        'alter table audit_log drop constraint audit_log_seq_key',
        'update audit_log set seq = case seq when 3 then 4 else 3 end where seq in (3, 4)',
      ),
    ).toEqual([
      `audit-chain: audit_changed 3 ${await one('select id from audit_log where seq = 4')}`,
      `audit-chain: audit_changed 4 ${id}`,
      `audit-chain: audit_changed 5 ${await one('select id from audit_log where seq = 5')}`,
    ]);
    expect(await foundAfter('delete from audit_log where seq = (select max(seq) from audit_log)')).toEqual([
      expect.stringMatching(/^audit-chain: audit_end /),
    ]);
  });
});

describe('the checker as a process', () => {
  it('exits with 1 and names the damage, with 2 if it cannot run; for one organization it checks only that one’s books', async () => {
    const [{ organizationId: damaged }, { organizationId: other }] = books.customers;
    const change = (minor: number) =>
      client.query(
        `update ledger_account set balance_minor = balance_minor + ${minor} where id = 'receivable:${other}:USD'`,
      );
    await change(1);
    const [all, own] = [
      await verify(placeOf(books.console)),
      await verify(placeOf(books.console), '--json', '--organization', damaged),
    ];
    await change(-1);
    expect([all.code, own.code]).toEqual([1, 0]);
    expect(all.errorOutput).toContain(`FAIL I1 I5  account-balances`);
    expect(all.errorOutput).toContain(`balance_differs receivable:${other}:USD: expected`);
    expect(own.lines.flatMap((line) => (line.type === 'check' ? [line.id] : []))).not.toContain(
      'audit-chain',
    );
    const examined = (id: string) =>
      own.lines.flatMap((line) => (line.type === 'check' && line.id === id ? [line.examined] : []));
    expect([examined('bill-sums'), examined('payments-booked'), examined('usage-hours')]).toEqual([
      ['2'],
      ['2'],
      ['13'],
    ]);
    const blind = await Promise.all([
      verify({ ...placeOf(books.console), PGDATABASE: 'nowhere', DATABASE_URL: '' }),
      verify(placeOf(books.console), '--organization', 'org_nobody'),
      verify(placeOf(books.console), '--fast'),
    ]);
    expect(blind.map(({ code }) => code)).toEqual([2, 2, 2]);
  });

  it('writes nothing, because its transaction is read only', async () => {
    await client.query('begin isolation level repeatable read read only');
    try {
      const looked = await opened(client, null);
      for (const check of checks) expect((await check.run(looked)).found, check.id).toBe(0);
    } finally {
      await client.query('rollback');
    }
  });
});

describe('R-BILL-05: random histories', () => {
  const step = fc.oneof(
    fc.record({
      what: fc.constant('send' as const),
      meter: fc.nat(4),
      value: fc.integer({ min: 0, max: 4000 }),
      hour: fc.nat(600),
      isLate: fc.boolean(),
    }),
    fc.record({ what: fc.constant('take back' as const), which: fc.nat(20) }),
    fc.record({ what: fc.constant('top up' as const), minor: fc.integer({ min: 1, max: 5000 }) }),
    fc.record({ what: fc.constant('pay' as const), minor: fc.integer({ min: 1, max: 300 }) }),
  );
  const meters: readonly Parameters<TestBooks['subscribe']>[1][] = [
    { model: 'per_unit', currency: 'TWD', unitPrice: '0.37', baseFee: '99' },
    {
      model: 'graduated',
      currency: 'TWD',
      baseFee: '10',
      maximum: '500',
      tiers: [
        { upTo: '100', unitPrice: '1.005' },
        { upTo: null, unitPrice: '0.5' },
      ],
    },
    { model: 'per_unit', currency: 'TWD', unitPrice: '3' },
    { model: 'package', currency: 'TWD', packageSize: '7', packagePrice: '2.5', freeUnits: '3' },
    { model: 'per_unit', currency: 'TWD', unitPrice: '0.11' },
  ];
  const ways = ['sum', 'sum', 'max', 'count', 'latest'] as const;
  // The clock only moves forward, so each history has two months of its own.
  let month = 11;
  const named = (number: number): string =>
    `${2024 + Math.floor((number - 1) / 12)}-${String(((number - 1) % 12) + 1).padStart(2, '0')}`;

  it('the books are correct after any usage, corrections, top-ups and payments', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 2, maxLength: 7 }), { minLength: 2, maxLength: 2 }),
        async (months) => {
          await books.moveTo(`${named(month)}-05T00:00:00Z`);
          const customer = await books.customer(`Random${month}`);
          await books.moveTo(`${named(month)}-28T00:00:00Z`);
          const subscriptions = await Promise.all(
            ways.map((aggregation, index) => books.subscribe(customer, meters[index]!, { aggregation })),
          );
          const sent: { subscription: (typeof subscriptions)[number]; id: string }[] = [];
          for (const steps of months) {
            for (const [index, each] of steps.entries()) {
              if (each.what === 'send') {
                const one = { subscription: subscriptions[each.meter]!, id: `e${month}-${index}` };
                const inMonth = each.isLate ? month - 1 : month;
                await books.send(
                  one.subscription,
                  one.id,
                  (each.value / 100).toString(),
                  new Date(
                    Date.parse(`${named(inMonth)}-02T00:00:00Z`) + each.hour * 3_600_000,
                  ).toISOString(),
                );
                sent.push(one);
              } else if (each.what === 'take back') {
                const [one] = sent.splice(each.which % Math.max(1, sent.length), 1);
                if (one) await books.takeBack(one.subscription, one.id);
              } else if (each.what === 'top up') await books.topUp(customer, BigInt(each.minor), 'TWD');
              // Without a bill or money the payment is rejected, and the books stay correct.
              else await books.pay(customer, named(month - 1), BigInt(each.minor)).catch(() => undefined);
            }
            await books.close(named(month - 1));
            month++;
            await books.moveTo(`${named(month)}-28T00:00:00Z`);
          }
          await books.close(named(month - 1));
          expect(await foundAfter('select 1')).toEqual([]);
        },
      ),
      { numRuns: 3 },
    );
  });
});

it('a connection lost between two queries fails the next one, and ends no process', async () => {
  const lost = connection(placeOf(books.console));
  await lost.connect();
  const { rows } = await lost.query<{ pid: string }>('select pg_backend_pid() as pid');
  // Not events.once(), which would handle the error itself.
  const ended = new Promise((done) => lost.once('end', done));
  await client.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(lost.query('select 1')).rejects.toThrow(/not queryable|terminated/);
});

it('every finding of the checker has a text', () => {
  const folder = import.meta.dirname;
  const source = readdirSync(folder)
    .filter((name) => !name.includes('.test.'))
    .map((name) => readFileSync(resolve(folder, name), 'utf8'))
    .join('\n');
  const codes = [
    ...source.matchAll(
      /'([a-z_]+)' as code|union all select '([a-z_]+)'|add\(\{\s*code: '([a-z_]+)'|(?:missing|extra|differs): '([a-z_]+)'|then '((?:number|bill)_[a-z]+)'|differs\('([a-z_]+)'/g,
    ),
  ].flatMap((match) => match.slice(1).filter((code) => code !== undefined));
  const notes = [...source.matchAll(/\{\s*code: '([a-z_]+)',\s*count/g)].map((match) => match[1]!);
  const reasons = [...source.matchAll(/then '([a-z_]+)'\n/g)].map((match) => `uncompared_${match[1]}`);
  const missing = [
    ...checks.map(({ id }) => `check_${id.replaceAll('-', '_')}`),
    ...codes.filter((code) => code !== 'bill_void').map((code) => `finding_${code}`),
    ...notes.map((code) => `note_${code}`),
    ...reasons.map((code) => `note_${code}`),
  ].filter((key) => !(`books.${key}` in enUS));
  expect([codes.length > 45, notes.length > 6, reasons.length > 8]).toEqual([true, true, true]);
  expect(missing).toEqual([]);
});
