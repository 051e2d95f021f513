// Fees that are billed in advance for more than a month, on real bills: deferred at issue, recognized month
// by month, credited, voided, raced, with the independent checker after each step (R-BILL-05, decisions 0070
// and 0127).
import type pg from 'pg';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOfNumber } from '#kernel/time.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { insertParts } from '#features/invoicing/billing/server/index.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { jobs } from '#app/jobs.ts';
import { runFeatureJob } from '../support/jobs.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  november,
  october,
  september,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';
import { foundIn } from '../../verify/test-damage.ts';
import { checkerOf } from '../../verify/test-found.ts';

/**
 * From the first of September, a year at a time: 3041 per month, and 3049 in the last, which includes the
 * rounding remainder; 100 per day for 365 days.
 */
const ofYear: Charge = {
  key: 'licence',
  name: { zhTW: '授權', enUS: 'Licence' },
  kind: 'recurring',
  model: 'flat',
  amount: '36500',
  cycle: 'year',
  anchor: 'anniversary',
};
const ofMonth: Charge = { ...ofYear, key: 'support', cycle: 'month', amount: '50', anchor: 'calendar' };
const card: Pricing = { model: 'rate_card', currency: 'TWD', charges: [ofYear, ofMonth] };
let client: pg.Client;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
});
afterEach(() => expectVerified(client));

const asAdmin = () => ({ token: at.admin });
/** The balances of an organization's accounts, or of the platform's. */
async function accounts(one: Customer | null): Promise<Record<string, string>> {
  const { rows } = await sql<{ kind: string; minor: string }>`
    select kind, balance_minor::text as minor from ledger_account where organization_id is not distinct from ${one?.organizationId ?? null}::text and balance_minor <> 0`.execute(
    db(),
  );
  return Object.fromEntries(rows.map(({ kind, minor }) => [kind, minor]));
}
const deferredOf = async (one: Customer): Promise<number> =>
  0 - Number((await accounts(one))['deferred_revenue'] ?? 0);
/** One run of the hourly job. */
const recognize = async (): Promise<void> => {
  const job = jobs.find(({ name }) => name === 'billing.recognizeRevenue');
  await job?.run(at.console.app, {} as never, new AbortController().signal);
};
/** The recognized revenue of a customer so far, by month. */
async function earned(one: Customer): Promise<string[]> {
  const { rows } = await sql<{ month: string; minor: bigint }>`
    select month, minor from revenue_recognition where organization_id = ${one.organizationId} order by month, id`.execute(
    db(),
  );
  return rows.map(({ month, minor }) => `${month} ${minor}`);
}
/** A customer’s recurring revenue by month, according to the metrics. */
async function revenueOf(one: Customer): Promise<Record<string, number>> {
  await runFeatureJob(at.console.app, 'metrics.refresh');
  const { rows } = await sql<{ no: number; minor: string }>`
    select month_no as no, recurring_minor::text as minor from metric_revenue where organization_id = ${one.organizationId} and recurring_minor <> 0 order by month_no`.execute(
    db(),
  );
  return Object.fromEntries(rows.map(({ no, minor }) => [monthOfNumber(no), Number(minor)]));
}
const shown = (bill: BillDetail): string =>
  `${bill.lines.map(({ total }) => moneyText(total)).join(' ')} = ${moneyText(bill.net)} + ${moneyText(bill.tax)}`;

/** Gives a customer a discount of this percentage on its next bill. */
async function discountOnce({ organizationId }: Customer, percent: string): Promise<void> {
  const { id } = await at.console.ok(
    discounts.createDiscount,
    {
      name: { zhTW: `減 ${percent}%`, enUS: `${percent}% off` },
      scope: null,
      reduction: { kind: 'percent', percent },
      duration: { kind: 'once' },
    } as never,
    asAdmin(),
  );
  await at.console.ok(discounts.giveDiscount, { discountId: id, organizationId }, asAdmin());
}

