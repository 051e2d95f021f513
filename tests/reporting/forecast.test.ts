// The forecast on a real database: recurring revenue of current subscriptions, computed by hand, compared
// with the later bills (issue 30).
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthNumber } from '#kernel/time.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import { pageOfForecast } from '#features/reporting/metrics/server/store-forecast.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  at,
  close,
  customer,
  db,
  fee,
  moveTo,
  september,
  startBilling,
  use,
  type Customer,
} from '../support/corrections.ts';
import { isLong } from '../support/fault-rounds.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const asAdmin = () => ({ token: at.admin });
const monthsOn = (count: number): BillingMonth => addMonths(september, count);
/** Ten past midnight in Taipei on the first day after a month, when it can be closed. */
const endOf = (count: number): string => `${monthsOn(count + 1)}-01T00:10:00Z`;
const forecast = () => at.console.ok(metrics.forecast, { currency: 'TWD' }, asAdmin());
const plan = () => runFeatureJob(at.console.app, 'metrics.plan');
const closeNext = async (count: number): Promise<void> => {
  await moveTo(endOf(count));
  await close(monthsOn(count));
  await runFeatureJob(at.console.app, 'metrics.refresh');
};
describe('T-FORECAST: the months after the last closed one', () => {
  let steady: Customer, leaving: Customer, yearly: Customer;

  beforeAll(async () => {
    await startBilling();
    await stopRepeating(at.console.app);
    steady = await customer(fee('1000'));
    leaving = await customer(fee('500'));
    yearly = await customer({
      model: 'rate_card',
      currency: 'TWD',
      charges: [
        {
          key: 'licence',
          name: { zhTW: '授權', enUS: 'Licence' },
          kind: 'recurring',
          model: 'flat',
          amount: '36500',
          cycle: 'year',
          anchor: 'anniversary',
        },
      ],
    });
  });

  it('T-FORECAST: are hidden until there are six closed months, and until recurring revenue is planned', async () => {
    for (let month = 0; month < 5; month++) {
      await moveTo(`${monthsOn(month)}-20T00:00:00Z`);
      await use(steady, `u${month}`, '40', `${monthsOn(month)}-10T00:00:00Z`);
      await closeNext(month);
    }
    await plan();
    const early = await forecast();
    expect([early.knownMonths, early.neededMonths, early.months]).toEqual([5, 6, []]);
    await moveTo(`${monthsOn(5)}-20T00:00:00Z`);
    await use(steady, 'u5', '40', `${monthsOn(5)}-10T00:00:00Z`);
    await closeNext(5);
    const unplanned = await forecast();
    expect([unplanned.knownMonths, unplanned.workedOutAt, unplanned.months]).toEqual([6, null, []]);
  });

  it('T-FORECAST: include known ends and new prices, and already billed fees by their months', async () => {
    await plan();
    const before = await forecast();
    // 1000, 500, and of the yearly fee 36500 / 12 = 3041: March, April and May 2025. Usage is 40 each month.
    expect(before.months.map((one) => [one.recurring, one.usage, one.total].map(moneyText))).toEqual([
      ['4541', '40', '4581'],
      ['4541', '40', '4581'],
      ['4541', '40', '4581'],
    ]);
    // Each month opens to its customers, who add up to it, and a customer to its fees.
    const april = required(before.months[1], 'a month');
    const {
      items: behind,
      since,
      until,
    } = await at.console.ok(metrics.forecastCustomers, { currency: 'TWD', month: april.month }, asAdmin());
    expect([since, until]).toEqual([monthsOn(4), monthsOn(5)]);
    expect(
      behind.map((one) => [
        one.organization,
        ...[one.recurring, one.usage, one.used, one.total].map(moneyText),
      ]),
    ).toEqual([
      ['C3', '3041', '0', '0', '3041'],
      ['C1', '1000', '40', '80', '1040'],
      ['C2', '500', '0', '0', '500'],
    ]);
    const linesOf = async (one: Customer) =>
      at.console.ok(
        metrics.forecastLines,
        { currency: 'TWD', month: april.month, organizationId: one.organizationId },
        asAdmin(),
      );
    const ofSteady = await linesOf(steady);
    expect(ofSteady.fees.map(({ bill, billMonth, amount }) => [bill, billMonth, moneyText(amount)])).toEqual([
      [null, april.month, '1000'],
    ]);
    expect(ofSteady.used.map(({ month, amount }) => [month, moneyText(amount)])).toEqual([
      [monthsOn(4), '40'],
      [monthsOn(5), '40'],
    ]);
    // The yearly fee is already billed: its part of April is on September’s bill.
    const [ofYear] = (await linesOf(yearly)).fees;
    expect([ofYear?.billMonth, ofYear?.bill === null, ofYear && moneyText(ofYear.amount)]).toEqual([
      september,
      false,
      '3041',
    ]);
    await at.console.ok(
      subscriptions.cancel,
      { subscriptionId: required(leaving.subscriptionIds[0], 'a subscription'), when: 'end' },
      { token: leaving.token },
    );
    expect(yearly.subscriptionIds.length).toBe(1);
    const { items } = await at.console.ok(
      subscriptions.adminListSubscriptions,
      { organizationId: steady.organizationId },
      asAdmin(),
    );
    await at.console.ok(
      catalogue.updateService,
      {
        serviceId: required(items[0], 'a subscription').service.id,
        pricing: fee('1200'),
        effectiveFrom: new Date('2025-04-30T16:00:00Z'),
      },
      asAdmin(),
    );
    // The next bill is 10% less, and only that one.
    const { id } = await at.console.ok(
      discounts.createDiscount,
      {
        name: { zhTW: '九折', enUS: '10% off' },
        reduction: { kind: 'percent', percent: '10' },
        duration: { kind: 'once' },
      },
      asAdmin(),
    );
    await at.console.ok(
      discounts.giveDiscount,
      { discountId: id, organizationId: steady.organizationId },
      asAdmin(),
    );
    // Within five minutes nothing is planned again.
    await plan();
    expect((await forecast()).months).toEqual(before.months);
    at.console.clock.set(new Date('2025-03-01T00:16:00Z'));
    await plan();
    expect((await forecast()).months.map(({ recurring }) => moneyText(recurring))).toEqual([
      // 900, 500 and 3041; 1000 and 3041; 1200 and 3041.
      '4441',
      '4041',
      '4241',
    ]);
  });

  it('T-FORECAST: equal the bills of those months', async () => {
    const { months } = await forecast();
    for (const [place, planned] of months.entries()) {
      await closeNext(6 + place);
      const { months: real } = await at.console.ok(
        metrics.summary,
        { currency: 'TWD', months: 1 },
        asAdmin(),
      );
      expect([real[0]?.month, moneyText(required(real[0], 'a month').recurring)]).toEqual([
        planned.month,
        moneyText(planned.recurring),
      ]);
    }
  });

  it('T-FORECAST: have nothing after the end of a year that ends early, like the bills', async () => {
    await at.console.ok(
      subscriptions.cancel,
      { subscriptionId: required(yearly.subscriptionIds[0], 'a subscription'), when: 'end' },
      { token: yearly.token },
    );
    await plan();
    const { months } = await forecast();
    // July and August are returned on June’s bill, 62 of 365 days, 6200: they had 3041 and 3049. June is 3041
    // - 6200 + 6090 and 1200.
    expect(months.map(({ month, recurring }) => `${month} ${moneyText(recurring)}`)).toEqual([
      '2025-06 4131',
      '2025-07 1200',
      '2025-08 1200',
    ]);
    for (const [place, planned] of months.entries()) {
      await closeNext(9 + place);
      const { months: real } = await at.console.ok(
        metrics.summary,
        { currency: 'TWD', months: 1 },
        asAdmin(),
      );
      expect(moneyText(required(real[0], 'a month').recurring)).toBe(moneyText(planned.recurring));
    }
  });

  it('T-FORECAST: are exported as CSV with the figures of the page', async () => {
    await plan();
    const { months } = await forecast();
    const answer = await at.console.ok(
      metrics.export,
      { report: 'forecast', currency: 'TWD', format: 'csv', language: 'enUS' },
      asAdmin(),
    );
    const [first] = months;
    const rows = new TextDecoder()
      .decode(answer.body as Uint8Array)
      .trim()
      .split('\r\n');
    expect(rows[0]).toBe('Month,MRR,Usage,Forecast,Low,High,Currency');
    expect(rows[1]).toBe(
      [
        first?.month,
        ...[first?.recurring, first?.usage, first?.total, first?.low, first?.high].map((one) =>
          moneyText(required(one, 'a figure')),
        ),
        'TWD',
      ].join(','),
    );
    expect(rows.length).toBe(4);
  });

  it('T-FORECAST: divide expected usage into whole units that add up, whatever was used', async () => {
    const ids = [steady, leaving, yearly].map(({ organizationId }) => organizationId);
    const no = monthNumber('2030-01' as BillingMonth);
    const divided = async (usage: bigint, weights: readonly bigint[]): Promise<bigint[]> => {
      await sql`delete from metric_revenue where currency = 'JPY'`.execute(db());
      await sql`insert into metric_revenue (organization_id, currency, month_no, recurring_minor, usage_minor, once_minor)
        select id, 'JPY', ${no - 1}, 0, weight, 0 from unnest(${ids}::text[], ${[...weights]}::bigint[]) as w (id, weight)`.execute(
        db(),
      );
      const { items } = await unitOfWork(
        at.console.app,
        { actor: { kind: 'system', name: 'test' }, mode: 'read' },
        (ctx) =>
          pageOfForecast(ctx, { currency: 'JPY', no, since: no - 1, until: no - 1, usage }, { limit: 10 }),
      );
      return ids.map((id) => items.find((one) => one.organizationId === id)?.usage.minor ?? 0n);
    };
    expect((await divided(100n, [1n, 1n, 1n])).toSorted()).toEqual([33n, 33n, 34n]);
    expect(await divided(10n, [5n, 3n, -2n])).toEqual([6n, 4n, 0n]);
    const weight = fc.bigInt({ min: 0n, max: 10n ** 12n });
    await fc.assert(
      fc.asyncProperty(weight, fc.tuple(weight, weight, weight), async (usage, weights) => {
        const parts = await divided(usage, weights);
        const whole = weights.reduce((sum, one) => sum + one, 0n);
        expect(parts.reduce((sum, one) => sum + one, 0n)).toBe(whole === 0n ? 0n : usage);
        for (const [index, part] of parts.entries()) {
          const exact = whole === 0n ? 0n : (usage * required(weights[index], 'a weight')) / whole;
          expect(part === exact || part === exact + 1n).toBe(true);
        }
      }),
      { numRuns: isLong ? 25 : 12 },
    );
    await sql`delete from metric_revenue where currency = 'JPY'`.execute(db());
  });
});
