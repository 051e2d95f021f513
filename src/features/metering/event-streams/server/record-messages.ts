// Converts messages to events and records them through ordinary metering, in the caller's transaction. A
// message that is not usage is stored in the same transaction with the reason, and does not block the
// messages behind it.
import { chunksOf } from '#kernel/chunks.ts';
import { required } from '#kernel/assert.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readEvent } from '#features/metering/usage/rules.ts';
import { recordUsage, type ItemResult } from '#features/metering/usage/server/index.ts';
import { maxKeptBytes, maxRejected } from '../contract.ts';
import { eventsOfJson, eventsOfResult, isRejected, maxMessageBytes, readJson, tooLarge } from '../rules.ts';
import type { Evaluator } from './evaluate.ts';
import { StreamFailure, type Incoming, type Lost } from './reader.ts';
import type { StreamRow } from './store.ts';
import { countRejected, keepRejected, type NewRejection } from './store-rejected.ts';

/**
 * A message as text. Bytes that are not UTF-8, and NUL, which PostgreSQL cannot store, make it incomplete.
 */
export type MessageText = {
  readonly position: string;
  readonly positionId: string | null;
  readonly place: number;
  readonly topic: string;
  readonly text: string;
  readonly isWhole: boolean;
  readonly isUnreadable?: boolean;
  readonly sentAt: Date;
};

/** Converts an incoming message to text; without a time from the broker, its time is its arrival. */
export function textOf(
  { position, positionId, topic, payload, sentAt, isUnreadable = false }: Incoming,
  now: Date,
): MessageText {
  const isLong = payload.byteLength > maxMessageBytes;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, isLong ? maxKeptBytes : payload.byteLength);
  const text = bytes.toString('utf8');
  const isReadable = Buffer.from(text).equals(bytes) && !text.includes('\0');
  return {
    position,
    positionId: positionId ?? null,
    place: 0,
    topic: topic.slice(0, 500),
    text: text.replaceAll('\0', '').toWellFormed(),
    isWhole: !isLong && isReadable && !isUnreadable,
    isUnreadable,
    // A broker whose clock is ahead must not put usage into the future.
    sentAt: sentAt && sentAt < now ? sentAt : now,
  };
}

type Rejection = { readonly code: string; readonly params: TextParams };
/** A message with the events it contains, or why it contains none. */
export type MadeMessage = { readonly message: MessageText } & (
  | { readonly events: readonly unknown[] }
  | { readonly rejection: Rejection }
);

/** Converts messages to events, in order. */
export async function makeEvents(
  row: Pick<StreamRow, 'id' | 'format'>,
  evaluator: Evaluator,
  messages: readonly MessageText[],
  renew: () => Promise<void>,
): Promise<MadeMessage[]> {
  const isMapped = row.format === 'mapped';
  const read = messages.map((message) => {
    if (message.isUnreadable)
      return { code: 'eventstreams.row_unreadable', params: { row: message.position } } as const;
    if (!message.isWhole && message.text.length >= maxKeptBytes) return tooLarge;
    return message.isWhole
      ? readJson(message.text, isMapped)
      : ({ code: 'eventstreams.message_no_json', params: {} } as const);
  });
  if (!isMapped)
    return messages.map((message, place) => {
      const json = required(read[place], 'what was read');
      const events = 'code' in json ? json : eventsOfJson(json.value);
      return isRejected(events) ? { message, rejection: events } : { message, events };
    });
  const readable = messages.flatMap((message, place) => {
    const json = read[place];
    return json && 'value' in json
      ? [{ place, value: json.value, topic: message.topic, sentAt: message.sentAt.toISOString() }]
      : [];
  });
  const results = await evaluator.evaluate(
    readable.map(({ value, topic, sentAt }) => ({ value, topic, sentAt })),
    renew,
  );
  const resultOf = new Map(readable.map(({ place }, index) => [place, results[index]]));
  return messages.map((message, place) => {
    const json = required(read[place], 'what was read');
    if ('code' in json) return { message, rejection: json };
    const result = required(resultOf.get(place), 'the result of a message');
    if ('error' in result) {
      const rejection: Rejection = result.isSlow
        ? { code: 'eventstreams.mapping_too_slow', params: {} }
        : { code: 'eventstreams.mapping_failed', params: { reason: result.error } };
      return { message, rejection };
    }
    const events = eventsOfResult(result.result, {
      source: `/event-streams/${row.id}`,
      positionId: message.positionId ?? undefined,
    });
    return isRejected(events) ? { message, rejection: events } : { message, events };
  });
}