describe('T-DEFER: a yearly fee billed in advance', () => {
  let plain: Customer, reduced: Customer, prepaid: Customer, monthly: Customer;

  beforeAll(async () => {
    plain = await customer(card);
    reduced = await customer(card);
    prepaid = await customer(card);
    monthly = await customer(fee('1000'));
    await moveTo('2024-09-20T00:00:00Z');
    await discountOnce(reduced, '20');
    await topUp(prepaid, twd(50_000));
    const give = (kind: 'paid' | 'promotional', minor: number) =>
      at.console.ok(
        creditgrants.giveGrant,
        {
          organizationId: prepaid.organizationId,
          kind,
          name: { zhTW: '額度', enUS: 'Credit' },
          amount: twd(minor),
        },
        asAdmin(),
      );
    await give('paid', 40_000);
    await give('promotional', 3655);
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
  });

  it('is revenue for the bill’s month, and deferred for the eleven others', async () => {
    expect(shown(await billOf(plain))).toBe('36500 50 = 36550 + 1828');
    expect(await accounts(plain)).toEqual({ receivable: '38378', deferred_revenue: '-33459' });
    expect(await accounts(monthly)).toEqual({ receivable: '1050' });
  });

  it('is deferred net of discounts and promotional credit; prepaid credit does not change it', async () => {
    // 20 % of 36550 are 7310, of which the yearly fee bears 7300: 29200 are left, 2433 a month.
    expect(shown(await billOf(reduced))).toBe('36500 50 -7310 = 29240 + 1462');
    expect(await deferredOf(reduced)).toBe(26_767);
    // Promotional credit paid 3650 of the fee: 32850 are left, 2737 per month; 34540 of the prepaid credit of
    // 40000 paid the bill.
    expect(shown(await billOf(prepaid))).toBe('36500 50 -3655 = 32895 + 1645');
    expect(await deferredOf(prepaid)).toBe(30_113 + 40_000 - 34_540);
  });

  it('is recognized only after each month, once even by twenty concurrent jobs', async () => {
    await recognize();
    expect(await earned(plain)).toEqual([]);
    const before = Number((await accounts(null))['revenue']);
    await moveTo('2024-11-05T00:00:00Z');
    await Promise.all(Array.from({ length: 20 }, recognize));
    expect([await earned(plain), await earned(reduced), await earned(prepaid)]).toEqual([
      ['2024-10 3041'],
      ['2024-10 2433'],
      ['2024-10 2737'],
    ]);
    expect(await deferredOf(plain)).toBe(30_418);
    expect(Number((await accounts(null))['revenue']) - before).toBe(-3041 - 2433 - 2737);
    await recognize();
    expect(await earned(plain)).toEqual(['2024-10 3041']);
  });

  it('is listed for accountants by month, in the account, and line by line as a file', async () => {
    const { items } = await at.console.ok(books.deferredRevenue, {}, asAdmin());
    const [twdOnly] = items;
    expect(items).toHaveLength(1);
    expect(twdOnly?.months.slice(0, 2)).toEqual([
      { month: '2024-11', amount: twd(3041 + 2433 + 2737) },
      { month: '2024-12', amount: twd(3041 + 2433 + 2737) },
    ]);
    expect(twdOnly?.credit).toEqual(twd(40_000 - 34_540));
    const { items: sums } = await at.console.ok(books.trialBalance, {}, asAdmin());
    expect(sums.find(({ kind }) => kind === 'deferred_revenue')?.credit).toEqual(twdOnly?.total);
    expect(twdOnly?.ledger).toEqual(twdOnly?.total);
    const statement = await at.console.ok(
      books.accountStatement,
      { accountId: `deferred_revenue:${plain.organizationId}:TWD` },
      asAdmin(),
    );
    expect(statement.items.map(({ kind }) => kind)).toEqual(['bill', 'recognition']);
    const { body } = await at.console.ok(
      books.exportDeferredRevenue,
      { format: 'csv', language: 'enUS' },
      asAdmin(),
    );
    const lines = Buffer.from(body as Uint8Array)
      .toString('utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(1 + 3 * 11);
    expect(lines[1]).toMatch(/^2024-10,C1,B-202409-\d+,1,S1-0,2024-09,TWD,3041,Bill,2024-11-05T/);
  });

  it('is not charged again in that time, and the next bills defer nothing', async () => {
    await close(october);
    expect(shown(await billOf(plain, october))).toBe('50 = 50 + 3');
    expect(await deferredOf(plain)).toBe(30_418);
  });

  it('is reduced by a credit note in deferred months first, the latest first', async () => {
    const bill = await billOf(plain);
    const preview = await at.console.ok(
      credits.previewCredit,
      { billId: bill.id, what: { kind: 'lines', lines: [{ lineId: '1', net: twd(10_000) }] } },
      asAdmin(),
    );
    expect(preview.entries.map(({ accountKind, debit }) => [accountKind, debit?.minor])).toContainEqual([
      'deferred_revenue',
      10_000n,
    ]);
    expect(preview.entries.some(({ accountKind }) => accountKind === 'revenue')).toBe(false);
    const first = await credit(bill, { kind: 'lines', lines: [{ lineId: '1', net: twd(10_000) }] });
    expect(first.status).toBe(201);
    expect(await deferredOf(plain)).toBe(20_418);
    // July, June and August are reversed, and 869 of May.
    const { rows } = await sql<{ month: string; minor: bigint }>`
      select month, minor from revenue_schedule where bill_id = ${bill.id} and source <> '' order by month`.execute(
      db(),
    );
    expect(rows.map(({ month, minor }) => `${month} ${minor}`)).toEqual([
      '2025-05 -869',
      '2025-06 -3041',
      '2025-07 -3041',
      '2025-08 -3049',
    ]);
    // More than is left of later months: the rest was revenue.
    await credit(bill, { kind: 'lines', lines: [{ lineId: '1', net: twd(21_000) }] });
    expect(await deferredOf(plain)).toBe(0);
    await moveTo('2024-12-05T00:00:00Z');
    await recognize();
    expect(await earned(plain)).toEqual(['2024-10 3041', '2024-11 0']);
  });

  it('is reversed completely by a void, including recognized revenue; nothing is recognized later', async () => {
    const bill = await billOf(reduced);
    const before = Number((await accounts(null))['revenue']);
    expect(await earned(reduced)).toEqual(['2024-10 2433', '2024-11 2433']);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await deferredOf(reduced)).toBe(0);
    // Booked as revenue in the end: 36550 with the bill, less 26767 that was deferred, of which 4866 were earned.
    expect(Number((await accounts(null))['revenue']) - before).toBe(36_550 - 26_767 + 4866);
    await moveTo('2025-01-05T00:00:00Z');
    await recognize();
    expect(await earned(reduced)).toEqual(['2024-10 2433', '2024-11 2433', '2024-12 0']);
  });

  it('is deferred again by a replacement bill, whose past months are recognized by the next run', async () => {
    const before = await deferredOf(prepaid);
    const bill = await billOf(prepaid);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    const again = await billOf(prepaid);
    expect(shown(again)).toBe(shown(bill));
    await recognize();
    expect(await deferredOf(prepaid)).toBe(before);
    // October to December of the second bill are recognized immediately; the void reversed those of the
    // first.
    expect(await earned(prepaid)).toEqual([
      '2024-10 2737',
      '2024-10 2737',
      '2024-11 2737',
      '2024-11 2737',
      '2024-12 2737',
      '2024-12 2737',
    ]);
  });
});

