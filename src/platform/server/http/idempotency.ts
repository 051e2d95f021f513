// Idempotency keys: a repeated request with the same key gets the same response, and its effect happens once.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DomainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import { withSortedKeys } from '#kernel/order.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { Reply } from '../unit-of-work/feature.ts';

/** The stored response of an earlier request. */
export type StoredAnswer = { readonly status: number; readonly data: unknown };

const actorKey = (ctx: Ctx): string =>
  ctx.actor.kind === 'user'
    ? (ctx.actor.portal?.linkId ?? ctx.actor.key?.keyId ?? ctx.actor.userId)
    : ctx.actor.kind === 'apiKey'
      ? ctx.actor.keyId
      : ctx.actor.kind;

/** A stable digest of a request's input; the order of fields does not matter. */
export function requestHash(route: string, input: unknown): string {
  const canonical = JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : withSortedKeys(value),
  );
  return createHash('sha256').update(`${route}\n${canonical}`).digest('base64url');
}

/**
 * Claims a key inside the unit of work that has the effect. A second request with the key waits for the first
 * one's commit and gets its response; after a rollback it claims the key itself. The same key with another
 * body is rejected (409).
 */
export async function claimKey(
  ctx: Ctx,
  key: string,
  route: string,
  hash: string,
): Promise<StoredAnswer | undefined> {
  const actor = actorKey(ctx);
  const claimed =
    await sql`insert into idempotency_key (actor, key, route, request_hash, created_at) values (${actor}, ${key}, ${route}, ${hash}, ${ctx.now})
    on conflict do nothing returning key`.execute(ctx.db);
  if (claimed.rows.length === 1) return undefined;
  const { rows } = await sql<{
    request_hash: string;
    status: number;
    answer: unknown;
  }>`select request_hash, status, answer from idempotency_key where actor = ${actor} and key = ${key}`.execute(
    ctx.db,
  );
  const earlier = rows[0];
  if (!earlier || earlier.request_hash !== hash) throw new DomainError('platform.idempotency_conflict', 409);
  return { status: earlier.status, data: earlier.answer };
}

/** Stores the response for a claimed key. */
export async function storeAnswer(ctx: Ctx, key: string, status: number, data: unknown): Promise<void> {
  await sql`update idempotency_key set status = ${status}, answer = ${JSON.stringify(data ?? null)}::jsonb where actor = ${actorKey(ctx)} and key = ${key}`.execute(
    ctx.db,
  );
}

/**
 * For verbs with their own units of work: runs `make` once per key and stores its result; repeats get that
 * result without running it. Call it in the unit that has the effect.
 */
export async function oncePerKey(
  ctx: Ctx,
  once: Reply['once'],
  make: () => Promise<string>,
): Promise<string> {
  if (once === undefined) return make();
  const earlier = await claimKey(ctx, once.key, once.route, once.hash);
  if (typeof earlier?.data === 'string') return earlier.data;
  // The key was first used when such calls needed approval, so there is no response to repeat, and nothing
  // may happen twice.
  if (earlier) throw new DomainError('platform.idempotency_conflict', 409);
  const made = await make();
  await storeAnswer(ctx, once.key, 200, made);
  return made;
}

const retentionHours = 72;

/** Deletes keys older than {@link retentionHours}. */
export async function deleteOldKeys(ctx: Ctx): Promise<void> {
  await sql`delete from idempotency_key where created_at < ${new Date(ctx.now.getTime() - retentionHours * hourMs)}`.execute(
    ctx.db,
  );
}
