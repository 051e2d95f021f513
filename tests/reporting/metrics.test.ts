// Business metrics on real bills: hand-computed movements, totals that equal the ledger, and SQL that equals
// the rules (issue 30).
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { monthNumber } from '#kernel/time.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { metrics, movementKinds, type MetricMonth } from '#features/reporting/metrics/contract.ts';
import { movementsOf } from '#features/reporting/metrics/rules.ts';
import { rebuildMetrics } from '#features/reporting/metrics/server/index.ts';
import { storeSums } from '#features/reporting/metrics/server/store-refresh.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
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
  use,
  type Customer,
} from '../support/corrections.ts';
import { placeOf } from '../support/books.ts';
import { isLong } from '../support/fault-rounds.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { checks } from '../../verify/checks.ts';
import { connection, opened } from '../../verify/connection.ts';

const december = '2024-12' as BillingMonth;
const asAdmin = () => ({ token: at.admin });
const refresh = () => runFeatureJob(at.console.app, 'metrics.refresh');
/** Of C1 on the first of January 2025. */
const aged = [['1050', '1050', '945', '592', '0']];

/** A service with a price, and a customer’s subscription that begins at a given time. */
async function subscribe(one: Customer, pricing: Pricing, from: string): Promise<Id<'sub'>> {
  const service = await at.console.ok(
    catalogue.createService,
    {
      name: `More ${from} ${one.email} ${pricing.model}`,
      type: 'API',
      category: 'Own',
      pricing,
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    asAdmin(),
  );
  const made = await at.console.ok(
    subscriptions.adminSubscribe,
    { organizationId: one.organizationId, serviceId: service.id, startedAt: new Date(from) },
    asAdmin(),
  );
  return made.id;
}
const cancel = (one: Customer, subscriptionId: Id<'sub'>) =>
  at.console.ok(subscriptions.cancel, { subscriptionId, when: 'now' }, { token: one.token });

async function shown(months = 4): Promise<Awaited<ReturnType<typeof readSummary>>> {
  await refresh();
  return readSummary(months);
}
const readSummary = (months: number) =>
  at.console.ok(metrics.summary, { currency: 'TWD', months }, asAdmin());
const text = (amount: Money | null): string => (amount ? moneyText(amount) : '-');
/** "opening | new 100 (1) … | closing | usage | once". */
const lineOf = (one: MetricMonth): string =>
  [
    text(one.opening),
    one.movements
      .filter(({ amount }) => amount.minor !== 0n)
      .map(({ kind, amount, customers }) => `${kind} ${text(amount)} (${customers})`)
      .join(', '),
    text(one.recurring),
    text(one.usage),
    text(one.once),
  ].join(' | ');

describe('T-MET: metrics of a small history', () => {
  let steady: Customer, leaving: Customer, growing: Customer, yearly: Customer;
  const ofYear: Charge = {
    key: 'licence',
    name: { zhTW: '授權', enUS: 'Licence' },
    kind: 'recurring',
    model: 'flat',
    amount: '36500',
    cycle: 'year',
    anchor: 'anniversary',
  };

  beforeAll(async () => {
    await startBilling();
    await stopRepeating(at.console.app);
    steady = await customer(fee('1000'));
    leaving = await customer(fee('500'));
    growing = await customer(fee('200'));
    yearly = await customer({ model: 'rate_card', currency: 'TWD', charges: [ofYear] });
    await moveTo('2024-09-20T00:00:00Z');
    await use(steady, 'u1', '40', '2024-09-10T00:00:00Z');
    await moveTo('2024-10-01T00:10:00Z');
    await close(september);
    await subscribe(growing, fee('250'), '2024-09-30T16:00:00Z');
    await cancel(leaving, required(leaving.subscriptionIds[0], 'a subscription'));
    await moveTo('2024-11-01T00:10:00Z');
    await close(october);
    await moveTo('2024-12-01T00:10:00Z');
    await close(november);
    await subscribe(leaving, fee('600'), '2024-11-30T16:00:00Z');
    await moveTo('2025-01-01T00:10:00Z');
    await close(december);
  });
  afterEach(expectSoundBooks);

  it('opening, movements and closing equal hand-computed ones, with yearly fees in equal months', async () => {
    const { months, lastMonth, runningMonth, isUpdating, proof } = await shown();
    expect([lastMonth, runningMonth, isUpdating]).toEqual(['2024-12', '2025-01', false]);
    // The yearly fee is 36500 / 12: 3041 a month, and 3049 in the last. With 1000, 500 and 200 they are 4741.
    expect(months.map(lineOf)).toEqual([
      '0 | new 4741 (4) | 4741 | 40 | 0',
      '4741 | expansion 250 (1), churn -500 (1) | 4491 | 0 | 0',
      '4491 |  | 4491 | 0 | 0',
      '4491 | reactivation 600 (1) | 5091 | 0 | 0',
    ]);
    expect(
      months.map(({ netRetention, revenueChurn, customerChurn, average, customers }) => [
        netRetention,
        revenueChurn,
        customerChurn,
        text(average),
        customers,
      ]),
    ).toEqual([
      [null, null, null, '1185', 4],
      // 4491 / 4741, and 500 / 4741.
      ['94.7', '10.5', '25.0', '1497', 3],
      ['100.0', '0.0', '0.0', '1497', 3],
      ['100.0', '0.0', '0.0', '1273', 4],
    ]);
    // All bills together: past months, and the eight future months of the yearly fee.
    expect(proof && [moneyText(proof.here), moneyText(proof.ledger), proof.isEqual]).toEqual([
      '43190',
      '43190',
      true,
    ]);
  });

  it('a movement opens to its customers, and a customer to its lines, which add up to the figure', async () => {
    const page = await at.console.ok(
      metrics.movements,
      { currency: 'TWD', month: october, limit: 1 },
      asAdmin(),
    );
    expect(
      page.items.map(({ organization, kind, change }) => [organization, kind, moneyText(change)]),
    ).toEqual([['C2', 'churn', '-500']]);
    const rest = await at.console.ok(
      metrics.movements,
      { currency: 'TWD', month: october, limit: 1, cursor: required(page.nextCursor, 'a next page') },
      asAdmin(),
    );
    expect([
      page.total,
      ...rest.items.map(({ organization, kind, change }) => `${organization} ${kind} ${moneyText(change)}`),
    ]).toEqual([2, 'C3 expansion 250']);
    const { items } = await at.console.ok(
      metrics.lines,
      { currency: 'TWD', month: october, organizationId: yearly.organizationId },
      asAdmin(),
    );
    expect(items.map(({ billMonth, part, amount }) => [billMonth, part, moneyText(amount)])).toEqual([
      ['2024-09', 'recurring', '3041'],
    ]);
    const { concentration, whole } = await at.console.ok(
      metrics.customers,
      { currency: 'TWD', month: september },
      asAdmin(),
    );
    expect([moneyText(whole), ...concentration.map(({ percent }) => percent)]).toEqual([
      '4781',
      '63.6',
      '100.0',
      '100.0',
    ]);
  });

  it('cohorts keep customers and revenue of their first month, including customers who return', async () => {
    const { items } = await at.console.ok(metrics.cohorts, { currency: 'TWD' }, asAdmin());
    expect(items.map(({ month, customers, amount }) => [month, customers, moneyText(amount)])).toEqual([
      ['2024-09', 4, '4741'],
    ]);
    expect(
      items[0]?.kept.map(({ customersPercent, amountPercent }) => `${customersPercent} ${amountPercent}`),
    ).toEqual(['100.0 100.0', '75.0 94.7', '75.0 94.7', '100.0 107.4']);
  });

  it('a credit note lowers the month of its bill, and a voided bill is in no month', async () => {
    await credit(await billOf(steady, october), net(100));
    expect((await readSummary(4)).isUpdating).toBe(true);
    expect((await shown()).months.map(lineOf).slice(1, 3)).toEqual([
      '4741 | expansion 250 (1), contraction -100 (1), churn -500 (1) | 4391 | 0 | 0',
      '4391 | expansion 100 (1) | 4491 | 0 | 0',
    ]);
    const bill = await billOf(growing, november);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'Wrong' }, asAdmin());
    const { months, proof } = await shown();
    expect(months.map(lineOf).slice(2)).toEqual([
      '4391 | expansion 100 (1), churn -450 (1) | 4041 | 0 | 0',
      '4041 | reactivation 1050 (2) | 5091 | 0 | 0',
    ]);
    expect(proof?.isEqual).toBe(true);
    await unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, rebuildMetrics);
    expect((await shown()).months).toEqual(months);
  });

  it('receivables of any day equal the ledger, by how overdue each bill was', async () => {
    await topUp(steady, twd(2000));
    const first = await billOf(steady, september);
    await pay(steady, first, twd(500));
    for (const day of ['2024-09-30', '2024-10-05', '2024-11-20', '2024-12-31', '2025-01-01'] as LocalDay[]) {
      const { totals, proof, items } = await at.console.ok(
        metrics.receivables,
        { currency: 'TWD', day },
        asAdmin(),
      );
      const { total, ...buckets } = totals;
      expect(
        Object.values(buckets).reduce((sum, { minor }) => sum + minor, 0n),
        day,
      ).toBe(total.minor);
      expect(
        items.reduce((sum, one) => sum + one.total.minor, 0n),
        day,
      ).toBe(total.minor);
      expect([proof.isEqual, proof.ledger.minor > 0n], day).toEqual([true, day !== '2024-09-30']);
    }
    const { items } = await at.console.ok(metrics.receivables, { currency: 'TWD', q: 'C1' }, asAdmin());
    // Bills of September to November are overdue, that of December is not; 500 of the first are paid, 105 of
    // the second are credited.
    expect(items.map((one) => [one.current, one.d30, one.d60, one.d90, one.older].map(moneyText))).toEqual(
      aged,
    );
  });

  it('cash and tax of a period equal the ledger’s movements, and are zero for a period without any', async () => {
    const time = { currency: 'TWD', from: '2024-09-01', to: '2025-01-01' } as {
      currency: 'TWD';
      from: LocalDay;
      to: LocalDay;
    };
    const cash = await at.console.ok(metrics.receipts, time, asAdmin());
    expect(
      cash.items.map(({ method, kind, count, amount }) => [method, kind, count, moneyText(amount)]),
    ).toEqual([['manual', 'received', 1, '2000']]);
    expect(cash.proof.isEqual).toBe(true);
    const tax = await at.console.ok(metrics.taxes, time, asAdmin());
    expect(
      tax.items.map(({ rate, creditedNet, creditedTax }) => [
        rate,
        moneyText(creditedNet),
        moneyText(creditedTax),
      ]),
    ).toEqual([['5', '550', '28']]);
    expect([tax.proof.isEqual, tax.proof.here.minor > 0n]).toEqual([true, true]);
    await runFeatureJob(at.console.app, 'billing.recognizeRevenue');
    const { items: months, proof } = await at.console.ok(metrics.revenue, time, asAdmin());
    // Bills are issued after their month. The yearly fee is 36500, of which 3041 are September's; what is October's to December's is recognized
    // together, because the job runs here for the first time. 100 of October are credited, and a bill of 450 of November is void.
    expect(
      months.map(({ month, billed, deferred, released, credited, total }) => [
        month,
        ...[billed, deferred, released, credited, total].map(moneyText),
      ]),
    ).toEqual([
      ['2024-10', '38240', '-33459', '0', '0', '4781'],
      ['2024-11', '1450', '0', '0', '0', '1450'],
      ['2024-12', '1450', '0', '0', '0', '1450'],
      ['2025-01', '2050', '0', '9123', '-550', '10623'],
    ]);
    expect(proof.isEqual).toBe(true);
    const before = await at.console.ok(metrics.taxes, { ...time, to: '2024-09-01' as LocalDay }, asAdmin());
    expect([before.items, before.proof.isEqual]).toEqual([[], true]);
    const reversed = await at.console.call(
      metrics.receipts,
      { ...time, from: '2025-02-01' as LocalDay },
      asAdmin(),
    );
    expect(reversed.envelope.code).toBe('metrics.range_reversed');
  });

  it('every report is exported as CSV with the figures of the page', async () => {
    const csv = async (asked: object): Promise<string[]> => {
      const answer = await at.console.ok(
        metrics.export,
        { currency: 'TWD', format: 'csv', language: 'enUS', ...asked } as never,
        asAdmin(),
      );
      return new TextDecoder()
        .decode(answer.body as Uint8Array)
        .trim()
        .split('\r\n');
    };
    expect((await csv({ report: 'movements', month: october })).slice(0, 2)).toEqual([
      'Customer,Kind,Opening MRR,MRR,Change,Currency',
      'C2,Churn,500,0,-500,TWD',
    ]);
    expect((await csv({ report: 'months' })).length).toBe(5);
    expect((await csv({ report: 'cohorts' })).length).toBe(5);
    expect((await csv({ report: 'customers', month: september })).length).toBe(5);
    expect((await csv({ report: 'receipts', from: '2024-09-01', to: '2025-01-01' }))[1]).toBe(
      '2025-01-01,Top-up by transfer,Received,1,2000,0,TWD',
    );
    expect((await csv({ report: 'revenue', from: '2024-09-01', to: '2025-01-01' }))[1]).toBe(
      '2024-10,38240,0,-33459,0,0,0,4781,TWD',
    );
    expect((await csv({ report: 'taxes', from: '2024-09-01', to: '2025-01-01' })).length).toBe(2);
    expect((await csv({ report: 'receivables' })).length).toBeGreaterThan(2);
    const without = await at.console.call(
      metrics.export,
      { currency: 'TWD', format: 'csv', report: 'movements' },
      asAdmin(),
    );
    expect(without.envelope.code).toBe('metrics.month_missing');
  });

  it('verify finds nothing, and reports movements, months or bills that do not add up', async () => {
    await refresh();
    const client = connection(placeOf(at.console));
    await client.connect();
    const found = async (damage?: string): Promise<string[]> => {
      await client.query('begin');
      if (damage !== undefined) await client.query(damage);
      const looked = await required(
        checks.find(({ id }) => id === 'metrics'),
        'the check',
      ).run(await opened(client, null));
      await client.query('rollback');
      return [...new Set(looked.findings.map(({ code }) => code))].toSorted();
    };
    expect(await found()).toEqual([]);
    expect(await found("update metric_movement set minor = minor + 1 where kind = 'churn'")).toEqual([
      'metrics_movements_differ',
    ]);
    expect(await found('update metric_month set usage_minor = usage_minor + 1')).toEqual([
      'metrics_month_differs',
    ]);
    expect(await found('update metric_revenue set usage_minor = usage_minor + 1')).toEqual([
      'metrics_bills_differ',
      'metrics_ledger_differs',
      'metrics_month_differs',
    ]);
    await client.end();
  });
});

