// What is needed to judge events: their subscriptions and services, and the moment since which raw events are
// kept.
import { required } from '#kernel/assert.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { cachedReads } from '#platform/server/database/cached-reads.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isRejection } from '../rules.ts';
import type { ParsedCall } from './incoming-events.ts';
import { eventRetentionMonths, retainedSince } from './partitions.ts';

/** What an event is recorded for. */
export type MeteredTarget = { readonly subscription: SubscriptionRow; readonly service: Service };
/** By the subscription's id; one that does not exist is left out. */
export type Targets = ReadonlyMap<string, MeteredTarget>;
/** `retainedSince` is the moment before which raw events are dropped; null when all are kept. */
export type RatingContext = { readonly targets: Targets; readonly retainedSince: Date | null };

/** The subscriptions that the events of some calls name. */
export const subscriptionIdsIn = (calls: readonly ParsedCall[]): readonly string[] => [
  ...new Set(
    calls.flatMap(({ events }) =>
      events.flatMap((event) => (isRejection(event) ? [] : event.subscriptionId)),
    ),
  ),
];

const actor = { kind: 'system', name: 'metering' } as const;

// Cached, because metering reads these many times a second and they hardly ever change.
const cachedTargets = cachedReads((app, ids) =>
  unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const targets = await targetsOf(ctx, ids);
    return ids.map((id) => targets.get(id));
  }),
);
const cachedRetention = cachedReads((app, keys) =>
  unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const months = await ctx.setting(eventRetentionMonths);
    return keys.map(() => months);
  }),
);

/** The rating context as it was at most 100 ms ago, and not before the last change that this process answered. */
export async function cachedRatingContext(app: App, ids: readonly string[]): Promise<RatingContext> {
  const targets = cachedTargets(app);
  const [found, months] = await Promise.all([
    Promise.all(ids.map((id) => targets.load(id))),
    cachedRetention(app).load(eventRetentionMonths.key),
  ]);
  return {
    targets: new Map(
      ids.flatMap((id, place) => {
        const target = found[place];
        return target ? [[id, target]] : [];
      }),
    ),
    retainedSince: retainedSince(months, app.clock.now()),
  };
}

/** The rating context as it is now, read in the caller's transaction. */
export async function readRatingContext(ctx: Ctx, ids: readonly string[]): Promise<RatingContext> {
  const months = await ctx.setting(eventRetentionMonths);
  return { targets: await targetsOf(ctx, ids), retainedSince: retainedSince(months, ctx.now) };
}

/** The target of an event that was authorized, and which therefore has one. */
export const targetOf = (targets: Targets, { subscriptionId }: { readonly subscriptionId: string }) =>
  required(targets.get(subscriptionId), 'the target of an authorized event');

async function targetsOf(ctx: Ctx, ids: readonly string[]): Promise<Targets> {
  if (ids.length === 0) return new Map();
  const subscriptions = await subscriptionsByIds(ctx.db, ids);
  const service = await servicesMap(ctx, [...new Set(subscriptions.map((row) => row.serviceId))]);
  return new Map(
    subscriptions.map((subscription) => [
      subscription.id,
      { subscription, service: service(subscription.serviceId) },
    ]),
  );
}