describe('T-DEFER: a service that ends within its paid period', () => {
  it('returns the later months from deferred revenue, not from revenue', async () => {
    const one = await customer(card);
    const [subscriptionId] = one.subscriptionIds;
    if (!subscriptionId) throw new Error('no subscription');
    await moveTo('2025-10-05T00:00:00Z');
    await close('2025-09' as BillingMonth);
    const bill = await billOf(one, '2025-09' as BillingMonth);
    expect(shown(bill)).toBe('36500 50 = 36550 + 1828');
    expect(await deferredOf(one)).toBe(33_459);
    await moveTo('2025-11-20T00:00:00Z');
    await recognize();
    expect(await deferredOf(one)).toBe(30_418);
    await at.console.ok(subscriptions.cancel, { subscriptionId, when: 'now' } as never, {
      token: one.token,
    });
    await moveTo('2025-12-05T00:00:00Z');
    await close('2025-10' as BillingMonth);
    await close(november.replace('2024', '2025') as BillingMonth);
    await recognize();
    const last = await billOf(one, '2025-11' as BillingMonth);
    // From the 20th on, 285 days, are returned. December to August had 27377 deferred: the rest is taken from
    // November. Support has 19 of 30 days.
    expect(last.lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`)).toContain('credit -28500');
    expect(await deferredOf(one)).toBe(0);
    expect((await earned(one)).at(-1)).toBe('2025-11 3041');
    expect(await revenueOf(one)).toMatchObject({
      '2025-10': 3041 + 50,
      '2025-11': 3041 - 28_500 + 27_377 + 32,
    });
    expect(Object.keys(await revenueOf(one)).at(-1)).toBe('2025-11');
  });
});

describe('T-DEFER: a bill whose later months were returned by another bill', () => {
  it('is voided without reversing them a second time', async () => {
    const one = await customer(card);
    await moveTo('2026-10-05T00:00:00Z');
    await close('2026-09' as BillingMonth);
    await moveTo('2026-11-20T00:00:00Z');
    await recognize();
    for (const subscriptionId of one.subscriptionIds)
      await at.console.ok(subscriptions.cancel, { subscriptionId, when: 'now' } as never, {
        token: one.token,
      });
    await moveTo('2026-12-05T00:00:00Z');
    await close('2026-10' as BillingMonth);
    await close('2026-11' as BillingMonth);
    // November is over and not recognized yet; December to August were returned.
    expect(await deferredOf(one)).toBe(3041);
    const bill = await billOf(one, '2026-09' as BillingMonth);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await deferredOf(one)).toBe(0);
    await moveTo('2027-10-05T00:00:00Z');
    await recognize();
    expect(await deferredOf(one)).toBe(0);
    // October’s 3041 stay recognized in October’s books; the void reversed them.
    expect(await earned(one)).toContain('2026-10 3041');
  });
});

describe('T-DEFER: cost and checks', () => {
  it('a bill without such a line writes nothing', async () => {
    let executed = 0;
    const kysely = at.console.app.database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        executed++;
        return result;
      },
    });
    const app = { ...at.console.app, database: { ...at.console.app.database, kysely } };
    await unitOfWork(app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
      const before = executed;
      await insertParts(ctx, [{ billId: 'b', organizationId: 'o', currency: 'TWD', source: '', parts: [] }]);
      expect(executed).toBe(before);
    });
  });

  it('I5: the checker finds a part that was recognized twice, too early, or never', async () => {
    const one = await customer(card);
    await moveTo('2027-10-05T00:00:00Z');
    await close('2027-09' as BillingMonth);
    const bill = await billOf(one, '2027-09' as BillingMonth);
    const found = async (statement: string) =>
      [
        ...new Set((await foundIn(client, [statement])).map((each) => each.split(' ').slice(0, 2).join(' '))),
      ].toSorted();
    expect(
      await found(
        `update revenue_schedule set minor = minor + 1 where bill_id = '${bill.id}' and month = '2027-12'`,
      ),
    ).toEqual(['bills-booked: bill_booked_differently', 'credit-accounts: credit_account_differs']);
    expect(
      await found(
        `insert into revenue_recognition select 'rev_planted', organization_id, 'TWD', '2027-10', 3041, '2027-10-05' from bill where id = '${bill.id}'`,
      ),
    ).toEqual([
      'revenue-recognitions: recognition_differs',
      'revenue-recognitions: recognition_not_booked',
      'revenue-recognitions: recognition_too_early',
    ]);
    expect(
      await found(
        `update revenue_schedule set minor = minor * 3 where bill_id = '${bill.id}' and source = ''`,
      ),
    ).toContain('revenue-schedule: schedule_above_line');
    expect(
      await found(
        `insert into revenue_schedule select bill_id, position, month, 'void', organization_id, currency, -minor - 1 from revenue_schedule where bill_id = '${bill.id}' and month = '2027-12'`,
      ),
    ).toContain('revenue-schedule: schedule_taken_twice');
  });
});

describe('T-DEFER: concurrency', () => {
  it('ten jobs, a void, a credit note and a reissue at once recognize or reverse each part once', async () => {
    const [voided, credited, again] = [await customer(card), await customer(card), await customer(card)];
    const of = '2028-09' as BillingMonth;
    await moveTo('2028-10-05T00:00:00Z');
    await close(of);
    const [first, second, third] = [
      await billOf(voided, of),
      await billOf(credited, of),
      await billOf(again, of),
    ];
    await moveTo('2029-03-05T00:00:00Z');
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => recognize().then(() => 200)),
      at.console
        .call(credits.voidBill, { billId: first.id, reason: 'wrong' }, asAdmin())
        .then(({ status }) => status),
      credit(second, { kind: 'lines', lines: [{ lineId: '1', net: twd(20_000) }] }).then(
        ({ status }) => status,
      ),
      at.console
        .call(credits.reissueBill, { billId: third.id, reason: 'again' }, asAdmin())
        .then(({ status }) => status),
    ]);
    expect(answers.filter((status) => status >= 400)).toEqual([]);
    await recognize();
    expect(await deferredOf(voided)).toBe(0);
    // March to August, in any order.
    expect(await deferredOf(again)).toBe(5 * 3041 + 3049);
    // Of the deferred amount 20000 were reversed, the latest months first; the rest is over and recognized.
    expect(await deferredOf(credited)).toBe(0);
  });
});

describe('T-DEFER: 12,000 a year are 1,000 a month, and ends, pauses and changes move the rest', () => {
  const licence: Charge = { ...ofYear, amount: '12000' };
  const cardOf = (charge: Charge): Pricing => ({ model: 'rate_card', currency: 'TWD', charges: [charge] });
  const named = {} as Record<'even' | 'ended' | 'endedOnFirst' | 'undivided' | 'paused' | 'grown', Customer>;
  const subscriptionOf = (one: Customer) => {
    const [id] = one.subscriptionIds;
    if (!id) throw new Error('no subscription');
    return id;
  };
  const months = (from: string, count: number): BillingMonth[] =>
    Array.from({ length: count }, (_, place) => addMonths(from as BillingMonth, place));
  const thousandUntil = (last: string): Record<string, number> =>
    Object.fromEntries(months('2029-09', 12).flatMap((month) => (month <= last ? [[month, 1000]] : [])));
  const endNow = (one: Customer) =>
    at.console.ok(
      subscriptions.cancel,
      { subscriptionId: subscriptionOf(one), when: 'now' },
      { token: one.token },
    );

  it('each month has 1,000', async () => {
    for (const name of ['even', 'ended', 'endedOnFirst', 'paused'] as const)
      named[name] = await customer(cardOf(licence));
    named.undivided = await customer(cardOf({ ...licence, prorate: 'none' }));
    named.grown = await customer(
      cardOf({
        key: 'seats',
        name: licence.name,
        kind: 'recurring',
        model: 'per_unit',
        unitPrice: '12000',
        cycle: 'year',
        anchor: 'anniversary',
      }),
    );
    await moveTo('2029-10-05T00:00:00Z');
    await close('2029-09' as BillingMonth);
    for (const one of Object.values(named)) {
      expect(await deferredOf(one)).toBe(11_000);
      expect(await revenueOf(one)).toEqual(thousandUntil('2030-08'));
    }
  });

  it('nothing is deferred past an end, with or without a refund', async () => {
    await moveTo('2030-01-16T04:00:00Z');
    await endNow(named.ended);
    await endNow(named.undivided);
    await at.console.ok(
      subscriptions.change,
      { subscriptionId: subscriptionOf(named.grown), quantities: { seats: '2' } },
      { token: named.grown.token },
    );
    await at.console.ok(
      subscriptions.stop,
      {
        subscriptionId: subscriptionOf(named.paused),
        at: new Date('2030-01-31T16:00:00Z'),
        resumeAt: new Date('2030-03-31T16:00:00Z'),
      },
      { token: named.paused.token },
    );
    await moveTo('2030-02-01T04:00:00Z');
    await endNow(named.endedOnFirst);
    await moveTo('2030-04-05T00:00:00Z');
    for (const month of months('2029-10', 6)) await close(month);
    await recognize();
    expect([await deferredOf(named.ended), await deferredOf(named.undivided)]).toEqual([0, 0]);
    // From the 16th of January, 228 of 365 days of 12,000 are returned, 7,496; February to August had 7,000.
    expect(await revenueOf(named.ended)).toEqual({
      ...thousandUntil('2029-12'),
      '2030-01': 1000 - 7496 + 7000,
    });
    // Nothing is returned: January has the amounts of February to August.
    expect(await revenueOf(named.undivided)).toEqual({ ...thousandUntil('2029-12'), '2030-01': 8000 });
    // From the 1st of February 212 days are returned, 6,970; February had 1,000, and March to August 6,000:
    // the difference stays.
    expect(await deferredOf(named.endedOnFirst)).toBe(0);
    expect(await revenueOf(named.endedOnFirst)).toEqual({
      ...thousandUntil('2030-01'),
      '2030-02': 1000 - 6970 + 6000,
    });
  });

  it('a paused month has no revenue, and the last month takes the difference of what the pause returns', async () => {
    // 28 of 365 days are 921, 31 are 1,019: of the two months 2,000 there are 60 left.
    const { '2030-02': _february, '2030-03': _march, ...served } = thousandUntil('2030-08');
    expect(await revenueOf(named.paused)).toEqual({ ...served, '2030-08': 1060 });
    expect(await deferredOf(named.paused)).toBe(4000 + 1060);
  });

  it('a change releases the old fee and defers the new one', async () => {
    // 228 days of one are returned, 7,496, and of two charged, 14,992: 16/31 and seven months, 1,994 per
    // month and 1,029 in January.
    const seven = Object.fromEntries(months('2030-02', 6).map((month) => [month, 1994]));
    expect(await revenueOf(named.grown)).toEqual({
      ...thousandUntil('2029-12'),
      '2030-01': 1000 - 7496 + 7000 + 1029,
      ...seven,
      '2030-08': 14_992 - 1029 - 6 * 1994,
    });
    expect(await deferredOf(named.grown)).toBe(14_992 - 1029 - 2 * 1994);
  });

  it('a voided bill takes back what it released, and its replacement releases it again', async () => {
    const bill = await billOf(named.ended, '2030-01' as BillingMonth);
    const before = await revenueOf(named.ended);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    // February and March are over and were recognized as zero; April to August exist again.
    expect(await deferredOf(named.ended)).toBe(5000);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    await recognize();
    expect(await deferredOf(named.ended)).toBe(0);
    const now = await revenueOf(named.ended);
    const sum = (of: Record<string, number>) => Object.values(of).reduce((so, minor) => so + minor, 0);
    expect(sum(now)).toBe(sum(before));
    expect(Object.keys(now).filter((month) => month > '2030-03')).toEqual([]);
  });

  it('the reissued bill of the whole year defers nothing past the end', async () => {
    const bill = await billOf(named.undivided, '2029-09' as BillingMonth);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    await recognize();
    expect(await deferredOf(named.undivided)).toBe(0);
    expect(await revenueOf(named.undivided)).toEqual({ ...thousandUntil('2029-12'), '2030-01': 8000 });
  });

  it('the file shows what moved because a subscription ended', async () => {
    const { body } = await at.console.ok(
      books.exportDeferredRevenue,
      { format: 'csv', language: 'enUS' },
      asAdmin(),
    );
    const lines = Buffer.from(body as Uint8Array)
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => line.includes('Subscription ended'));
    expect(lines.some((line) => /^2030-01,.*,7000,Subscription ended,2030-04-05T/.test(line))).toBe(true);
  });

  it('a void returns more than the bill if that released more than it returned', async () => {
    const one = await customer(cardOf(licence));
    await moveTo('2030-10-05T00:00:00Z');
    await close('2030-09' as BillingMonth);
    await moveTo('2030-11-20T04:00:00Z');
    await endNow(one);
    await discountOnce(one, '50');
    await moveTo('2030-12-05T00:00:00Z');
    await close('2030-10' as BillingMonth);
    await close('2030-11' as BillingMonth);
    // 285 of 365 days are 9,370, of which a discount takes half; December to August had 9,000. October and
    // November are not recognized yet.
    const bill = await billOf(one, '2030-11' as BillingMonth);
    expect(shown(bill).split(' = ')[0]).toBe('-9370 4685');
    expect(await deferredOf(one)).toBe(2000);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await deferredOf(one)).toBe(11_000);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    expect(await deferredOf(one)).toBe(2000);
    await recognize();
    expect(await revenueOf(one)).toEqual({
      '2030-09': 1000,
      '2030-10': 1000,
      '2030-11': 1000 - 4685 + 9000,
    });
  });

  it('a reissued or voided bill keeps what a later change replaced', async () => {
    const seats: Charge = {
      key: 'seats',
      name: licence.name,
      kind: 'recurring',
      model: 'per_unit',
      unitPrice: '10',
      cycle: 'month',
    };
    const one = await customer({ model: 'rate_card', currency: 'TWD', charges: [licence, seats] });
    const of = '2031-09' as BillingMonth;
    await moveTo('2031-10-05T00:00:00Z');
    await close(of);
    await moveTo('2032-01-16T04:00:00Z');
    await at.console.ok(
      subscriptions.change,
      { subscriptionId: subscriptionOf(one), quantities: { seats: '2' } },
      { token: one.token },
    );
    await moveTo('2032-02-05T00:00:00Z');
    for (const month of months('2031-10', 4)) await close(month);
    await recognize();
    // The year to August 2032 has 366 days: 229 of them are 7,508, returned and charged; in 16/31 and seven
    // months, 998 per month and 515 in January, with 1,000 + 7,000 - 7,508.
    const before = await revenueOf(one);
    expect(before).toMatchObject({
      '2031-12': 1010,
      '2032-01': 1000 - 7508 + 7000 + 515 + 10 + 5,
      '2032-02': 998,
      '2032-08': 7508 - 515 - 6 * 998,
    });
    const left = 7508 - 515;
    expect(await deferredOf(one)).toBe(left);
    await at.console.ok(
      credits.reissueBill,
      { billId: (await billOf(one, of)).id, reason: 'again' },
      asAdmin(),
    );
    await recognize();
    expect(await deferredOf(one)).toBe(left);
    expect(await revenueOf(one)).toEqual(before);
    await expectVerified(client);
    // Voided alone, none of it is left to take; its replacement has what the change returned of it.
    const bill = await billOf(one, of);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await deferredOf(one)).toBe(left);
    await expectVerified(client);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    await recognize();
    expect(await deferredOf(one)).toBe(left);
    expect(await revenueOf(one)).toEqual(before);
  });

  it('the reissued bill of the whole year after an end with a refund defers nothing past the end', async () => {
    const before = await revenueOf(named.endedOnFirst);
    const bill = await billOf(named.endedOnFirst, '2029-09' as BillingMonth);
    await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    await recognize();
    expect(await deferredOf(named.endedOnFirst)).toBe(0);
    expect(await revenueOf(named.endedOnFirst)).toEqual(before);
  });

  it('I5: the checker finds deferred revenue past an end, and movements that do not add up', async () => {
    const id = subscriptionOf(named.undivided);
    const found = async (statement: string) =>
      (await foundIn(client, [statement])).map((each) => each.split(' ').slice(0, 2).join(' '));
    const of = `from bill_line l where l.subscription_id = '${id}' and s.bill_id = l.bill_id and s.position = l.position`;
    expect(
      await found(
        `update revenue_schedule s set minor = minor + 1 ${of} and s.source = 'ended' and s.month = '2030-08'`,
      ),
    ).toEqual(expect.arrayContaining(['revenue-schedule: schedule_moved_wrong']));
    const open = subscriptionOf(named.even);
    expect(
      await found(`update subscription set ends_at = '2030-01-16T04:00:00Z' where id = '${open}'`),
    ).toEqual(expect.arrayContaining(['revenue-after-end: schedule_after_end']));
  });
});

it('the database keeps the month of each part, and allows it to be recognized once', async () => {
  await expect(client.query(`update revenue_schedule set minor = 1`)).rejects.toThrow('is fixed');
  await expect(
    client.query(`update revenue_schedule set recognition_id = null where recognition_id is not null`),
  ).rejects.toThrow('is fixed');
  await expect(client.query(`delete from revenue_schedule`)).rejects.toThrow();
});
