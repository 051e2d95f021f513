// Corrections: events that cancel earlier ones. Both stay stored, and the hours that counted the canceled
// event are recomputed.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { usageErrors } from '../contract.ts';
import type { MeteredEvent } from '../rules.ts';
import { deltasOf, hourOfTime, monthOfTime } from '../rules-deltas.ts';
import { allKey, hasOwnMeterOnly, ownKey } from '../rules-streams.ts';
import { answerKnown, claimNewEvents } from './deduplicate-events.ts';
import { accepted, rejected, type IncomingEvent, type Respond } from './incoming-events.ts';
import { isHourKept } from './months-left.ts';
import { storeStreamLevels } from './named-levels.ts';
import { samplesOf, seenValues, streamsIn, withLevels, zoneIn } from './rate-events.ts';
import {
  eventsIdOf,
  ownMeterOf,
  targetOf,
  targetsAt,
  type RatingContext,
  type Targets,
} from './rating-context.ts';
import {
  recount,
  retainStreamValues,
  setStreamHours,
  storeCorrections,
  voidTargets,
  type Correction,
  type CountedHour,
  type VoidTarget,
} from './store-corrections.ts';
import { eventKey, forgetEvents } from './store-events.ts';
import { eventsOfHours } from './store-hour-events.ts';
import type { MonthRollup } from './store-rollups.ts';
import { addSamples } from './store-samples.ts';
import { sourceNumbers, type NumberedSource } from './store-sources.ts';

type Wanted = { readonly incoming: IncomingEvent; readonly source: string; readonly id: string };

/** Cancels the events that corrections name, and returns the changed months with their new values. */
export async function applyCorrections(
  ctx: Ctx,
  corrections: readonly IncomingEvent[],
  { targets, monthsLeft }: RatingContext,
  respond: Respond,
): Promise<readonly MonthRollup[]> {
  const unanswered = await answerKnown(ctx, corrections, respond);
  const meant = await correctedEvents(ctx, unanswered, { targets, monthsLeft }, respond);
  // Another transaction may have recorded the same correction in the meantime.
  const claimed = new Set(
    await claimNewEvents(
      ctx,
      meant.map(({ incoming }) => incoming),
      respond,
    ),
  );
  const claimedOf = new Map(
    meant
      .filter(({ incoming }) => claimed.has(incoming))
      .map(({ incoming, target }): [Correction, IncomingEvent] => [
        { event: incoming.event, target },
        incoming,
      ]),
  );
  if (claimedOf.size === 0) return [];
  const stored = await storeCorrections(ctx, [...claimedOf.keys()]);
  const late = [...claimedOf]
    .filter(([correction]) => !stored.has(correction))
    .map(([, incoming]) => incoming);
  if (late.length > 0)
    await forgetEvents(
      ctx,
      late.map(({ event }) => event),
    );
  for (const incoming of late) reject(respond, incoming, 'usage.voided_already');
  for (const correction of stored) respond(required(claimedOf.get(correction), 'its event'), accepted);
  return stored.size === 0
    ? []
    : recountHours(
        ctx,
        [...stored].map(({ target }) => target),
        targets,
      );
}

const reject = (respond: Respond, incoming: IncomingEvent, code: keyof typeof usageErrors & string): void =>
  respond(incoming, rejected({ code, id: incoming.event.id }));

/**
 * Finds the event that each correction cancels; rejects corrections without such an event, or whose event is
 * already canceled.
 */
