// A rehearsal: compares what every customer of a service was charged for closed months with what a new price
// would have charged.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { hourMs } from '#kernel/durations.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isMonthOver } from '#features/invoicing/billing/rules.ts';
import { graceHours } from '#features/invoicing/billing/server/index.ts';
import {
  billableIn,
  eventsDeletedUntil,
  isCountable,
  loadMonths,
  uncountedMeters,
  type LoadedMonths,
} from '#features/metering/usage/server/index.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { priceKey, pricesFor } from '#features/selling/catalogue/server/index.ts';
import {
  linesOf,
  withoutSteps,
  type BillableSubscription,
  type PlanPrice,
} from '#features/selling/subscriptions/rules.ts';
import { subscriptionsByIds, type Offers } from '#features/selling/subscriptions/server/index.ts';
import type { Warning, warningCodes } from '../contract.ts';
import {
  addTo,
  costOf,
  newTally,
  summaryOf,
  withListPrice,
  type Cost,
  type Summary,
  type Tally,
} from '../rules.ts';
import { validatedRehearsal, type RehearsalInput } from './rehearsal-input.ts';
import { countSubscribers, subscribersAfter, type Place } from './store.ts';

/** The result of a rehearsal, for the response and for the export. */
export type Rehearsed = {
  readonly service: Service;
  readonly months: readonly BillingMonth[];
  readonly subscriptions: number;
  readonly names: ReadonlyMap<string, string>;
  readonly summary: Summary;
  readonly warnings: readonly Warning[];
};

const chunkSize = 500;
/**
 * After this many prices (a few milliseconds), the rehearsal yields to the event loop so that other requests
 * are served.
 */
const pricesATurn = 50;

/** Prices every subscription of a service twice, chunk by chunk. Changes nothing. */
export async function rehearse(ctx: Ctx, input: RehearsalInput): Promise<Rehearsed> {
  const { service, months } = await validatedRehearsal(ctx, input);
  const listed = await pricesFor(ctx.db, [{ serviceId: service.id, organizationId: '' }]);
  const listVersions = new Set(
    listed
      .get(priceKey({ serviceId: service.id, organizationId: '' }))
      ?.map((version) => version.id as string),
  );
  const rehearsal: Rehearsal = {
    ctx,
    service,
    pricing: input.pricing,
    isListed: (price) => listVersions.has(price.id),
    graceMs: (await ctx.setting(graceHours)) * hourMs,
    ...(await beginningMeters(ctx, service, input.pricing)),
    tally: newTally(months),
    seen: new Set(),
    warned: new Map(),
  };
  const names = new Map<string, string>();
  const total = await countSubscribers(ctx, service.id);
  let done = 0;
  for (let after: Place = null; ;) {
    const chunk = await subscribersAfter(ctx, service.id, after, chunkSize);
    const last = chunk.at(-1);
    if (!last) break;
    after = last;
    for (const { organizationId, name } of chunk) names.set(organizationId, name);
    const subscriptions = await subscriptionsByIds(
      ctx.db,
      chunk.map((row) => row.subscriptionId),
    );
    const billed = await loadMonths(ctx, subscriptions, months);
    const changed = { ...billed, offers: withNewPrice(billed.offers, rehearsal) };
    for (const index of months.keys()) await rehearseMonth(rehearsal, billed, changed, index);
    done += chunk.length;
    if (total > chunkSize) await publishProgress(ctx, service.id, done, total);
  }
  return {
    service,
    months,
    subscriptions: rehearsal.seen.size,
    names,
    summary: summaryOf(rehearsal.tally),
    warnings: [...rehearsal.warned].map(([code, count]) => ({ code, count })),
  };
}

type Rehearsal = {
  readonly ctx: Ctx;
  readonly service: Service;
  readonly pricing: Pricing;
  readonly isListed: (price: PlanPrice) => boolean;
  readonly graceMs: number;
  /**
   * The time before which usage of meters that start with the price cannot be computed; null if there are
   * none, or if all events are stored.
   */
  readonly eventsSince: Date | null;
  /** Whether a meter that starts with the price is an average level. */
  readonly hasNewLevel: boolean;
  readonly tally: Tally;
  readonly seen: Set<string>;
  readonly warned: Map<(typeof warningCodes)[number], number>;
};

