// Business metrics on real bills: movements computed by hand, sums that are the ledger's, and SQL that says what the rules say (issue 30).
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { metrics, movementKinds, type MetricMonth } from '#features/reporting/metrics/contract.ts';
import { monthNumber, movementsOf } from '#features/reporting/metrics/rules.ts';
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
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const december = '2024-12' as BillingMonth;
const asAdmin = () => ({ token: at.admin });
const refresh = () => runFeatureJob(at.console.app, 'metrics.refresh');
const day = (text: string) => text as LocalDay;

/** A service of a price, and a subscription of a customer that begins at a moment. */
async function subscribe(one: Customer, pricing: Pricing, from: string): Promise<Id<'sub'>> {
  const service = await at.console.ok(
    catalogue.createService,
    { name: `More ${from} ${one.email} ${pricing.model}`, type: 'API', category: 'Own', pricing, meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' } },
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
  at.console.ok(
    subscriptions.cancel,
    { subscriptionId, when: 'now' },
    { token: one.token },
  );

async function shown(months = 4): Promise<Awaited<ReturnType<typeof readSummary>>> {
  await refresh();
  return readSummary(months);
}
const readSummary = (months: number) => at.console.ok(metrics.summary, { currency: 'TWD', months }, asAdmin());
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
  const flat: Pricing = { model: 'flat', currency: 'TWD', amount: '300' } as never;
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

  it('opening, movements and closing are those computed by hand, with yearly fees spread by days', async () => {
    void flat;
    const { months, lastMonth, runningMonth, isUpdating, proof } = await shown();
    expect([lastMonth, runningMonth, isUpdating]).toEqual(['2024-12', '2025-01', false]);
    expect(months.map(lineOf)).toMatchInlineSnapshot(`
      [
        "0 | new 4700 (4) | 4700 | 40 | 0",
        "4700 | expansion 350 (2), churn -500 (1) | 4550 | 0 | 0",
        "4550 | contraction -100 (1) | 4450 | 0 | 0",
        "4450 | reactivation 600 (1), expansion 100 (1) | 5150 | 0 | 0",
      ]
    `);
    expect(proof?.isEqual).toBe(true);
  });
});
