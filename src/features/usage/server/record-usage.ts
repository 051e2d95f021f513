// Metering: events become usage, once for ever, in one unit of work. Live calls and imports both come this way.
import { monthOf } from '#kernel/time.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { mustHave } from '#kernel/must.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { signal } from '#platform/server/sockets.ts';
import { servicesMap } from '#features/catalogue/server/index.ts';
import type { Aggregation, Service } from '#features/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/subscriptions/rules.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/subscriptions/server/index.ts';
import type { usageErrors } from '../contract.ts';
import { deltasOf, isRefusal, type EventRefusal, type MeteredEvent, type Rollup } from '../rules.ts';
import { levelsOfMonths } from './levels.ts';
import { keepLevels } from './store-levels.ts';
import { addDeltas, insertDistinct, insertEvents, knownEvents, monthRollups, type MonthRollup } from './store.ts';

/** A subscription's month whose usage grew, as it is now. */
export type UsageChange = { readonly subscription: SubscriptionRow; readonly service: Service; readonly month: BillingMonth; readonly rollup: Rollup };
/** Usage was recorded: every month that changed. */
export const usageRecorded = signal<readonly UsageChange[]>('usage.recorded');

export type ItemResult = { readonly outcome: 'accepted' } | { readonly outcome: 'duplicate' } | { readonly outcome: 'rejected'; readonly id: string | null; readonly code: keyof typeof usageErrors & string };

const keyOf = (event: MeteredEvent): string => `${event.id}\n${event.source}`;
const contentOf = (event: MeteredEvent): string => JSON.stringify([event.subscriptionId, event.time.getTime(), event.value, event.properties]);
type Target = { subscription: SubscriptionRow; service: Service };

/**
 * Records events and answers one result each, in their order. `organizationId` limits them to one organization's
 * subscriptions (null: the platform's own key or an import). Accepted ones are durable once the unit commits.
 */
export async function recordUsage(ctx: Ctx, read: readonly (MeteredEvent | EventRefusal)[], organizationId: Id<'org'> | null): Promise<ItemResult[]> {
  const ids = [...new Set(read.flatMap((each) => (isRefusal(each) ? [] : [each.subscriptionId])))];
  const targets = await targetsOf(ctx, ids, organizationId);
  const results: ItemResult[] = [];
  const first = new Map<string, MeteredEvent>();
  const chosen: { position: number; event: MeteredEvent }[] = [];
  for (const [position, each] of read.entries()) {
    const refusal = isRefusal(each) ? each : refusalOf(each, targets);
    if (refusal || isRefusal(each)) {
      results[position] = { outcome: 'rejected', id: refusal?.id ?? null, code: refusal?.code ?? 'usage.event_malformed' };
      continue;
    }
    const key = keyOf(each);
    const earlier = first.get(key);
    if (earlier) results[position] = contentOf(earlier) === contentOf(each) ? { outcome: 'duplicate' } : { outcome: 'rejected', id: each.id, code: 'usage.conflict' };
    else {
      first.set(key, each);
      chosen.push({ position, event: each });
    }
  }
  if (chosen.length > 0) await store(ctx, chosen, targets, results);
  return results;
}

/** An event that was not known is accepted; a known one is a repeat, or another event with the same id. */
function outcomeOf(event: MeteredEvent, known: { differs: boolean } | undefined): ItemResult {
  if (!known) return { outcome: 'accepted' };
  return known.differs ? { outcome: 'rejected', id: event.id, code: 'usage.conflict' } : { outcome: 'duplicate' };
}

async function store(ctx: Ctx, chosen: readonly { position: number; event: MeteredEvent }[], targets: ReadonlyMap<string, Target>, results: ItemResult[]): Promise<void> {
  const events = chosen.map((each) => each.event);
  const zoneOf = (subscriptionId: string): string => mustHave(targets.get(subscriptionId), 'a target').subscription.timeZone;
  for (const organizationId of new Set(events.map((event) => mustHave(targets.get(event.subscriptionId), 'a target').subscription.organizationId))) ctx.touch(`org/${organizationId}/usage`, { kind: 'usage' });
  // The messages go ahead of the hours and months, for which other batches of the same subscriptions wait until the commit.
  const [, inserted] = await Promise.all([ctx.writeMessages(), insertEvents(ctx, events, deltasOf(events, zoneOf))]);
  const known = inserted.accepted < events.length ? await knownEvents(ctx, events) : new Map<number, { differs: boolean }>();
  for (const [index, { position, event }] of chosen.entries()) {
    results[position] = outcomeOf(event, known.get(index));
  }
  const fresh = known.size === 0 ? events : events.filter((_, index) => !known.has(index));
  if (fresh.length === 0) return;
  const months = known.size === 0 ? inserted.months : await addDeltas(ctx, deltasOf(fresh, zoneOf));
  const counted = await withLevels(ctx, fresh, targets, await rememberDistinct(ctx, fresh, targets, months));
  const changes = counted.map((month) => ({ ...mustHave(targets.get(month.subscriptionId), 'a target'), month: month.month, rollup: month }));
  await ctx.announce(usageRecorded, changes);
}