/** Determines what cannot be computed for the meters that start with a price. */
async function beginningMeters(
  ctx: Ctx,
  service: Service,
  pricing: Pricing,
): Promise<Pick<Rehearsal, 'eventsSince' | 'hasNewLevel'>> {
  const meters = await uncountedMeters(ctx, service, pricing);
  return {
    eventsSince: meters.length === 0 ? null : await eventsDeletedUntil(ctx),
    hasNewLevel: !meters.every(isCountable),
  };
}

/** Returns the offers as if the new price had always been the list price. */
function withNewPrice(offers: Offers, { service, isListed, pricing }: Rehearsal): Offers {
  const known = new Map<string, ReturnType<Offers['plan']>>();
  return {
    ...offers,
    plan: (serviceId, organizationId) => {
      if (serviceId !== service.id) return offers.plan(serviceId, organizationId);
      const existing = known.get(organizationId);
      if (existing) return existing;
      const plan = offers.plan(serviceId, organizationId);
      const made = { ...plan, prices: withListPrice(plan.prices, isListed, pricing) };
      known.set(organizationId, made);
      return made;
    },
  };
}

async function rehearseMonth(
  rehearsal: Rehearsal,
  before: LoadedMonths,
  after: LoadedMonths,
  index: number,
): Promise<void> {
  const { ctx, service, pricing, isListed, tally, seen, warned } = rehearsal;
  const month = required(tally.months[index], 'a month of the rehearsal');
  const warn = (code: (typeof warningCodes)[number]): Map<string, number> =>
    warned.set(code, (warned.get(code) ?? 0) + 1);
  const zones = new Map(
    before.metered.map(({ subscription }) => [subscription.id as string, subscription.timeZone]),
  );
  const billed = await billableIn(ctx, before, month);
  await nextTurn();
  const changed = new Map(
    [...(await billableIn(ctx, after, month)).values()].flat().map((each) => [each.subscriptionId, each]),
  );
  await nextTurn();
  let priced = 0;
  for (const [organizationId, list] of billed) {
    for (const subscription of list) {
      // For a subscription that was on several plans, only the time on this plan counts.
      const times = subscription.times.filter((time) => time.plan.id === service.id);
      const zone = zones.get(subscription.subscriptionId) ?? 'UTC';
      if (times.length === 0 || !isMonthOver(month, zone, ctx.now)) continue;
      if (times.some((time) => time.price.pricing.currency !== pricing.currency)) {
        warn('other_currency');
        continue;
      }
      if (times.some(({ price }) => !isListed(price) && !price.agreed)) warn('agreed_price');
      if (rehearsal.eventsSince && monthPeriod(month, zone).start < rehearsal.eventsSince)
        warn('events_gone');
      if (rehearsal.hasNewLevel) warn('levels_unknown');
      if (monthPeriod(month, zone).end.getTime() + rehearsal.graceMs > ctx.now.getTime()) warn('late_usage');
      const costIn = (one: BillableSubscription): Cost =>
        costOf(linesOf(one, month, zone, withoutSteps).filter((line) => line.serviceId === service.id));
      addTo(
        tally,
        organizationId,
        index,
        costIn(subscription),
        costIn(required(changed.get(subscription.subscriptionId), 'the same subscription')),
      );
      seen.add(subscription.subscriptionId);
      priced++;
      if (priced % pricesATurn === 0) await nextTurn();
    }
  }
}

/** Publishes the progress to the user who started the rehearsal. */
async function publishProgress(ctx: Ctx, serviceId: string, done: number, total: number): Promise<void> {
  const { userId } = person(ctx);
  await unitOfWork(ctx.app, { actor: ctx.actor, requestId: ctx.requestId }, async (unit) =>
    unit.publish('system/billing', { kind: 'rehearsal', userId, serviceId, done, total }),
  );
}
