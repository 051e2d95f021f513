// Corrections: events that take earlier ones back. Both stay; what they added up to is counted anew.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { usageErrors } from '../contract.ts';
import { hourOfTime, monthOfTime } from '../rules.ts';
import { outcomeOf, type Arrival, type Settle, type Targets } from './arrivals.ts';
import {
  recount,
  storeCorrections,
  voidTargets,
  type Correction,
  type CountedHour,
  type VoidTarget,
} from './store-corrections.ts';
import { eventKey, forgetEvents, knownEvents, makeEventsKnown } from './store-events.ts';
import type { MonthRollup } from './store-rollups.ts';
import { sourceNumbers, type NumberedSource } from './store-sources.ts';
import { withLevels } from './take-in.ts';

type Wanted = { readonly arrival: Arrival; readonly source: string; readonly id: string };

/** Takes the events back that corrections name, and answers the months that changed as they are now. */
export async function takeBack(
  ctx: Ctx,
  arrivals: readonly Arrival[],
  targets: Targets,
  settle: Settle,
): Promise<readonly MonthRollup[]> {
  const fresh = await settleKnown(ctx, arrivals, settle);
  const meant = await eventsMeant(ctx, fresh, targets, settle);
  // Known from here on, or sent by somebody else at the same moment.
  const known =
    meant.length === 0
      ? new Set<string>()
      : await makeEventsKnown(
          ctx,
          meant.map(({ arrival }) => arrival.event),
        );
  await settleKnown(
    ctx,
    meant.flatMap(({ arrival }) => (known.has(eventKey(arrival.event)) ? [] : [arrival])),
    settle,
  );
  const mine = new Map(
    meant
      .filter(({ arrival }) => known.has(eventKey(arrival.event)))
      .map(({ arrival, target }): [Correction, Arrival] => [{ event: arrival.event, target }, arrival]),
  );
  if (mine.size === 0) return [];
  const stored = await storeCorrections(ctx, [...mine.keys()]);
  const late = [...mine].filter(([correction]) => !stored.has(correction)).map(([, arrival]) => arrival);
  if (late.length > 0)
    await forgetEvents(
      ctx,
      late.map(({ event }) => event),
    );
  for (const arrival of late) refuse(settle, arrival, 'usage.voided_already');
  for (const correction of stored)
    settle(required(mine.get(correction), 'its arrival'), { outcome: 'accepted' });
  return stored.size === 0
    ? []
    : countAnew(
        ctx,
        [...stored].map(({ target }) => target),
        targets,
      );
}

const refuse = (settle: Settle, arrival: Arrival, code: keyof typeof usageErrors & string): void =>
  settle(arrival, { outcome: 'rejected', id: arrival.event.id, code });

/** Settles those that were known before, and answers the others. */
async function settleKnown(ctx: Ctx, arrivals: readonly Arrival[], settle: Settle): Promise<Arrival[]> {
  if (arrivals.length === 0) return [];
  const known = await knownEvents(
    ctx,
    arrivals.map(({ event }) => event),
  );
  return arrivals.filter((arrival) => {
    if (!known.has(eventKey(arrival.event))) return true;
    settle(arrival, outcomeOf(arrival.event, known));
    return false;
  });
}

/** The event that each correction means; one that means none, or one that is taken back already, is refused. */
async function eventsMeant(
  ctx: Ctx,
  arrivals: readonly Arrival[],
  targets: Targets,
  settle: Settle,
): Promise<{ arrival: Arrival; target: VoidTarget }[]> {
  const wanted = arrivals.flatMap((arrival): Wanted[] => {
    const { id, source = arrival.event.source } = arrival.event.properties ?? {};
    if (typeof id === 'string' && typeof source === 'string') return [{ arrival, source, id }];
    refuse(settle, arrival, 'usage.void_unnamed');
    return [];
  });
  if (wanted.length === 0) return [];
  // The platform may also take back what the subscription's own organization sent.
  const ownersOf = ({ arrival }: Wanted): string[] =>
    arrival.owner === ''
      ? ['', required(targets.get(arrival.event.subscriptionId), 'a target').subscription.organizationId]
      : [arrival.owner];
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
    candidates.flatMap(({ arrival, id, numbers: own }) =>
      own.map((sourceId) => ({ sourceId, id, subscriptionId: arrival.event.subscriptionId })),
    ),
  );
  const taken = new Set<string>();
  return candidates.flatMap(({ arrival, id, numbers: own }) => {
    const target = own
      .map((sourceId) =>
        found.find(
          (one) =>
            one.sourceId === sourceId && one.id === id && one.subscriptionId === arrival.event.subscriptionId,
        ),
      )
      .find((one) => one !== undefined);
    if (!target) refuse(settle, arrival, 'usage.void_unknown');
    else if (target.isTakenBack || taken.has(eventKey(target)))
      refuse(settle, arrival, 'usage.voided_already');
    else {
      taken.add(eventKey(target));
      return [{ arrival, target }];
    }
    return [];
  });
}

async function countAnew(
  ctx: Ctx,
  taken: readonly VoidTarget[],
  targets: Targets,
): Promise<readonly MonthRollup[]> {
  const hours = new Map(
    taken.map((target): [string, CountedHour] => {
      const { subscription, service } = required(targets.get(target.subscriptionId), 'a target');
      const { timeZone } = subscription;
      const hour = hourOfTime(target.time, timeZone);
      const property = service.meter.aggregation === 'unique_count' ? (service.meter.property ?? null) : null;
      return [
        `${subscription.id} ${hour.getTime()}`,
        {
          subscriptionId: subscription.id,
          hour,
          month: monthOfTime(target.time, timeZone),
          zone: timeZone,
          property,
        },
      ];
    }),
  );
  return withLevels(ctx, taken, targets, await recount(ctx, [...hours.values()]));
}