async function correctedEvents(
  ctx: Ctx,
  corrections: readonly IncomingEvent[],
  { targets, monthsLeft }: Pick<RatingContext, 'targets' | 'monthsLeft'>,
  respond: Respond,
): Promise<{ incoming: IncomingEvent; target: VoidTarget }[]> {
  const wanted = corrections.flatMap((incoming): Wanted[] => {
    const { id, source = incoming.event.source } = incoming.event.properties ?? {};
    if (typeof id === 'string' && typeof source === 'string') return [{ incoming, source, id }];
    reject(respond, incoming, 'usage.void_unnamed');
    return [];
  });
  if (wanted.length === 0) return [];
  // The platform may also cancel events sent by the subscription's organization.
  const ownersOf = ({ incoming }: Wanted): string[] =>
    incoming.owner === ''
      ? ['', targetOf(targets, incoming.event).subscription.organizationId]
      : [incoming.owner];
  const numbers = await sourceNumbers(
    ctx.db,
    wanted.flatMap((each) => ownersOf(each).map((owner) => ({ owner, source: each.source }))),
  );
  const candidates = wanted.map((each) => ({
    ...each,
    numbers: ownersOf(each).flatMap(
      (owner) =>
        numbers.find((one: NumberedSource) => one.owner === owner && one.source === each.source)?.number ??
        [],
    ),
  }));
  const found = await voidTargets(
    ctx,
    candidates.flatMap(({ incoming, id, numbers: own }) =>
      own.map((sourceId) => ({ sourceId, id, subscriptionId: incoming.event.subscriptionId })),
    ),
  );
  const taken = new Set<string>();
  return candidates.flatMap(({ incoming, id, numbers: own }) => {
    const target = own
      .map((sourceId) =>
        found.find(
          (one) =>
            one.sourceId === sourceId &&
            one.id === id &&
            one.subscriptionId === incoming.event.subscriptionId,
        ),
      )
      .find((one) => one !== undefined);
    if (!target) reject(respond, incoming, 'usage.void_unknown');
    else if (!isHourKept(target.time, zoneIn(targets)(target.subscriptionId), monthsLeft))
      reject(respond, incoming, 'usage.too_old');
    else if (target.isTakenBack || taken.has(eventKey(target)))
      reject(respond, incoming, 'usage.voided_already');
    else {
      taken.add(eventKey(target));
      return [{ incoming, target }];
    }
    return [];
  });
}

/** Recomputes the hours of canceled events. */
async function recountHours(
  ctx: Ctx,
  taken: readonly VoidTarget[],
  targets: Targets,
): Promise<readonly MonthRollup[]> {
  const hours = new Map(
    taken.flatMap(({ subscriptionId, time }) =>
      targetsAt(targetOf(targets, { subscriptionId }), time).map((metered): [string, CountedHour] => {
        const { subscription } = metered;
        const { timeZone } = subscription;
        const hour = hourOfTime(time, timeZone);
        const own = ownMeterOf(metered);
        const property = own?.aggregation === 'unique_count' ? (own.property ?? null) : null;
        return [
          `${subscription.id} ${hour.getTime()}`,
          {
            subscriptionId: subscription.id,
            hour,
            month: monthOfTime(time, timeZone),
            zone: timeZone,
            property,
          },
        ];
      }),
    ),
  );
  const months = await recount(ctx, [...hours.values()], () =>
    recountStreams(ctx, [...hours.values()], targets),
  );
  const streams = streamsIn(
    taken.map((target) => eventOf(target, targets)),
    targets,
  );
  const samples = samplesOf(streams, targets);
  await addSamples(
    ctx,
    samples.map((sample) => ({ ...sample, sum: negated(sample.sum) })),
  );
  await storeStreamLevels(ctx, streams, targets);
  return withLevels(ctx, taken, targets, months);
}

const negated = (value: string): string => (value.startsWith('-') ? value.slice(1) : `-${value}`);

/** A canceled event as it was counted. */
const eventOf = (
  { id, subscriptionId, time, value, properties, storedType }: VoidTarget,
  targets: Targets,
): MeteredEvent => ({
  source: '',
  id,
  subscriptionId,
  time,
  value,
  properties,
  type: storedType ?? ownMeterOf(targetOf(targets, { subscriptionId }))?.eventType ?? '',
  isTimed: true,
});

/**
 * Recomputes hours of meters other than services' own from their events, with the same sums as on arrival.
 */
async function recountStreams(ctx: Ctx, hours: readonly CountedHour[], targets: Targets): Promise<void> {
  const wanted = hours.filter((hour) => !hasOwnMeterOnly(targetOf(targets, hour).meters));
  if (wanted.length === 0) return;
  const events = await eventsOfHours(
    ctx,
    wanted.map((hour) => ({ ...hour, subscriptionId: eventsIdOf(targetOf(targets, hour).subscription) })),
    targets,
  );
  const streams = streamsIn(events, targets).filter(({ meter }) => meter !== ownKey && meter !== allKey);
  await setStreamHours(ctx, wanted, deltasOf(streams, zoneIn(targets)).hours);
  await retainStreamValues(ctx, wanted, seenValues(streams, targets));
}
