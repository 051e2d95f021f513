// Step "authorize": which events the sender may send, and which of them cannot be counted.
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import { isRejection, type EventRejection, type MeteredEvent } from '../rules.ts';
import { dataRejection } from './data-schemas.ts';
import {
  rejected,
  voidSuffix,
  type AuthorizedEvent,
  type Origin,
  type ParsedCall,
  type Respond,
} from './incoming-events.ts';
import { targetOf, type MeteredTarget, type RatingContext } from './rating-context.ts';

/** Answers the items that are malformed or that the sender may not send, and returns the rest. */
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
      else authorized.push({ event, origin, place, rejection: contentRejection(event, context) });
      place++;
    }
  }
  return authorized;
}

/** Aggregations whose figure a later event can lower. */
const lowering: ReadonlySet<Aggregation> = new Set(['latest', 'time_weighted_average']);

/** Why an origin may not send an event; undefined when it may. */
function originRejection(
  event: MeteredEvent,
  target: MeteredTarget | undefined,
  { organizationId }: Origin,
): EventRejection | undefined {
  if (!target || (organizationId !== null && target.subscription.organizationId !== organizationId))
    return { code: 'usage.subscription_unknown', id: event.id };
  const { eventType, aggregation } = target.service.meter;
  const isVoid = event.type === `${eventType}${voidSuffix}`;
  // Customers hold their organization's keys, so events sent with them must never lower the billed quantity.
  if (organizationId !== null && (isVoid || event.value.startsWith('-') || lowering.has(aggregation)))
    return { code: 'usage.only_adds', id: event.id };
  if (event.type !== eventType)
    return isVoid ? undefined : { code: 'usage.event_type_unknown', id: event.id };
  // Late events count if the subscription was served at their time, whatever its state is now.
  if (!acceptsUsageAt(target.subscription, event.time))
    return { code: 'usage.subscription_not_running', id: event.id };
  return undefined;
}

/**
 * Why an event's content cannot be counted; undefined when it can. The meter's schema and the retention may have changed since the event
 * was counted, which is why a repeat of it is still answered as a repeat.
 */
function contentRejection(
  event: MeteredEvent,
  { targets, retainedSince }: RatingContext,
): EventRejection | undefined {
  const { meter } = targetOf(targets, event).service;
  const rejection = dataRejection(event, meter);
  if (rejection) return rejection;
  const isTooOld = retainedSince !== null && event.time < retainedSince && event.type === meter.eventType;
  return isTooOld ? { code: 'usage.too_old', id: event.id } : undefined;
}
