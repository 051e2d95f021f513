// Turns readings into events and records them through ordinary metering, in the caller's transaction. A
// reading that cannot become an event waits, with the reason; no data of a source is dropped unless an Admin
// ignores its resource.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { readEvent } from '#features/metering/usage/rules.ts';
import { recordUsage, type ItemResult } from '#features/metering/usage/server/index.ts';
import type { Mapping, waitReasons } from '../contract.ts';
import { dimensionOf, eventKey, eventTime, ownerOf, quantityOf } from '../rules.ts';
import type { EvaluatedMeasure } from './evaluate.ts';
import type { Reading } from './source.ts';
import type { PullCounts } from './store-pulls.ts';
import {
  assignmentsOf,
  endWaiting,
  keepWaiting,
  noteResources,
  type WaitingReading,
} from './store-resources.ts';

/** A reading with the results of its mapping. */
export type EvaluatedReading = { readonly reading: Reading; readonly measures: readonly EvaluatedMeasure[] };

/** An event before metering records it. */
export type MadeEvent = {
  readonly eventType: string;
  readonly quantity: string;
  readonly dimensions: Readonly<Record<string, string>>;
};
/** The outcome of a reading. */
export type Outcome = {
  readonly evaluated: EvaluatedReading;
  readonly subscription: SubscriptionRow | undefined;
  /** The index of the rule that decided. */
  readonly rule: number | null;
  readonly isIgnored: boolean;
  readonly events: readonly MadeEvent[];
  readonly wait: { readonly reason: (typeof waitReasons)[number]; readonly params: TextParams } | undefined;
};

/** Decides who owns readings and what counts, without recording anything. */
export async function decide(
  ctx: Ctx,
  connectorId: string,
  mapping: Mapping,
  evaluated: readonly EvaluatedReading[],
): Promise<Outcome[]> {
  const assignments = await assignmentsOf(
    ctx,
    connectorId,
    evaluated.map(({ reading }) => reading.resource),
  );
  const owned = evaluated.map((each) => {
    const { resource, fields } = each.reading;
    const { assignedTo = null, isIgnored = false } = assignments.get(resource) ?? {};
    return { each, isIgnored, owner: ownerOf(mapping, fields, assignedTo) };
  });
  const ids = [...new Set(owned.flatMap(({ owner }) => owner?.subscriptionId ?? []))];
  const subscriptions = new Map<Id<'sub'>, SubscriptionRow>(
    (await subscriptionsByIds(ctx.db, ids)).map((row) => [row.id, row]),
  );
  return owned.map(({ each, isIgnored, owner }): Outcome => {
    const subscription = owner && subscriptions.get(owner.subscriptionId);
    const events = mapping.measures.map((measure, place) => madeEvent(measure, each.measures[place]));
    const missing = events.findIndex((event) => event === undefined);
    const wait = waitOf(mapping, subscription, missing);
    return {
      evaluated: each,
      subscription,
      rule: owner?.rule ?? null,
      isIgnored,
      events: events.flatMap((event) => event ?? []),
      wait: isIgnored ? undefined : wait,
    };
  });
}

/** Why a reading waits; `missing` is the index of the first measure without a quantity, or -1. */
function waitOf(
  { measures }: Mapping,
  subscription: SubscriptionRow | undefined,
  missing: number,
): Outcome['wait'] {
  if (!subscription) return { reason: 'unmapped', params: {} };
  return missing === -1
    ? undefined
    : { reason: 'quantity', params: { type: measures[missing]?.eventType ?? '' } };
}

