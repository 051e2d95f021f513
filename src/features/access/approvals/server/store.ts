// SQL of requests for approval.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, rowItself, type List } from '#platform/server/database/paging.ts';
import type { Approval } from '../contract.ts';

export type ApprovalRow = Omit<Approval, 'title'> & {
  readonly keyId: Id<'key'> | null;
  readonly sealedCall: Buffer | null;
  readonly sealedOutcome: Buffer | null;
  readonly sealedSecrets: Buffer | null;
  readonly failureCode: string | null;
  readonly failureParams: TextParams | null;
};

// A request counts as expired from its deadline on, even before the job has marked it.
const columns = (now: Date) => sql<ApprovalRow>`a.id, a.call, a.subject,
  case when a.state = 'waiting' and a.expires_at <= ${now} then 'expired' else a.state end as state,
  json_build_object('id', a.requested_by, 'name', coalesce(u.name, a.requested_by)) as "requestedBy", k.name as "byKey", a.key_id as "keyId", a.requested_at as "requestedAt", a.expires_at as "expiresAt",
  case when a.decided_by is not null then json_build_object('id', a.decided_by, 'name', coalesce(d.name, a.decided_by)) end as "decidedBy", a.decided_at as "decidedAt", a.note,
  case when a.state = 'waiting' and a.expires_at <= ${now} then a.expires_at else a.ended_at end as "endedAt",
  a.sealed_call as "sealedCall", a.sealed_outcome as "sealedOutcome", a.sealed_secrets as "sealedSecrets", a.failure_code as "failureCode", a.failure_params as "failureParams"`;
const tables = sql`approval a left join app_user u on u.id = a.requested_by left join app_user d on d.id = a.decided_by left join api_key k on k.id = a.key_id`;

export type Filter = {
  readonly only?: 'waiting' | 'ended' | undefined;
  /** Null: everybody's. */
  readonly requestedBy: string | null;
};

const whereOf = (now: Date, { only, requestedBy }: Filter) =>
  sql`${requestedBy === null ? sql`true` : sql`a.requested_by = ${requestedBy}`} and ${
    only === undefined
      ? sql`true`
      : only === 'waiting'
        ? sql`a.ended_at is null and (a.state = 'approved' or a.expires_at > ${now})`
        : sql`(a.ended_at is not null or (a.state = 'waiting' and a.expires_at <= ${now}))`
  }`;

const list = (now: Date, filter: Filter): List<ApprovalRow> => ({
  columns: columns(now),
  from: tables,
  where: whereOf(now, filter),
  order: { by: { id: { expression: sql`a.id`, cast: 'text' } }, usual: '-id', id: sql`a.id` },
});