/** Reads an event as metering does. Without a time, its time is when the broker received its message. */
export function readEventOf(event: unknown, message: MessageText, now: Date): ReturnType<typeof readEvent> {
  const isUntimed =
    typeof event === 'object' && event !== null && ((event as { time?: unknown }).time ?? null) === null;
  return readEvent(event, isUntimed ? message.sentAt : now);
}

export type RecordedCounts = {
  readonly messages: number;
  readonly events: number;
  readonly duplicates: number;
  /** The messages of which something was rejected. */
  readonly rejected: ReadonlySet<MessageText>;
};

/** The number of events recorded at a time. */
const largestSlice = 10_000;
const platform = { organizationId: null, keyId: null } as const;

/** Records messages, and stores rejected ones. @throws StreamFailure `rejected_full` */
export async function recordMessages(
  ctx: Ctx,
  row: Pick<StreamRow, 'id' | 'format'>,
  made: readonly MadeMessage[],
): Promise<RecordedCounts> {
  const events = made.flatMap((each) =>
    'events' in each ? each.events.map((event, index) => ({ event, index, message: each.message })) : [],
  );
  const results: ItemResult[] = [];
  for (const slice of chunksOf(events, largestSlice)) {
    const read = slice.map(({ event, message }) => readEventOf(event, message, ctx.now));
    results.push(...(await recordUsage(ctx, read, platform)));
  }
  const kept: NewRejection[] = made.flatMap((each) =>
    'rejection' in each
      ? [rejectionOf(each.message, each.rejection, each.message.text, each.message.place)]
      : [],
  );
  const rejected = new Set(made.flatMap((each) => ('rejection' in each ? [each.message] : [])));
  for (const [at, { event, index, message }] of events.entries()) {
    const result = results[at];
    if (result?.outcome !== 'rejected') continue;
    const rejection = { code: result.code, params: result.params ?? {} };
    if (row.format === 'cloudevents')
      kept.push(rejectionOf(message, rejection, JSON.stringify(event) ?? '', message.place + index));
    // A mapped message is stored as a whole: another mapping makes other events from it.
    else if (!rejected.has(message)) kept.push(rejectionOf(message, rejection, message.text, message.place));
    rejected.add(message);
  }
  await keep(ctx, row.id, kept);
  return {
    messages: made.length,
    events: results.filter(({ outcome }) => outcome === 'accepted').length,
    duplicates: results.filter(({ outcome }) => outcome === 'duplicate').length,
    rejected,
  };
}

/** Records messages that the broker deleted before they were read. */
export const keepLost = (ctx: Ctx, streamId: string, lost: readonly Lost[]): Promise<void> =>
  keep(
    ctx,
    streamId,
    lost.map(({ position, topic, count }) => ({
      position,
      positionId: null,
      place: 0,
      topic,
      code: 'eventstreams.messages_lost',
      params: { count: Number(count) },
      payload: '',
      isComplete: false,
      sentAt: ctx.now,
    })),
  );

/** A message that is not stored must not be acknowledged, so a full list stops the stream. */
async function keep(ctx: Ctx, streamId: string, kept: readonly NewRejection[]): Promise<void> {
  if (kept.length === 0) return;
  await keepRejected(ctx, streamId, kept);
  if ((await countRejected(ctx, streamId)) > maxRejected)
    throw new StreamFailure('rejected_full', String(maxRejected));
}

function rejectionOf(
  { position, positionId, topic, sentAt, isWhole }: MessageText,
  { code, params }: Rejection,
  payload: string,
  place: number,
): NewRejection {
  const isLong = payload.length > maxKeptBytes;
  return {
    position,
    positionId,
    place,
    topic,
    code,
    params: storable(params),
    payload: isLong ? payload.slice(0, maxKeptBytes).toWellFormed() : payload,
    isComplete: isWhole && !isLong,
    sentAt,
  };
}

/** Removes from parameters what PostgreSQL cannot store: a message may contain anything. */
const storable = (params: TextParams): TextParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, 500) : value,
    ]),
  );