function madeEvent(
  measure: Mapping['measures'][number],
  evaluated: EvaluatedMeasure | undefined,
): MadeEvent | undefined {
  const quantity = quantityOf(evaluated?.quantity, measure);
  if (quantity === undefined) return undefined;
  const dimensions = Object.entries(evaluated?.dimensions ?? {}).flatMap(([name, value]) => {
    const text = dimensionOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { eventType: measure.eventType, quantity, dimensions: Object.fromEntries(dimensions) };
}

/** Records readings and returns their outcomes. The caller moves the cursor in the same transaction. */
export async function recordReadings(
  ctx: Ctx,
  connector: { readonly id: Id<'con'>; readonly mapping: Mapping },
  evaluated: readonly EvaluatedReading[],
): Promise<PullCounts> {
  const outcomes = await decide(ctx, connector.id, connector.mapping, evaluated);
  const ready = outcomes.filter(({ wait, isIgnored }) => !wait && !isIgnored);
  const sent = ready.flatMap((outcome) => outcome.events.map((event) => ({ outcome, event })));
  const results =
    sent.length === 0
      ? []
      : await recordUsage(
          ctx,
          sent.map((each) => readEvent(cloudEvent(connector.id, each.outcome, each.event), ctx.now)),
          { organizationId: null, keyId: null },
        );
  const rejections = new Map<Outcome, Extract<ItemResult, { outcome: 'rejected' }>>();
  for (const [place, { outcome }] of sent.entries()) {
    const result = required(results[place], 'the result of an event');
    if (isRejection(result) && !rejections.has(outcome)) rejections.set(outcome, result);
  }
  const waiting = outcomes.flatMap((outcome): WaitingReading[] => {
    const rejection = rejections.get(outcome);
    const { reading } = outcome.evaluated;
    if (outcome.wait) return [{ reading, ...outcome.wait, code: null }];
    return rejection
      ? [{ reading, reason: 'rejected', code: rejection.code, params: rejection.params ?? {} }]
      : [];
  });
  await noteSeen(ctx, connector.id, outcomes);
  await keepWaiting(ctx, connector.id, waiting);
  await endWaiting(
    ctx,
    connector.id,
    outcomes.filter((each) => !each.wait && !rejections.has(each)).map((each) => each.evaluated.reading),
  );
  const count = (meets: (result: ItemResult) => boolean): number => results.filter(meets).length;
  return {
    readings: evaluated.length,
    accepted: count(({ outcome }) => outcome === 'accepted'),
    duplicates: count(({ outcome }) => outcome === 'duplicate'),
    differing: count(isDiffering),
    waiting: waiting.length,
    ignored: outcomes.filter(({ isIgnored }) => isIgnored).length,
  };
}

/**
 * An event of this resource, window and type was already counted with different content; the counted one is
 * kept.
 */
const isDiffering = (result: ItemResult): boolean =>
  result.outcome === 'rejected' && result.code === 'usage.conflict';
const isRejection = (result: ItemResult): result is Extract<ItemResult, { outcome: 'rejected' }> =>
  result.outcome === 'rejected' && !isDiffering(result);

/** Builds the event as a sender would send it, so that all of metering's checks apply. */
function cloudEvent(
  connectorId: string,
  { evaluated: { reading }, subscription }: Outcome,
  { eventType, quantity, dimensions }: MadeEvent,
) {
  return {
    specversion: '1.0',
    id: sha256(eventKey(reading.resource, reading.window, eventType)).toString('hex'),
    source: `/connectors/${connectorId}`,
    type: eventType,
    subject: subscription?.id,
    time: eventTime(reading.window, subscription?.startedAt).toISOString(),
    data: { ...dimensions, value: quantity },
  };
}

/** Records each resource once, with its newest reading. */
async function noteSeen(ctx: Ctx, connectorId: string, outcomes: readonly Outcome[]): Promise<void> {
  const newest = new Map<string, Outcome>();
  for (const outcome of outcomes) {
    const { resource, window } = outcome.evaluated.reading;
    const before = newest.get(resource);
    if (!before || before.evaluated.reading.window.end <= window.end) newest.set(resource, outcome);
  }
  if (newest.size === 0) return;
  await noteResources(
    ctx,
    connectorId,
    [...newest.values()].map(({ evaluated: { reading }, subscription }) => ({
      resource: reading.resource,
      subscriptionId: subscription?.id ?? null,
      fields: reading.fields,
      at: reading.window.end,
    })),
  );
}
