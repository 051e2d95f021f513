// SQL of the audit log's destinations, and of the entries waiting for them.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { FailureCode, Target } from '../contract.ts';
import type { Entry } from '../rules.ts';

export type ExportRow = {
  id: Id<'aex'>;
  name: string;
  target: Target;
  secret: Buffer | null;
  secretHint: string;
  isPaused: boolean;
  sentSeq: bigint;
  sentHash: Buffer;
  lastSentAt: Date | null;
  failingSince: Date | null;
  failures: number;
  failureCode: FailureCode | null;
  failureDetail: string | null;
  nextTryAt: Date;
  version: number;
  createdAt: Date;
};
/** A destination with its waiting entries. */
export type CountedExport = ExportRow & { waiting: bigint; waitingSince: Date | null };

const columns = sql<ExportRow>`e.id, e.name, e.target, e.secret, e.secret_hint as "secretHint", e.is_paused as "isPaused", e.sent_seq as "sentSeq", e.sent_hash as "sentHash", e.last_sent_at as "lastSentAt",
  e.failing_since as "failingSince", e.failures, e.failure_code as "failureCode", e.failure_detail as "failureDetail", e.next_try_at as "nextTryAt", e.version, e.created_at as "createdAt"`;
const counted = sql<CountedExport>`${columns}, (select greatest(h.seq - e.sent_seq, 0) from audit_head h) as waiting,
  (select l.at from audit_log l where l.seq > e.sent_seq order by l.seq limit 1) as "waitingSince"`;
const order: ListOrder = {
  by: {
    name: { expression: sql`e.name`, cast: 'text' },
    createdAt: { expression: sql`e.created_at`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`e.id`,
};

/** One page of destinations. */
export const pageOfExports = (ctx: Ctx, input: SearchInput): Promise<Page<CountedExport>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: counted,
      from: sql`audit_export e`,
      where: allOf(input.q && sql`e.name ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

/** All destinations, for metrics. */
export async function exportFigures(ctx: Pick<Ctx, 'db'>): Promise<CountedExport[]> {
  const { rows } = await sql<CountedExport>`select ${counted} from audit_export e order by e.id`.execute(
    ctx.db,
  );
  return rows;
}

export async function exportById(ctx: Ctx, id: string): Promise<CountedExport | undefined> {
  const { rows } = await sql<CountedExport>`select ${counted} from audit_export e where e.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns one destination, locked until the transaction ends. */
export async function lockExport(ctx: Ctx, id: string): Promise<ExportRow | undefined> {
  const { rows } =
    await sql<ExportRow>`select ${columns} from audit_export e where e.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

export const countExports = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`audit_export`, where: sql`true` });

/** Returns the end of the chain: position and hash of its last entry. */
export async function chainEnd(ctx: Ctx): Promise<{ readonly seq: bigint; readonly hash: Buffer }> {
  const { rows } = await sql<{ seq: bigint; hash: Buffer }>`select seq, hash from audit_head`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw new Error('the audit chain has no head');
  return head;
}

export async function insertExport(
  ctx: Ctx,
  made: Pick<ExportRow, 'id' | 'name' | 'target' | 'secret' | 'secretHint' | 'sentSeq' | 'sentHash'>,
): Promise<void> {
  await sql`insert into audit_export (id, name, target, secret, secret_hint, sent_seq, sent_hash, next_try_at, created_at)
    values (${made.id}, ${made.name}, ${JSON.stringify(made.target)}::jsonb, ${made.secret}, ${made.secretHint}, ${made.sentSeq}, ${made.sentHash}, ${ctx.now}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/**
 * Changes an Admin's settings, and retries at once. A delivery in progress to the old address is not
 * acknowledged for the new one.
 */
export async function changeExport(
  ctx: Ctx,
  id: string,
  to: Pick<ExportRow, 'name' | 'target' | 'secret' | 'isPaused'>,
): Promise<void> {
  await sql`update audit_export set name = ${to.name}, target = ${JSON.stringify(to.target)}::jsonb, secret = ${to.secret}, is_paused = ${to.isPaused}, next_try_at = ${ctx.now}, failures = 0, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}

export async function deleteExportRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from audit_export where id = ${id}`.execute(ctx.db);
}

/** Schedules an immediate retry of a destination. */
export async function tryAtOnce(ctx: Ctx, id: string): Promise<void> {
  await sql`update audit_export set next_try_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

/** Claims destinations with waiting entries; no other process claims them before `until`. */
export async function claimExports(ctx: Ctx, until: Date): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`update audit_export e set claimed_until = ${until} where e.id in
    (select x.id from audit_export x where not x.is_paused and x.next_try_at <= ${ctx.now} and (x.claimed_until is null or x.claimed_until < ${ctx.now})
      and x.sent_seq <> (select seq from audit_head) for update skip locked) returning ${columns}`.execute(
    ctx.db,
  );
  return rows;
}

/** Releases a destination, to be tried again from `nextTryAt` on. */
export async function releaseExport(ctx: Ctx, id: string, nextTryAt: Date): Promise<void> {
  await sql`update audit_export set claimed_until = null, next_try_at = ${nextTryAt} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Returns the next entries after a position, in order, exactly as they were hashed. */
export async function entriesAfter(ctx: Ctx, seq: bigint, most: number): Promise<Entry[]> {
  const { rows } = await sql<
    Omit<Entry, 'seq'> & { seq: bigint }
  >`select seq, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, actor_kind as "actorKind", coalesce(actor_id, '') as "actorId", action, coalesce(subject, '') as subject,
    detail::text as detail, request_id as "requestId", encode(hash, 'hex') as hash from audit_log where seq > ${seq} order by seq limit ${most}`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Returns the hash of the entry at a position; undefined if there is none. */
export async function hashAt(ctx: Ctx, seq: bigint): Promise<Buffer | undefined> {
  const { rows } = await sql<{ hash: Buffer }>`select hash from audit_log where seq = ${seq}`.execute(ctx.db);
  return rows[0]?.hash;
}

/**
 * Advances the position after an acknowledgment. False when the destination was changed, paused, deleted, or
 * has advanced already.
 */
export async function moveOn(
  ctx: Ctx,
  { id, version, sentSeq }: Pick<ExportRow, 'id' | 'version' | 'sentSeq'>,
  to: { readonly seq: number; readonly hash: string; readonly claimedUntil: Date },
): Promise<boolean> {
  const { rows } =
    await sql`update audit_export set sent_seq = ${to.seq}, sent_hash = decode(${to.hash}, 'hex'), last_sent_at = ${ctx.now}, claimed_until = ${to.claimedUntil}, failures = 0, failing_since = null, failure_code = null, failure_detail = null
    where id = ${id} and version = ${version} and sent_seq = ${sentSeq} and not is_paused returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores a failed attempt and the time of the next one. Returns since when all attempts have failed. */
export async function noteFailure(
  ctx: Ctx,
  { id, version }: Pick<ExportRow, 'id' | 'version'>,
  nextTryAt: Date,
  failure: { readonly code: FailureCode; readonly detail: string },
): Promise<void> {
  await sql`update audit_export set claimed_until = null, next_try_at = ${nextTryAt}, failures = failures + 1, failing_since = coalesce(failing_since, ${ctx.now}), failure_code = ${failure.code}, failure_detail = ${failure.detail.slice(0, 300)} where id = ${id} and version = ${version}`.execute(
    ctx.db,
  );
}
