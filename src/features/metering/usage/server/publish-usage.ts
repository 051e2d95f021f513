// Step "publish": in the transaction that recorded the events, notifies the features that depend on usage and
// queues live updates.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { isRejection, type Rollup } from '../rules.ts';
import { ownKey, type StreamMeter } from '../rules-streams.ts';
import type { ItemResult, ParsedCall } from './incoming-events.ts';
import { targetOf, type Targets } from './rating-context.ts';
import type { MonthRollup } from './store-rollups.ts';

/** A subscription's month whose usage changed, with the new values of its service's own meter. */
export type UsageChange = {
  readonly subscription: SubscriptionRow;
  readonly service: Service;
  readonly meters: readonly StreamMeter[];
  readonly month: BillingMonth;
  readonly rollup: Rollup;
  readonly addOns: readonly { readonly service: Service }[];
};
/** Emitted when usage was recorded, with every month that changed. */
export const usageRecorded = domainEvent<readonly UsageChange[]>('usage.recorded');

/** A rejected item of a metering call, as it was sent. */
export type RejectedEvent = {
  readonly raw: unknown;
  readonly source: string | null;
  readonly subscriptionId: string | null;
  readonly id: string | null;
  readonly code: string;
  readonly params: TextParams;
  readonly organizationId: Id<'org'> | null;
  readonly keyId: Id<'key'> | null;
};
/** Emitted for rejected items, in the transaction that recorded the accepted items of the same calls. */
export const usageRejected = domainEvent<readonly RejectedEvent[]>('usage.rejected');

const nothingUsed: Rollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0', distinct: 0n };

/** Publishes the changed months; if a month of a meter occurs more than once, the last one wins. */
export async function publishUsage(
  ctx: Ctx,
  months: readonly MonthRollup[],
  targets: Targets,
): Promise<void> {
  // One change per subscription and month, however many of its meters counted something.
  const changes = [
    ...new Map(
      months
        .toSorted((a, b) => Number(a.meter === ownKey) - Number(b.meter === ownKey))
        .map((each) => [
          `${each.subscriptionId} ${each.month}`,
          each.meter === ownKey ? each : { ...each, ...nothingUsed },
        ]),
    ).values(),
  ];
  if (changes.length === 0) return;
  for (const change of changes)
    ctx.publish(`org/${targetOf(targets, change).subscription.organizationId}/usage`, { kind: 'usage' });
  await ctx.emit(
    usageRecorded,
    changes.map((rollup) => ({ ...targetOf(targets, rollup), month: rollup.month, rollup })),
  );
}

/** A call with its items as they were sent. */
export type RawCall = ParsedCall & { readonly items: readonly unknown[] };

/** Publishes the rejected items of calls, with their results. */
export async function publishRejected(
  ctx: Ctx,
  calls: readonly RawCall[],
  results: readonly (readonly ItemResult[])[],
): Promise<void> {
  const rejected = calls.flatMap(({ items, events, origin }, call) =>
    (results[call] ?? []).flatMap((result, place): RejectedEvent[] => {
      const event = events[place];
      if (result.outcome !== 'rejected' || !event) return [];
      const { source, subscriptionId } = isRejection(event) ? { source: null, subscriptionId: null } : event;
      const { id, code, params = {} } = result;
      return [{ raw: items[place], source, subscriptionId, id, code, params, ...origin }];
    }),
  );
  if (rejected.length > 0) await ctx.emit(usageRejected, rejected);
}
