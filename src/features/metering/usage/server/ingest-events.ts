// How events become usage, from request to commit: parse, authorize, deduplicate, rate, store, publish.
import { oncePer } from '#kernel/once.ts';
import { required } from '#kernel/assert.ts';
import type { Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { groupCommit } from './group-commit.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import type { Actor, App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RawInput, Reply } from '#platform/server/unit-of-work/feature.ts';
import { isUniqueViolation, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { usageErrors, type usage } from '../contract.ts';
import { readEvent } from '../rules.ts';
import { authorizeEvents } from './authorize-events.ts';
import { boundCells } from './cells.ts';
import { applyCorrections } from './corrections.ts';
import { answerRepeats, claimNewEvents, rejectUnlessKnown, splitRepeats } from './deduplicate-events.ts';
import {
  accepted,
  type IncomingEvent,
  type ItemResult,
  type Origin,
  type ParsedCall,
  type UncountableEvent,
  type Respond,
} from './incoming-events.ts';
import { ensurePartitions } from './partitions.ts';
import { answerOf, readRequest } from './payload.ts';
import { publishRejected, publishUsage, type RawCall } from './publish-usage.ts';
import { storeStreamLevels } from './named-levels.ts';
import { rateEvents, samplesOf, streamsIn, withLevels, withUniqueCounts } from './rate-events.ts';
import {
  cachedRatingContext,
  metersWithAddOns,
  subscriptionIdsIn,
  targetOf,
  type RatingContext,
  type Targets,
} from './rating-context.ts';
import { numberEventSources } from './sources.ts';
import { storeEvents } from './store-events.ts';
import type { MonthRollup } from './store-rollups.ts';
import { addSamples } from './store-samples.ts';

/** Parsing a body of this size blocks the event loop noticeably, so the request yields first. */
const longBodyBytes = 32 * 1024;
/**
 * A larger call runs in its own transaction: it gains nothing from sharing one and would delay the other
 * calls.
 */
const largestGroupedCall = 20;

/**
 * POST /usage/events: CloudEvents over HTTP, single or batched. Responds after the commit, so counted events
 * are durable.
 */
export async function ingest(ctx: Ctx, _input: object, reply: Reply): Promise<Out<typeof usage.ingest>> {
  const items = await parseRequest(reply.raw);
  return answerOf(await ingestEvents(ctx.app, items, originOf(ctx.actor)), ctx.text);
}

/** Step "parse": reads the items of a request. */
async function parseRequest(request: RawInput | undefined): Promise<readonly unknown[]> {
  if (!request) throw domainError(usageErrors, 'usage.malformed');
  if (request.bytes.length >= longBodyBytes) await yieldToEventLoop();
  const items = readRequest(request);
  if ('code' in items) throw domainError(usageErrors, items.code, items.params);
  return items;
}

const originOf = (actor: Actor): Origin =>
  actor.kind === 'apiKey'
    ? { organizationId: actor.organizationId, keyId: actor.keyId }
    : { organizationId: null, keyId: null };

/**
 * Records the items of one call, CloudEvents received over HTTP or MQTT, and returns a result for each after
 * the commit. Invalid items of one call never affect another call.
 */
export async function ingestEvents(
  app: App,
  items: readonly unknown[],
  origin: Origin,
): Promise<ItemResult[]> {
  const isLarge = items.length > largestGroupedCall;
  if (isLarge) await yieldToEventLoop();
  const call = { items, origin, events: parseItems(items, app.clock.now()) };
  if (!isLarge) return groupOf(app)(call);
  await yieldToEventLoop();
  return required((await commitCalls(app, [call]))[0], 'the results of the call');
}

/** Step "parse": reads each item as an event, or returns why it is not one. */
const parseItems = (items: readonly unknown[], now: Date): ParsedCall['events'] =>
  items.map((item) => readEvent(item, now));

type Group = (call: RawCall) => Promise<ItemResult[]>;
/** Small calls that arrive at the same time share one transaction. */
const groupOf = oncePer((app: App): Group =>
  groupCommit(
    (calls: readonly RawCall[]) => commitCalls(app, calls),
    (error, size) => app.log.warn({ err: error, calls: size }, 'metering calls are recorded one by one'),
  ),
);

/**
 * How known events are found. Nearly all events are new, so calls are first recorded as `optimistic`: storing
 * a known event fails, and the calls are then recorded again as `careful`, which looks for known events
 * before storing.
 */
type Deduplication = 'optimistic' | 'careful';
const actor = { kind: 'system', name: 'metering' } as const;

/** Records calls in one transaction and returns the results of each. */
async function commitCalls(
  app: App,
  calls: readonly RawCall[],
  deduplication: Deduplication = 'optimistic',
): Promise<ItemResult[][]> {
  const context = await cachedRatingContext(app, subscriptionIdsIn(calls));
  try {
    return await unitOfWork(app, { actor, keepsCachedReads: true }, async (ctx) => {
      const results = await recordCalls(ctx, calls, context, deduplication);
      await publishRejected(ctx, calls, results);
      return results;
    });
  } catch (error) {
    if (deduplication === 'careful' || !isUniqueViolation(error)) throw error;
    return commitCalls(app, calls, 'careful');
  }
}

/** Records calls in the caller's transaction, as if one after the other, and returns each call's results. */
export async function recordCalls(
  ctx: Ctx,
  calls: readonly ParsedCall[],
  context: RatingContext,
  deduplication: Deduplication,
): Promise<ItemResult[][]> {
  const { targets } = context;
  const results: ItemResult[] = [];
  const respond: Respond = ({ place }, result) => void (results[place] = result);

  const allowed = await boundCells(ctx, authorizeEvents(calls, context, respond), targets);
  const authorized = await numberEventSources(ctx, allowed);
  await rejectUnlessKnown(ctx, authorized.filter(isUncountable), respond);
  const { first, repeats } = splitRepeats(authorized.filter((each) => !isUncountable(each)));
  const corrections = first.filter((each) => isCorrection(each, targets));
  const countable = first.filter((each) => !isCorrection(each, targets));

  const months = await countEvents(ctx, countable, targets, deduplication, respond);
  const corrected = await applyCorrections(ctx, corrections, context, respond);
  answerRepeats(repeats, (place) => required(results[place], 'the result of the first one'), respond);
  await publishUsage(ctx, [...months, ...corrected], targets);

  let from = 0;
  return calls.map(({ events }) => results.slice(from, (from += events.length)));
}

/**
 * Deduplicates, rates and stores events that are not corrections, and returns the changed months with their
 * new values.
 */
async function countEvents(
  ctx: Ctx,
  incoming: readonly IncomingEvent[],
  targets: Targets,
  deduplication: Deduplication,
  respond: Respond,
): Promise<readonly MonthRollup[]> {
  const claim = deduplication === 'optimistic';
  const fresh = claim ? incoming : await claimNewEvents(ctx, incoming, respond);
  if (fresh.length === 0) return [];
  const events = fresh.map(({ event }) => event);
  await ensurePartitions(ctx, events);
  const streams = streamsIn(events, targets);
  const deltas = await rateEvents(ctx, events, streams, targets);
  const stored = await storeEvents(ctx, events, deltas, { claim });
  for (const each of fresh) respond(each, accepted);
  await addSamples(ctx, samplesOf(streams, targets));
  const months = await withUniqueCounts(ctx, streams, targets, stored);
  await storeStreamLevels(ctx, streams, targets);
  return withLevels(ctx, events, targets, months);
}

const isUncountable = (incoming: IncomingEvent): incoming is UncountableEvent =>
  incoming.rejection !== undefined;

/** The authorize step accepts only the meters' event types and corrections. */
const isCorrection = ({ event }: IncomingEvent, targets: Targets): boolean =>
  metersWithAddOns(targetOf(targets, event)).every(({ eventType }) => eventType !== event.type);