describe('T-MET: the database classifies customers like the rules', () => {
  it('for random histories, and after one month of them has changed', async () => {
    await startBilling();
    await stopRepeating(at.console.app);
    const amount = fc.oneof(
      fc.constant(0n),
      fc.constantFrom(100n, 250n),
      fc.bigInt({ min: -50n, max: 1000n }),
    );
    const length = 6;
    const first = monthNumber(september);
    const store = (histories: readonly (readonly bigint[])[], places: readonly number[]) =>
      unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
        const numbers = places.map((place) => first + place);
        const rows = histories.flatMap((history, customer) =>
          places.map((place) => ({
            no: first + place,
            id: `org_${customer}`,
            minor: required(history[place], 'an amount'),
          })),
        );
        await sql`delete from metric_revenue where month_no = any(${numbers}::int[])`.execute(ctx.db);
        await sql`insert into metric_revenue select 'TWD', *, 0, 0 from unnest(${rows.map(({ no }) => no)}::int[], ${rows.map(({ id }) => id)}::text[], ${rows.map(({ minor }) => minor)}::bigint[])`.execute(
          ctx.db,
        );
        await storeSums(ctx, numbers);
      });
    const expectSame = async (histories: readonly (readonly bigint[])[]) => {
      const { rows } = await sql<{ no: number; kind: string; customers: number; minor: string }>`
        select month_no as no, kind, customers, minor from metric_movement where month_no < ${first + length}`.execute(
        db(),
      );
      const expected = movementsOf(histories).flatMap(({ movements }, place) =>
        movementKinds
          .filter((kind) => movements[kind].customers > 0)
          .map((kind) => ({
            no: first + place,
            kind,
            customers: movements[kind].customers,
            minor: String(movements[kind].minor),
          })),
      );
      const inOrder = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
      expect(inOrder(rows)).toEqual(inOrder(expected));
      const { rows: cohorts } = await sql<{ first: number; no: number; customers: number; minor: string }>`
        select first_no as first, month_no as no, customers, minor from metric_cohort`.execute(db());
      const { rows: anew } = await sql<{ first: number; no: number; customers: number; minor: string }>`
        with begun as (select organization_id, min(month_no) as first from metric_revenue where recurring_minor > 0 group by 1)
        select first, month_no as no, count(*) filter (where recurring_minor > 0)::int as customers, sum(recurring_minor) as minor from metric_revenue join begun using (organization_id) where month_no >= first and recurring_minor <> 0 group by 1, 2`.execute(
        db(),
      );
      expect(inOrder(cohorts)).toEqual(inOrder(anew));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ history: fc.array(amount, { minLength: length, maxLength: length }), changed: amount }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.nat(length - 1),
        async (customers, place) => {
          // The more numerous customers of the previous run are gone.
          await sql`delete from metric_revenue`.execute(db());
          const histories = customers.map(({ history }) => history);
          await store(histories, [0, 1, 2, 3, 4, 5]);
          await expectSame(histories);
          const later = customers.map(({ history, changed }) => history.with(place, changed));
          await store(later, [place]);
          await expectSame(later);
        },
      ),
      { numRuns: isLong ? 40 : 20 },
    );
  });
});
