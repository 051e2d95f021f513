// Step "authorize": decides which events the sender may send, and which of them cannot be counted.
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import { isRejection, type EventRejection, type MeteredEvent } from '../rules.ts';
import { rateRejection } from '../rules-rates.ts';
import {
  dimensionRejection,
  hasOwnMeterOnly,
  storedType,
  unmetFilter,
  type StreamMeter,
} from '../rules-streams.ts';
import { dataRejection } from './data-schemas.ts';
import { isHourKept } from './months-left.ts';
import {
  rejected,
  voidSuffix,
  type AuthorizedEvent,
  type Origin,
  type ParsedCall,
  type Respond,
} from './incoming-events.ts';
import {
  metersWithAddOns,
  targetOf,
  targetsAt,
  type MeteredTarget,
  type RatingContext,
} from './rating-context.ts';

/** Rejects items that are malformed or that the sender may not send, and returns the rest. */
export function authorizeEvents(
  calls: readonly ParsedCall[],
  context: RatingContext,
  respond: Respond,
): AuthorizedEvent[] {
  const authorized: AuthorizedEvent[] = [];
  let place = 0;
  for (const { events, origin } of calls) {
    for (const event of events) {
      const rejection = isRejection(event)
        ? event
        : originRejection(event, context.targets.get(event.subscriptionId), origin);
      if (isRejection(event) || rejection)
        respond({ place }, rejected(rejection ?? { code: 'usage.event_malformed', id: null }));
      else
        authorized.push({
          event,
          origin,
          place,
          storedType: storedTypeOf(event, context),
          rejection: contentRejection(event, context),
        });
      place++;
    }
  }
  return authorized;
}

/** Aggregations whose result a later event can lower. */
const lowering: ReadonlySet<MeterAggregation> = new Set(['latest', 'time_weighted_average', 'avg', 'min']);

/** Returns the meters of a type; nearly every subscription has only one meter. */
const metersOfType = (meters: readonly StreamMeter[], type: string): readonly StreamMeter[] =>
  meters.length === 1 && meters[0]?.eventType === type
    ? meters
    : meters.filter((meter) => meter.eventType === type);

/** A correction's type belongs to its meter; only counted events have a type of their own. */
function storedTypeOf(event: MeteredEvent, { targets }: RatingContext): string | null {
  const target = targetOf(targets, event);
  if (hasOwnMeterOnly(target.meters) && target.addOns.length === 0) return null;
  return metersOfType(metersWithAddOns(target), event.type).length === 0
    ? null
    : storedType(target.meters, event.type);
}

/** Returns the meter whose corrections have this type. */
const correctedMeter = (meters: readonly StreamMeter[], type: string): StreamMeter | undefined =>
  meters.find(({ eventType }) => type === `${eventType}${voidSuffix}`);

/** Why the sender may not send an event; undefined if it may. */
function originRejection(
  event: MeteredEvent,
  target: MeteredTarget | undefined,
  { organizationId }: Origin,
): EventRejection | undefined {
  if (!target || (organizationId !== null && target.subscription.organizationId !== organizationId))
    return { code: 'usage.subscription_unknown', id: event.id };
  const { parentId } = target.subscription;
  if (parentId) return { code: 'usage.sent_to_add_on', id: event.id, params: { subscription: parentId } };
  const all = metersWithAddOns(target);
  const meters = metersOfType(all, event.type);
  const isVoid = meters.length === 0 && correctedMeter(all, event.type) !== undefined;
  // Customers hold their organization's keys, so events sent with these keys must never lower the billed
  // quantity.
  if (
    organizationId !== null &&
    (isVoid || event.value.startsWith('-') || meters.some(({ aggregation }) => lowering.has(aggregation)))
  )
    return { code: 'usage.only_adds', id: event.id };
  if (meters.length === 0) return isVoid ? undefined : { code: 'usage.event_type_unknown', id: event.id };
  // Late events count if the subscription was served at their time, whatever its current state.
  if (!acceptsUsageAt(target.subscription, event.time) || !isCountedAt(target, event))
    return { code: 'usage.subscription_not_running', id: event.id };
  return undefined;
}