/** Whether any of the batch's subscriptions is measured in a way: a batch has few of them and many events. */
const isMeasuredBy = (targets: ReadonlyMap<string, Target>, aggregation: Aggregation): boolean => [...targets.values()].some(({ service }) => service.meter.aggregation === aggregation);

/** Keeps the values of meters that count different ones, and answers the months with those counts. */
async function rememberDistinct(ctx: Ctx, events: readonly MeteredEvent[], targets: ReadonlyMap<string, Target>, months: readonly MonthRollup[]): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'unique_count')) return months;
  const values = events.flatMap((event) => {
    const target = mustHave(targets.get(event.subscriptionId), 'a target');
    const { aggregation, property } = target.service.meter;
    if (aggregation !== 'unique_count' || !property) return [];
    const value = event.properties?.[property];
    return value === undefined ? [] : [{ subscriptionId: event.subscriptionId, month: monthOf(event.time, target.subscription.timeZone), value: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
  if (values.length === 0) return months;
  await insertDistinct(ctx, values);
  const ids = [...new Set(values.map((each) => each.subscriptionId))];
  const counted = await monthRollups(ctx.db, ids, [...new Set(values.map((each) => each.month))], ids);
  const byKey = new Map(counted.map((month) => [`${month.subscriptionId} ${month.month}`, month]));
  return months.map((month) => byKey.get(`${month.subscriptionId} ${month.month}`) ?? month);
}

/** Works levels' hours out anew, and answers the months with what they come to now. */
async function withLevels(ctx: Ctx, events: readonly MeteredEvent[], targets: ReadonlyMap<string, Target>, months: readonly MonthRollup[]): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'time_weighted_average')) return months;
  const target = (subscriptionId: string): Target => mustHave(targets.get(subscriptionId), 'a target');
  const leveled = events.filter((event) => target(event.subscriptionId).service.meter.aggregation === 'time_weighted_average');
  if (leveled.length === 0) return months;
  await keepLevels(ctx, deltasOf(leveled, (subscriptionId) => target(subscriptionId).subscription.timeZone).hours);
  const ids = new Set(leveled.map((event) => event.subscriptionId));
  const levels = await levelsOfMonths(ctx, months.filter((month) => ids.has(month.subscriptionId)).map(({ subscriptionId, month }) => ({ subscription: target(subscriptionId).subscription, month })));
  return months.map((month) => (ids.has(month.subscriptionId) ? { ...month, level: levels.get(`${month.subscriptionId} ${month.month}`) ?? '0' } : month));
}

async function targetsOf(ctx: Ctx, ids: readonly string[], organizationId: Id<'org'> | null): Promise<Map<string, Target>> {
  const subscriptions = (await subscriptionsByIds(ctx.db, ids)).filter((row) => organizationId === null || row.organizationId === organizationId);
  const service = await servicesMap(ctx, [...new Set(subscriptions.map((row) => row.serviceId))]);
  return new Map(subscriptions.map((subscription) => [subscription.id, { subscription, service: service(subscription.serviceId) }]));
}

/** Why an event cannot be recorded; undefined when it can. */
function refusalOf(event: MeteredEvent, targets: ReadonlyMap<string, Target>): EventRefusal | undefined {
  const target = targets.get(event.subscriptionId);
  if (!target) return { code: 'usage.subscription_unknown', id: event.id };
  if (target.service.meter.eventType !== event.type) return { code: 'usage.event_type_unknown', id: event.id };
  // Late events of a time that was served count, whatever became of the subscription since.
  if (!acceptsUsageAt(target.subscription, event.time)) return { code: 'usage.subscription_not_running', id: event.id };
  return undefined;
}
