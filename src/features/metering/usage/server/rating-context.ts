// The data needed to authorize and rate events: their subscriptions and services, and the time since which
// raw events are kept.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { isServedAt } from '#features/selling/subscriptions/rules.ts';
import {
  addOnsOf,
  offersFor,
  servicesOf,
  subscriptionsByIds,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { cachedReads } from '#platform/server/database/cached-reads.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isRejection } from '../rules.ts';
import { partsByMonth } from '../rules-rates.ts';
import { hasOwnMeterOnly, ownKey, type StreamMeter } from '../rules-streams.ts';
import type { ParsedCall } from './incoming-events.ts';
import { joinMeters, metersOf } from './meters-of-services.ts';
import { coverKey, pairsWithCredit } from './store-credit-cover.ts';
import { monthsLeft } from './months-left.ts';
import { eventRetentionMonths, retainedSince } from './partitions.ts';

/**
 * The target that an event is recorded for. `meters` are those of every past, current and future service of
 * the subscription. `partsOf` returns its months by price, and is missing if no price depends on an event.
 * `addOns` also count the subscription's events, each while it runs.
 */
export type MeteredTarget = {
  readonly subscription: SubscriptionRow;
  readonly service: Service;
  readonly meters: readonly StreamMeter[];
  readonly partsOf?: ReturnType<typeof partsByMonth>;
  readonly addOns: readonly MeteredTarget[];
  /** Whether the service requires prepaid credit and none is left. */
  readonly isStopped: boolean;
};
/** By subscription id, including add-ons; unknown ids are left out. */
export type Targets = ReadonlyMap<string, MeteredTarget>;
/**
 * `retainedSince` is the time before which raw events leave the database; null if all are kept. `monthsLeft`
 * have left it already.
 */
export type RatingContext = {
  readonly targets: Targets;
  readonly retainedSince: Date | null;
  readonly monthsLeft: ReadonlySet<BillingMonth>;
};

/** Returns the subscriptions that the events of some calls name. */
export const subscriptionIdsIn = (calls: readonly ParsedCall[]): readonly string[] => [
  ...new Set(
    calls.flatMap(({ events }) =>
      events.flatMap((event) => (isRejection(event) ? [] : event.subscriptionId)),
    ),
  ),
];

const actor = { kind: 'system', name: 'metering' } as const;

// Cached because metering reads these many times a second and they hardly ever change.
const cachedTargets = cachedReads((app, ids) =>
  unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const targets = await targetsOf(ctx, ids);
    return ids.map((id) => targets.get(id));
  }),
);
const cachedRetention = cachedReads((app, keys) =>
  unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const retention = await readRetention(ctx);
    return keys.map(() => retention);
  }),
);

const readRetention = async (ctx: Ctx) => ({
  months: await ctx.setting(eventRetentionMonths),
  monthsLeft: new Set(await ctx.setting(monthsLeft)),
});

/**
 * Returns the rating context as of at most 100 ms ago, but never older than the last change this process
 * made.
 */
export async function cachedRatingContext(app: App, ids: readonly string[]): Promise<RatingContext> {
  const targets = cachedTargets(app);
  const [found, { months, monthsLeft: left }] = await Promise.all([
    Promise.all(ids.map((id) => targets.load(id))),
    cachedRetention(app).load(eventRetentionMonths.key),
  ]);
  return {
    targets: byId(found.flatMap((target) => target ?? [])),
    retainedSince: retainedSince(months, app.clock.now()),
    monthsLeft: left,
  };
}

/** Returns the current rating context, read in the caller's transaction. */
export async function readRatingContext(ctx: Ctx, ids: readonly string[]): Promise<RatingContext> {
  const { months, monthsLeft: left } = await readRetention(ctx);
  return {
    targets: await targetsOf(ctx, ids),
    retainedSince: retainedSince(months, ctx.now),
    monthsLeft: left,
  };
}

const byId = (targets: readonly MeteredTarget[]): Targets =>
  new Map(
    targets.flatMap((target) => [target, ...target.addOns]).map((target) => [target.subscription.id, target]),
  );

/** Returns the targets that count an event at a time: its subscription, and the add-ons that ran then. */
export const targetsAt = (target: MeteredTarget, time: Date): readonly MeteredTarget[] =>
  target.addOns.length === 0
    ? [target]
    : [target, ...target.addOns.filter(({ subscription }) => isServedAt(subscription, time))];

/** Returns the meters of a subscription and of all its add-ons, past and current. */
export const metersWithAddOns = ({ meters, addOns }: MeteredTarget): readonly StreamMeter[] =>
  addOns.length === 0 ? meters : [meters, ...addOns.map((each) => each.meters)].flat();

/** The subscription that an add-on's events name: the one it was added to. */
export const eventsIdOf = ({ id, parentId }: SubscriptionRow): SubscriptionRow['id'] => parentId ?? id;

/** Returns the target of an authorized event, which always has one. */
export const targetOf = (targets: Targets, { subscriptionId }: { readonly subscriptionId: string }) =>
  required(targets.get(subscriptionId), 'the target of an authorized event');

/** Returns the service's own meter, if it counts usage. */
export const ownMeterOf = ({ meters }: MeteredTarget): StreamMeter | undefined =>
  meters.find((meter) => meter.key === ownKey);

async function targetsOf(ctx: Ctx, ids: readonly string[]): Promise<Targets> {
  if (ids.length === 0) return new Map();
  const subscriptions = [...(await subscriptionsByIds(ctx.db, ids)), ...(await addOnsOf(ctx.db, ids))];
  const serviceIds = (row: SubscriptionRow): string[] => [
    ...new Set([row.serviceId, ...servicesOf(row).map(({ serviceId }) => serviceId)]),
  ];
  const all = [...new Set(subscriptions.flatMap(serviceIds))];
  const service = await servicesMap(ctx, all);
  const meters = await metersOf(ctx, all.map(service));
  const prepaid = subscriptions.filter(({ serviceId }) => service(serviceId).requiresPrepaidCredit);
  const covered = await pairsWithCredit(ctx, prepaid);
  const targets = subscriptions.map((subscription): MeteredTarget => ({
    subscription,
    service: service(subscription.serviceId),
    meters: joinMeters(serviceIds(subscription).map(meters)).filter(
      ({ key }) => subscription.parentId === null || key !== ownKey,
    ),
    addOns: [],
    isStopped: prepaid.includes(subscription) && !covered.has(coverKey(subscription)),
  }));
  const cards = targets.filter((target) => !hasOwnMeterOnly(target.meters));
  if (cards.length > 0) {
    const offers = await offersFor(
      ctx,
      cards.flatMap(({ subscription }) => servicesOf(subscription)),
    );
    for (const [place, target] of targets.entries()) {
      const { subscription } = target;
      if (!cards.includes(target)) continue;
      targets[place] = {
        ...target,
        partsOf: partsByMonth(
          subscription,
          (serviceId) => offers.plan(serviceId, subscription.organizationId),
          subscription.timeZone,
        ),
      };
    }
  }
  const addOns = Map.groupBy(targets, ({ subscription }) => subscription.parentId);
  return byId(targets.map((target) => ({ ...target, addOns: addOns.get(target.subscription.id) ?? [] })));
}
