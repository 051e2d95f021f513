// Rejected messages: list, retry and delete them.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { rejectionText } from '#features/metering/usage/rules.ts';
import { eventStreamsErrors, type eventStreams, type Rejected } from '../contract.ts';
import { evaluatorOf, type Evaluator } from './evaluate.ts';
import { makeEvents, recordMessages, type MessageText } from './record-messages.ts';
import { recordBatch, tryAtOnce, type StreamRow } from './store.ts';
import {
  countRejected,
  deleteRejected,
  pageOfRejected,
  rejectedToTry,
  type RejectedRow,
} from './store-rejected.ts';
import { knownStream, lockedStream } from './streams.ts';

const triedAtOnce = 500;

/** Translates a reason of metering or of the stream. */
export const reasonText = (ctx: Ctx, code: string, params: TextParams): string =>
  rejectionText((key, values) => ctx.text(key, values), code, params);

export async function listRejectedMessages(
  ctx: Ctx,
  input: In<typeof eventStreams.listRejectedMessages>,
): Promise<Page<Rejected>> {
  await knownStream(ctx, input.streamId);
  return pageOfRejected(ctx, input.streamId, input, (row): Rejected => ({
    id: row.id,
    position: row.position,
    topic: row.topic,
    code: row.code,
    message: reasonText(ctx, row.code, row.params),
    payload: row.payload,
    isComplete: row.isComplete,
    receivedAt: row.receivedAt,
  }));
}

/**
 * Retries messages as they were received, with the current mapping, in separate units of work of a few
 * hundred messages. Those rejected again are kept with the new reason.
 */
export async function retryRejectedMessages(
  ctx: Ctx,
  { streamId, rejectedId }: In<typeof eventStreams.retryRejectedMessages>,
): Promise<Out<typeof eventStreams.retryRejectedMessages>> {
  const row = await knownStream(ctx, streamId);
  const evaluator = evaluatorOf(row.expression);
  let [mended, rejected, after] = [0, 0, ''];
  try {
    for (;;) {
      const rows = await rejectedToTry(ctx, streamId, rejectedId, triedAtOnce, after);
      assertTryable(rows, rejectedId);
      if (rows.length === 0) break;
      const done = await retryChunk(ctx, row, evaluator, rows);
      mended += done.mended;
      rejected += rows.length - done.mended;
      after = rows.at(-1)?.id ?? '';
      if (rejectedId !== undefined || rows.length < triedAtOnce) break;
    }
  } finally {
    await evaluator.close();
  }
  const left = await unitOfWork(ctx.app, { actor: ctx.actor }, async (unit) => {
    if (mended > 0) await tryAtOnce(unit, streamId);
    unit.audit('eventstreams.retryRejectedMessages', streamId, { rejectedId, mended, rejected });
    unit.publish('system/event-streams', { kind: 'event-streams' });
    return countRejected(unit, streamId);
  });
  return { mended, rejected, left };
}

function assertTryable(rows: readonly RejectedRow[], rejectedId: string | undefined): void {
  if (rejectedId === undefined) return;
  if (rows.length === 0) throw domainError(eventStreamsErrors, 'eventstreams.rejected_not_found');
  if (rows[0]?.isComplete !== true) throw domainError(eventStreamsErrors, 'eventstreams.incomplete');
}

async function retryChunk(
  { app, actor }: Ctx,
  row: StreamRow,
  evaluator: Evaluator,
  rows: readonly RejectedRow[],
): Promise<{ readonly mended: number }> {
  const ids = new Map<MessageText, string>(
    rows.map(({ id, position, positionId, place, topic, payload, sentAt }) => [
      { position, positionId, place, topic, text: payload, isWhole: true, sentAt },
      id,
    ]),
  );
  const made = await makeEvents(row, evaluator, [...ids.keys()], async () => undefined);
  return unitOfWork(app, { actor }, async (unit) => {
    await lockedStream(unit, row.id);
    const counts = await recordMessages(unit, row, made);
    const mended = [...ids].flatMap(([message, id]) => (counts.rejected.has(message) ? [] : [id]));
    await deleteRejected(unit, row.id, mended);
    await recordBatch(unit, row.id, { ...counts, messages: 0 });
    return { mended: mended.length };
  });
}

export async function dropRejectedMessages(
  ctx: Ctx,
  { streamId, rejectedId }: In<typeof eventStreams.dropRejectedMessages>,
): Promise<Out<typeof eventStreams.dropRejectedMessages>> {
  await lockedStream(ctx, streamId);
  const dropped = await deleteRejected(ctx, streamId, rejectedId === undefined ? undefined : [rejectedId]);
  if (rejectedId !== undefined && dropped === 0)
    throw domainError(eventStreamsErrors, 'eventstreams.rejected_not_found');
  await tryAtOnce(ctx, streamId);
  ctx.audit('eventstreams.dropRejectedMessages', streamId, { rejectedId, dropped });
  ctx.publish('system/event-streams', { kind: 'event-streams' });
  return { dropped };
}
