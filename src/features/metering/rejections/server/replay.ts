// Sends rejected events again with the permissions of the key that first sent them, whichever user triggers
// it.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readEvent } from '#features/metering/usage/rules.ts';
import { recordUsage, type ItemResult } from '#features/metering/usage/server/index.ts';
import { rejectionsErrors, type Replayed, type ReplayedChunk, type rejections } from '../contract.ts';
import { storableParams, longestRaw } from '../rules.ts';
import { digestOf } from './record-rejected.ts';
import { reasonText, scopeOf } from './read.ts';
import {
  countAfter,
  markReplayed,
  openOfReason,
  rejectedById,
  replaceReasons,
  type StoredRejection,
} from './store.ts';

const chunkSize = 200;
type Sent = { readonly row: StoredRejection; readonly raw: unknown };

/**
 * Sends one event again, unchanged or corrected. An event rejected again stays open, with the new reason if
 * its content is the same.
 */
export async function replayRejected(
  ctx: Ctx,
  input: In<typeof rejections.replayRejected>,
): Promise<Replayed> {
  const scope = scopeOf(ctx);
  const row = await rejectedById(ctx, scope, input.rejectedId, true);
  if (!row) throw domainError(rejectionsErrors, 'rejections.not_found');
  if (row.state === 'replayed') throw domainError(rejectionsErrors, 'rejections.replayed_already');
  const isMended = input.event !== undefined;
  if (!isMended && !row.isComplete)
    throw domainError(rejectionsErrors, 'rejections.incomplete', {}, ['event']);
  const repaired = isMended ? JSON.stringify(input.event) : null;
  if (repaired !== null && repaired.length > longestRaw)
    throw domainError(rejectionsErrors, 'rejections.too_long', { most: longestRaw }, ['event']);
  const sent = { row, raw: isMended ? input.event : (JSON.parse(row.raw) as unknown) };
  const result = required((await record(ctx, [sent]))[0], 'the result of one event');
  if (result.outcome === 'rejected') {
    if (!isMended) await replaceReasons(ctx, [changeOf(sent, result)]);
    return {
      outcome: 'rejected',
      code: result.code,
      message: reasonText(ctx, result.code, result.params ?? {}),
    };
  }
  await markReplayed(ctx, [row.id], person(ctx).userId, repaired);
  return { outcome: result.outcome, code: null, message: null };
}

/** Sends the next open events of a reason again, for example after the missing subscription was created. */
export async function replayReason(
  ctx: Ctx,
  input: In<typeof rejections.adminReplayReason>,
): Promise<ReplayedChunk> {
  const scope = scopeOf(ctx, input.organizationId);
  const rows = await openOfReason(ctx, scope, input, chunkSize);
  const sent = rows.filter((row) => row.isComplete).map((row): Sent => ({ row, raw: JSON.parse(row.raw) }));
  const results = await record(ctx, sent);
  const last = rows.at(-1)?.id;
  const left = last === undefined ? 0 : await countAfter(ctx, scope, { ...input, after: last });
  const counted = sent.filter((_, index) => results[index]?.outcome !== 'rejected');
  if (counted.length > 0)
    await markReplayed(
      ctx,
      counted.map(({ row }) => row.id),
      person(ctx).userId,
      null,
    );
  await replaceReasons(
    ctx,
    sent.flatMap((each, index) => {
      const result = results[index];
      return result?.outcome === 'rejected' ? [changeOf(each, result)] : [];
    }),
  );
  const count = (outcome: ItemResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    accepted: count('accepted'),
    duplicates: count('duplicate'),
    rejected: rows.length - count('accepted') - count('duplicate'),
    next: left > 0 ? (last ?? null) : null,
    left,
  };
}

function changeOf(
  { row }: Sent,
  { code, params = {} }: Extract<ItemResult, { outcome: 'rejected' }>,
): { id: string; code: string; params: Record<string, string>; digest: Buffer } {
  const stored = storableParams(params);
  return {
    id: row.id,
    code,
    params: stored,
    digest: digestOf({ keyId: row.keyId, code, params: stored, content: row.raw }),
  };
}

/** Records events through the same pipeline as their keys' calls; returns results in order. */
async function record(ctx: Ctx, sent: readonly Sent[]): Promise<ItemResult[]> {
  // An event without a time gets the time it was first received, not the time of the replay.
  const read = sent.map(({ row, raw }) => readEvent(raw, isUntimed(raw) ? row.firstReceivedAt : ctx.now));
  const results: ItemResult[] = [];
  for (const [, places] of Map.groupBy(sent.keys(), (place) => sent[place]?.row.keyId)) {
    const { keyOrganizationId: organizationId, keyId } = required(
      sent[places[0] ?? 0],
      'the first of a key',
    ).row;
    const recorded = await recordUsage(
      ctx,
      places.map((place) => required(read[place], 'what was read')),
      { organizationId, keyId },
    );
    for (const [index, place] of places.entries())
      results[place] = required(recorded[index], 'a result for each event');
  }
  return results;
}

const isUntimed = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && (raw as { time?: unknown }).time === undefined;