/** Returns one page of the requests, newest first. */
export const pageOfApprovals = (
  ctx: Ctx,
  filter: Filter,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<ApprovalRow>> => readPage(ctx.db, page, list(ctx.now, filter), rowItself);

export async function approvalOf(ctx: Ctx, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`select ${columns(ctx.now)} from ${tables} where a.id = ${approvalId}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Counts the requests that await a decision, without those of the user `except`. */
export async function countWaiting(ctx: Ctx, except: string | null): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from approval where state = 'waiting' and expires_at > ${ctx.now} and requested_by is distinct from ${except}`.execute(
    ctx.db,
  );
  return rows[0]?.total ?? 0;
}

/**
 * Returns the active Admins who can approve: those without a custom role, and those whose custom role allows
 * it.
 */
export async function approvers(ctx: Ctx): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`select u.id from app_user u left join custom_role r on r.id = u.custom_role_id
    where u.role = 'Admin' and u.status = 'active' and (u.custom_role_id is null or 'approvals:write' = any(r.permissions)) order by u.id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

export async function insertApproval(
  ctx: Ctx,
  made: {
    readonly id: Id<'apr'>;
    readonly call: string;
    readonly subject: string | null;
    readonly sealedCall: Buffer;
    readonly requestedBy: string;
    readonly keyId: string | null;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await sql`insert into approval (id, call, subject, sealed_call, requested_by, key_id, requested_at, expires_at, state)
    values (${made.id}, ${made.call}, ${made.subject}, ${made.sealedCall}, ${made.requestedBy}, ${made.keyId}, ${ctx.now}, ${made.expiresAt}, 'waiting')`.execute(
    ctx.db,
  );
}

/** Decides a waiting request, once. @returns whether it was waiting */
export async function decideOnce(
  ctx: Ctx,
  approvalId: string,
  decision: {
    readonly state: 'approved' | 'rejected' | 'withdrawn';
    readonly by: string | null;
    readonly note: string;
  },
): Promise<boolean> {
  const { state, by, note } = decision;
  const { rows } =
    await sql`update approval set state = ${state}, decided_by = ${by}, decided_at = ${by === null ? null : ctx.now}, note = ${note}, ended_at = ${state === 'approved' ? null : ctx.now}
    where id = ${approvalId} and state = 'waiting' and expires_at > ${ctx.now} returning id`.execute(ctx.db);
  return rows.length === 1;
}

/** A call with its own transactions whose run has not reported for this long counts as dead. */
const longestRunHours = 1;
const notRunning = (now: Date) =>
  sql`(started_at is null or started_at < ${new Date(now.getTime() - longestRunHours * hourMs)})`;

/**
 * Locks an approved request until the transaction ends. @returns false when it has run already or is running
 */
export async function claimRun(ctx: Ctx, approvalId: string): Promise<boolean> {
  const { rows } =
    await sql`update approval set started_at = ${ctx.now} where id = ${approvalId} and state = 'approved' and ${notRunning(ctx.now)} returning id`.execute(
      ctx.db,
    );
  return rows.length === 1;
}

export async function storeDone(
  ctx: Ctx,
  approvalId: string,
  sealedOutcome: Buffer,
  sealedSecrets: Buffer | null,
): Promise<void> {
  await sql`update approval set state = 'done', ended_at = ${ctx.now}, sealed_outcome = ${sealedOutcome}, sealed_secrets = ${sealedSecrets} where id = ${approvalId} and state = 'approved'`.execute(
    ctx.db,
  );
}

/** Stores a failure. @returns whether the request had yet to run */
export async function storeFailed(
  ctx: Ctx,
  approvalId: string,
  code: string,
  params: TextParams,
): Promise<boolean> {
  const { rows } =
    await sql`update approval set state = 'failed', ended_at = ${ctx.now}, failure_code = ${code}, failure_params = ${JSON.stringify(params)}::jsonb where id = ${approvalId} and state = 'approved' returning id`.execute(
      ctx.db,
    );
  return rows.length === 1;
}

/** Lets a run that hit a transient error start again. */
export async function releaseRun(ctx: Ctx, approvalId: string): Promise<void> {
  await sql`update approval set started_at = null where id = ${approvalId} and state = 'approved'`.execute(
    ctx.db,
  );
}

/** Returns approved requests whose run never started, or died. */
export async function strandedRuns(ctx: Ctx): Promise<Id<'apr'>[]> {
  const { rows } = await sql<{
    id: Id<'apr'>;
  }>`select id from approval where state = 'approved' and ended_at is null and ${notRunning(ctx.now)} order by id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Expires requests that nobody decided in time. */
export async function expireWaiting(ctx: Ctx): Promise<Id<'apr'>[]> {
  const { rows } = await sql<{
    id: Id<'apr'>;
  }>`update approval set state = 'expired', ended_at = ${ctx.now} where state = 'waiting' and ended_at is null and expires_at <= ${ctx.now} returning id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Deletes secrets of answers that nobody fetched, and the calls of requests that ended long ago. */
export async function forgetOld(ctx: Ctx, secretsBefore: Date, callsBefore: Date): Promise<void> {
  await sql`update approval set sealed_secrets = null where ended_at < ${secretsBefore} and sealed_secrets is not null`.execute(
    ctx.db,
  );
  await sql`update approval set sealed_call = null, sealed_outcome = null, subject = null where ended_at < ${callsBefore} and sealed_call is not null`.execute(
    ctx.db,
  );
}

/**
 * Returns requests with contents that have not been deleted, ordered by id, except those that are running or
 * about to run.
 */
export async function sealedAfter(
  ctx: Ctx,
  after: string,
  limit: number,
): Promise<Pick<ApprovalRow, 'id' | 'subject' | 'note' | 'sealedCall' | 'sealedOutcome'>[]> {
  const { rows } = await sql<
    Pick<ApprovalRow, 'id' | 'subject' | 'note' | 'sealedCall' | 'sealedOutcome'>
  >`select id, subject, note, sealed_call as "sealedCall", sealed_outcome as "sealedOutcome" from approval
    where id > ${after} and state <> 'approved' and (sealed_call is not null or subject is not null or note <> '') order by id limit ${limit}`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Deletes the contents of requests. Waiting requests end; failed ones lose their reason, because it may name
 * people.
 */
export async function eraseContents(
  ctx: Ctx,
  ids: readonly Id<'apr'>[],
): Promise<{ forgotten: number; ended: Id<'apr'>[] }> {
  const { rows } = await sql<{ id: Id<'apr'>; wasWaiting: boolean }>`
    with told as (select id, state = 'waiting' as waits from approval where id = any(${[...ids]}::text[]) and state <> 'approved' for update)
    update approval a set subject = null, note = '', sealed_call = null, sealed_outcome = null, sealed_secrets = null,
      state = case when t.waits then 'expired' else a.state end, ended_at = coalesce(a.ended_at, ${ctx.now}),
      failure_code = case when t.waits or a.state = 'failed' then 'approvals.erased' end, failure_params = null
    from told t where a.id = t.id returning a.id, t.waits as "wasWaiting"`.execute(ctx.db);
  return {
    forgotten: rows.length,
    ended: rows.filter(({ wasWaiting }) => wasWaiting).map(({ id }) => id),
  };
}

/** Deletes the secrets of an answer and returns them, once. */
export async function takeSealedSecrets(ctx: Ctx, approvalId: string): Promise<void> {
  await sql`update approval set sealed_secrets = null where id = ${approvalId}`.execute(ctx.db);
}