/** Whether a meter counts this type at the event's time: an add-on's meters count only while it runs. */
const isCountedAt = (target: MeteredTarget, { type, time }: MeteredEvent): boolean =>
  target.addOns.length === 0 ||
  targetsAt(target, time).some(({ meters }) => metersOfType(meters, type).length > 0);

/**
 * Why an event's content cannot be counted; undefined if it can. The meters' schemas, the prices and the
 * retention may have changed since the event was counted, so a repeat of it still gets the response for a
 * repeat.
 */
function contentRejection(
  event: MeteredEvent,
  { targets, retainedSince, monthsLeft }: RatingContext,
): EventRejection | undefined {
  const target = targetOf(targets, event);
  const all = metersWithAddOns(target);
  if (metersOfType(all, event.type).length === 0) {
    const corrected = correctedMeter(all, event.type);
    return corrected && dataRejection(event, corrected);
  }
  const rejection =
    target.addOns.length === 0
      ? meterRejection(event, metersOfType(target.meters, event.type), target)
      : rejectionByAny(event, targetsAt(target, event.time));
  if (rejection) return rejection;
  const isKept =
    (retainedSince === null || event.time >= retainedSince) &&
    isHourKept(event.time, target.subscription.timeZone, monthsLeft);
  if (!isKept) return { code: 'usage.too_old', id: event.id };
  const stopped = stoppedFor(event, target);
  return stopped && { code: 'usage.credit_used_up', id: event.id, params: { service: stopped.service.name } };
}

/**
 * Returns the target that would count an event but has no prepaid credit left. The current credit decides,
 * whatever the event's time; otherwise backdated events would bypass the stop.
 */
function stoppedFor(event: MeteredEvent, target: MeteredTarget): MeteredTarget | undefined {
  if (target.addOns.length === 0) return target.isStopped ? target : undefined;
  return targetsAt(target, event.time).find(
    ({ isStopped, meters }) => isStopped && metersOfType(meters, event.type).length > 0,
  );
}

/**
 * Why the subscription or one of its add-ons cannot count an event, or why the filters of all of them exclude
 * it.
 */
function rejectionByAny(event: MeteredEvent, targets: readonly MeteredTarget[]): EventRejection | undefined {
  const rejections = targets.flatMap((target) => {
    const ofType = metersOfType(target.meters, event.type);
    return ofType.length === 0 ? [] : [meterRejection(event, ofType, target)];
  });
  const isFiltered = (rejection: EventRejection | undefined): boolean =>
    rejection?.code === 'usage.filter_not_met';
  return rejections.every(isFiltered) ? rejections[0] : rejections.find((each) => each && !isFiltered(each));
}

/** Why the meters of an event's type cannot count it. */
function meterRejection(
  event: MeteredEvent,
  ofType: readonly StreamMeter[],
  target: MeteredTarget,
): EventRejection | undefined {
  const [own] = ofType;
  // The fast path: a service's own meter has neither a filter nor dimensions.
  if (own && hasOwnMeterOnly(target.meters)) return dataRejection(event, own);
  const meters = ofType.filter((meter) => unmetFilter(meter, event.properties) === undefined);
  return meters.length === 0 ? filterRejection(event, ofType) : countRejection(event, meters, target);
}

function filterRejection(event: MeteredEvent, [meter]: readonly StreamMeter[]): EventRejection {
  const property = meter && unmetFilter(meter, event.properties);
  return { code: 'usage.filter_not_met', id: event.id, params: { property: property ?? '' } };
}

/** Why one of the meters that count an event cannot accept it. */
function countRejection(
  event: MeteredEvent,
  meters: readonly StreamMeter[],
  { subscription, partsOf }: MeteredTarget,
): EventRejection | undefined {
  for (const meter of meters) {
    const rejection = dataRejection(event, meter) ?? dimensionRejection(meter, event);
    if (rejection) return rejection;
  }
  return partsOf && rateRejection(event, meters, partsOf, subscription.timeZone);
}
