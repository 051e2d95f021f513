// Metering: events become usage, once for ever, in one unit of work. Live calls and imports both come this way.
import { trimDecimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import type { Aggregation, Service } from '#features/selling/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { isDomainError, type EventRefusal, type MeteredEvent, type Rollup } from '../rules.ts';
import {
  outcomeOf,
  voidSuffix,
  type Arrival,
  type Basis,
  type Batch,
  type Expected,
  type ItemResult,
  type MeteredTarget,
  type Settle,
  type Targets,
  type Via,
} from './arrivals.ts';
import { mustShare } from './alone.ts';
import { takeBack } from './corrections.ts';
import { dataRefusal } from './data-schemas.ts';
import { keptSince } from './partitions.ts';
import { numbersOf } from './sources.ts';
import { eventKey, knownEvents } from './store-events.ts';
import type { MonthRollup } from './store-rollups.ts';
import { takeIn } from './take-in.ts';

/** A subscription's month whose usage changed, as it is now. */
export type UsageChange = {
  readonly subscription: SubscriptionRow;
  readonly service: Service;
  readonly month: BillingMonth;
  readonly rollup: Rollup;
};
/** Usage was recorded of what somebody watches (`usageAhead`): every month that changed. */
export const usageRecorded = domainEvent<readonly UsageChange[]>('usage.recorded');

/**
 * Records events and answers one result each, in their order. `via` limits them to one organization's subscriptions.
 * Accepted ones are durable once the unit commits.
 */
export async function recordUsage(ctx: Ctx, read: Batch['read'], via: Via): Promise<ItemResult[]> {
  return required(
    (await recordBatches(ctx, [{ read, via }], await basisOf(ctx, subscriptionsIn(read)), 'mostly new'))[0],
    'the results of the batch',
  );
}

/** The subscriptions that events name. */
export function subscriptionsIn(read: Batch['read']): readonly string[] {
  const ids = new Set<string>();
  for (const each of read) if (!isDomainError(each)) ids.add(each.subscriptionId);
  return [...ids];
}

/** Reads what events for some subscriptions are judged by. */
export async function basisOf(ctx: Ctx, ids: readonly string[]): Promise<Basis> {
  const [targets, since] = await Promise.all([targetsOf(ctx, ids), keptSince(ctx)]);
  return { targets, keptSince: since };
}

/** Records several senders' batches together, as if one came after the other; answers the results of each. `basis` was read after they came. */
export async function recordBatches(
  ctx: Ctx,
  batches: readonly Batch[],
  basis: Basis,
  expected: Expected,
): Promise<ItemResult[][]> {
  const { targets } = basis;
  const results: ItemResult[] = [];
  const waiting: Waiting[] = [];
  const doubtful: (Waiting & { readonly refusal: EventRefusal })[] = [];
  let place = 0;
  for (const { read, via } of batches) {
    for (const each of read) {
      const refusal = isDomainError(each) ? each : refusalOf(each, targets.get(each.subscriptionId), via);
      if (isDomainError(each) || refusal)
        results[place] = {
          outcome: 'rejected',
          id: refusal?.id ?? null,
          code: refusal?.code ?? 'usage.event_malformed',
          ...(refusal?.params && { params: refusal.params }),
        };
      else {
        const wrong = dataRefusal(each, required(targets.get(each.subscriptionId), 'a target').service.meter);
        if (wrong) doubtful.push({ event: each, via, place, refusal: wrong });
        else waiting.push({ event: each, via, place });
      }
      place++;
    }
  }
  // What was refused is told to others, who keep it.
  if (waiting.length < place) mustShare(ctx);
  if (doubtful.length > 0) await settleDoubtful(ctx, doubtful, results);
  if (waiting.length > 0) await record(ctx, await arrivalsOf(ctx, waiting), basis, expected, results);
  let from = 0;
  return batches.map(({ read }) => results.slice(from, (from += read.length)));
}

/** What a meter asks of data may have changed since an event was taken: its repeat is a repeat all the same. */
async function settleDoubtful(
  ctx: Ctx,
  doubtful: readonly (Waiting & { readonly refusal: EventRefusal })[],
  results: ItemResult[],
): Promise<void> {
  const { first, repeats } = firstOnes(await arrivalsOf(ctx, doubtful));
  const known = await knownEvents(
    ctx,
    first.map(({ event }) => event),
  );
  const refusals = new Map(doubtful.map(({ place, refusal }) => [place, refusal]));
  const settle = ({ event, place }: Arrival, result: ItemResult): void => {
    results[place] = known.has(eventKey(event))
      ? result
      : { outcome: 'rejected', ...required(refusals.get(place), 'its refusal') };
  };
  for (const arrival of first) settle(arrival, outcomeOf(arrival.event, known));
  for (const { repeat, of } of repeats)
    settle(
      repeat,
      contentOf(of.event) === contentOf(repeat.event)
        ? outcomeOf(of.event, known)
        : { outcome: 'rejected', id: repeat.event.id, code: 'usage.conflict' },
    );
}

type Waiting = { readonly event: MeteredEvent; readonly via: Via; readonly place: number };
const ownerOf = ({ organizationId }: Via): string => organizationId ?? '';

async function arrivalsOf(ctx: Ctx, waiting: readonly Waiting[]): Promise<Arrival[]> {
  // Neighbours mostly have one source: it is asked about once.
  const runs: { readonly owner: string; readonly source: string }[] = [];
  const runOf = waiting.map(({ event: { source }, via }) => {
    const [owner, last] = [ownerOf(via), runs.at(-1)];
    if (last?.owner !== owner || last.source !== source) runs.push({ owner, source });
    return runs.length - 1;
  });
  const numberOf = await numbersOf(ctx, runs);
  const numbers = runs.map(numberOf);
  return waiting.map(({ event, via, place }, index) => {
    const run = runOf[index] ?? 0;
    return {
      event: { ...event, sourceId: required(numbers[run], 'the number of a source'), keyId: via.keyId },
      owner: ownerOf(via),
      place,
    };
  });
}

/** The content that makes a repeat a repeat: equal values are equal, however they are written and in whatever order. */
const contentOf = (event: MeteredEvent): string =>
  JSON.stringify(
    [
      event.subscriptionId,
      event.isTimed ? event.time.getTime() : null,
      trimDecimal(event.value),
      event.properties,
    ],
    inOrder,
  );
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The first of each event; the others are repeats of it, or other events with its id. */
function firstOnes(arrivals: readonly Arrival[]): {
  first: Arrival[];
  repeats: { repeat: Arrival; of: Arrival }[];
} {
  const first = new Map<string, Arrival>();
  const repeats: { repeat: Arrival; of: Arrival }[] = [];
  // Most batches come from one source: their ids are names enough.
  const sourceId = arrivals[0]?.event.sourceId;
  const isOfOneSource = arrivals.every(({ event }) => event.sourceId === sourceId);
  for (const arrival of arrivals) {
    const key = isOfOneSource ? arrival.event.id : eventKey(arrival.event);
    const of = first.get(key);
    if (of) repeats.push({ repeat: arrival, of });
    else first.set(key, arrival);
  }
  return { first: [...first.values()], repeats };
}

async function record(
  ctx: Ctx,
  arrivals: readonly Arrival[],
  { targets, keptSince: since }: Basis,
  expected: Expected,
  results: ItemResult[],
): Promise<void> {
  const settle: Settle = ({ place }, result) => {
    results[place] = result;
  };
  const { first, repeats } = firstOnes(arrivals);
  const isCorrection = ({ event }: Arrival): boolean =>
    event.type.endsWith(voidSuffix) &&
    event.type !== targets.get(event.subscriptionId)?.service.meter.eventType;
  const corrections = first.filter(isCorrection);
  if (corrections.length > 0 || repeats.length > 0) mustShare(ctx);
  const ordinary = await withoutForgotten(
    ctx,
    since,
    corrections.length === 0 ? first : first.filter((arrival) => !isCorrection(arrival)),
    settle,
  );
  // A batch has few subscriptions and many events.
  const touched = new Set([...ordinary, ...corrections].map(({ event }) => event.subscriptionId));
  for (const organizationId of new Set(
    [...touched].map((id) => required(targets.get(id), 'a target').subscription.organizationId),
  ))
    ctx.publish(`org/${organizationId}/usage`, { kind: 'usage' });
  const changed = new Map<string, MonthRollup>();
  const note = (months: readonly MonthRollup[]): void =>
    months.forEach((month) => changed.set(`${month.subscriptionId} ${month.month}`, month));
  if (ordinary.length > 0) note(await takeIn(ctx, ordinary, targets, expected, settle));
  if (corrections.length > 0) note(await takeBack(ctx, corrections, targets, settle));
  // What is said of the first holds for its repeats: none of them counts.
  for (const { repeat, of } of repeats) {
    const result = required(results[of.place], 'the result of the first one');
    if (contentOf(of.event) !== contentOf(repeat.event))
      settle(repeat, { outcome: 'rejected', id: repeat.event.id, code: 'usage.conflict' });
    else settle(repeat, result.outcome === 'rejected' ? result : { outcome: 'duplicate' });
  }
  if (changed.size > 0)
    await ctx.emit(
      usageRecorded,
      [...changed.values()].map((month) => ({
        ...required(targets.get(month.subscriptionId), 'a target'),
        month: month.month,
        rollup: month,
      })),
    );
}

/** Of events older than what is kept, repeats are still recognised; new ones have nowhere to go. */
async function withoutForgotten(
  ctx: Ctx,
  since: Date | null,
  arrivals: readonly Arrival[],
  settle: Settle,
): Promise<readonly Arrival[]> {
  const old = since === null ? [] : arrivals.filter(({ event }) => event.time < since);
  if (old.length === 0) return arrivals;
  mustShare(ctx);
  const known = await knownEvents(
    ctx,
    old.map(({ event }) => event),
  );
  for (const arrival of old)
    settle(
      arrival,
      known.has(eventKey(arrival.event))
        ? outcomeOf(arrival.event, known)
        : { outcome: 'rejected', id: arrival.event.id, code: 'usage.too_old' },
    );
  return arrivals.filter((arrival) => !old.includes(arrival));
}

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

/** Meters whose figure another event can lower. */
const lowering: ReadonlySet<Aggregation> = new Set(['latest', 'time_weighted_average']);

/** Why an event cannot be recorded; undefined when it can. */
function refusalOf(
  event: MeteredEvent,
  target: MeteredTarget | undefined,
  via: Via,
): EventRefusal | undefined {
  if (!target || (via.organizationId !== null && target.subscription.organizationId !== via.organizationId))
    return { code: 'usage.subscription_unknown', id: event.id };
  const { eventType, aggregation } = target.service.meter;
  // A customer holds such a key: whatever it sends must not lower what is billed.
  if (
    via.organizationId !== null &&
    (event.type === `${eventType}${voidSuffix}` || event.value.startsWith('-') || lowering.has(aggregation))
  )
    return { code: 'usage.only_adds', id: event.id };
  if (event.type !== eventType)
    return event.type === `${eventType}${voidSuffix}`
      ? undefined
      : { code: 'usage.event_type_unknown', id: event.id };
  // Late events of a time that was served count, whatever became of the subscription since.
  if (!acceptsUsageAt(target.subscription, event.time))
    return { code: 'usage.subscription_not_running', id: event.id };
  return undefined;
}
