// SQL of the audit log's readers.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Period } from '#kernel/time.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, readPage, readTotal, searchTotalCap, type List } from '#platform/server/database/paging.ts';
import type { AuditDetail, AuditRow, AuditVerification } from '../contract.ts';

export type AuditFilter = {
  readonly q: string | undefined;
  readonly actorId: string | undefined;
  readonly action: string | undefined;
  readonly span: Partial<Period>;
};

export type StoredRow = {
  id: Id<'aud'>;
  seq: bigint;
  at: Date;
  actor_kind: AuditRow['actor']['kind'];
  actor_id: string | null;
  actor_name: string;
  actor_account: string;
  action: string;
  subject: string | null;
  subject_name: string | null;
  /** For a request for approval: the call that it requests. */
  approval_call: string | null;
  request_id: string;
};
/** A row before its codes are translated. */
export type WordlessRow = Omit<AuditRow, 'actionName'> & { readonly approvalCall: string | null };
/**
 * The current name or number of a subject: looked up in one table chosen by the id's prefix. Null for kinds
 * without a name, and for deleted subjects.
 */
const subjectName = sql`case left(a.subject, 4)
    when 'usr_' then (select name from app_user where id = a.subject)
    when 'org_' then (select name from organization where id = a.subject)
    when 'key_' then (select name from api_key where id = a.subject)
    when 'svc_' then (select name from service where id = a.subject)
    when 'mtr_' then (select name from meter where id = a.subject)
    when 'sub_' then (select concat_ws(' · ', v.name, o.name) from subscription s join service v on v.id = s.service_id join organization o on o.id = s.organization_id where s.id = a.subject)
    when 'bil_' then (select number from bill where id = a.subject)
    when 'cbl_' then (select number from consolidated_bill where id = a.subject)
    when 'crn_' then (select number from credit_note where id = a.subject)
    when 'qot_' then (select number from quote where id = a.subject)
    when 'rol_' then (select name from custom_role where id = a.subject)
    when 'idp_' then (select name from identity_provider where id = a.subject)
    when 'con_' then (select name from connector where id = a.subject)
    when 'est_' then (select name from event_stream where id = a.subject)
    when 'csr_' then (select name from cost_source where id = a.subject)
    when 'bud_' then (select name from budget where id = a.subject)
    when 'apr_' then (select subject from approval where id = a.subject)
  end`;
const columns = sql<StoredRow>`a.id, a.seq, a.at, a.actor_kind, a.actor_id, coalesce(u.name, k.name, (select concat_ws(' · ', m.name, nullif(p.actor, '')) from portal_link p join app_user m on m.id = p.created_by where p.id = a.actor_id), case when a.actor_kind = 'system' then a.actor_id end, '') as actor_name, coalesce(u.account, case when k.scope = 'permissions' then (select account from app_user where id = k.created_by) end, '') as actor_account, a.action, a.subject,
  ${subjectName} as subject_name, case left(a.subject, 4) when 'apr_' then (select call from approval where id = a.subject) end as approval_call, a.request_id`;
const names = sql`left join app_user u on u.id = a.actor_id left join api_key k on k.id = a.actor_id`;

const toRow = (row: StoredRow): WordlessRow => ({
  id: row.id,
  seq: Number(row.seq),
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, account: row.actor_account },
  action: row.action,
  subject: row.subject,
  subjectName: row.subject_name,
  approvalCall: row.approval_call,
  requestId: row.request_id,
});

function whereOf({ q, actorId, action, span }: AuditFilter): RawBuilder<unknown> {
  return allOf(
    q && sql`(a.subject = ${q} or a.request_id = ${q} or a.id = ${q})`,
    actorId && sql`a.actor_id = ${actorId}`,
    action && sql`a.action = ${action}`,
    span.start && sql`a.at >= ${span.start}`,
    span.end && sql`a.at < ${span.end}`,
  );
}

/** The audit log as a list. The hash chain knows the total; filtered rows are counted up to `cap`. */
function auditList(filter: AuditFilter, cap?: number): List<StoredRow> {
  const isAll = !filter.q && !filter.actorId && !filter.action && !filter.span.start && !filter.span.end;
  return {
    columns,
    from: sql`audit_log a`,
    where: whereOf(filter),
    order: { by: { at: { expression: sql`a.at`, cast: 'timestamptz' } }, usual: '-at', id: sql`a.id` },
    counter: isAll ? sql`(select seq from audit_head)` : undefined,
    cap,
    // Names are joined to the page only, so that a million rows need no lookups.
    join: (page) => sql`${page} a ${names}`,
  };
}

/** Counts the matching rows. */
export const countAudit = (ctx: Ctx, filter: AuditFilter): Promise<number> =>
  readTotal(ctx.db, auditList(filter));

/** Returns one page of the audit log, newest first. */
export const pageOfAudit = (
  ctx: Ctx,
  filter: AuditFilter,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<WordlessRow>> => readPage(ctx.db, page, auditList(filter, searchTotalCap), toRow);

export type ExportedRow = StoredRow & {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: Buffer;
};
export function auditQuery(filter: AuditFilter): RawBuilder<ExportedRow> {
  return sql<ExportedRow>`select ${columns}, a.detail, a.hash from audit_log a ${names} where ${whereOf(filter)} order by a.at desc, a.id desc`;
}

export async function auditById(
  ctx: Ctx,
  rowId: string,
): Promise<(WordlessRow & Pick<AuditDetail, 'detail' | 'hash'>) | undefined> {
  const { rows } = await sql<
    StoredRow & { detail: AuditDetail['detail']; hash: Buffer }
  >`select ${columns}, a.detail, a.hash from audit_log a ${names} where a.id = ${rowId}`.execute(ctx.db);
  return rows[0] && { ...toRow(rows[0]), detail: rows[0].detail, hash: rows[0].hash.toString('hex') };
}

/**
 * Lists the distinct actions with a loose index scan: one index step per action, however many rows it has.
 */
export async function actionsThere(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`with recursive each as (
    (select action from audit_log order by action limit 1)
    union all select (select a.action from audit_log a where a.action > each.action order by a.action limit 1) from each where each.action is not null
  ) select action from each where action is not null`.execute(ctx.db);
  return rows.map((row) => row.action);
}

const rowsAtOnce = 20_000;

/**
 * Verifies the next rows of the hash chain and, at its end, that the last hash is the stored head. Uses one
 * statement, so that it reads one snapshot.
 */
export async function verifyRows(ctx: Ctx, after: number): Promise<AuditVerification> {
  type VerifiedRows = {
    total: bigint;
    head: Buffer;
    last: bigint | null;
    last_hash: Buffer | null;
    seq: bigint | null;
    id: Id<'aud'> | null;
    reason: 'changed' | 'missing' | null;
  };
  const { rows } =
    await sql<VerifiedRows>`select h.seq as total, h.hash as head, e.seq as last, e.hash as last_hash, f.seq, f.id, f.reason from audit_head h
    left join lateral (select l.seq, l.hash from audit_log l order by l.seq desc limit 1) e on true left join lateral audit_fault_in(${after + 1}, ${after + rowsAtOnce}) f on true`.execute(
      ctx.db,
    );
  const row = rows[0];
  if (!row) throw new Error('the audit chain has no head');
  const [total, last] = [Number(row.total), Number(row.last ?? 0n)];
  const isDone = after + rowsAtOnce >= Math.max(total, last);
  const isCut = isDone && (last !== total || (row.last_hash !== null && !row.last_hash.equals(row.head)));
  const fault: AuditVerification['fault'] =
    row.seq !== null && row.reason !== null
      ? { seq: Number(row.seq), id: row.id, reason: row.reason }
      : isCut
        ? { seq: last + 1, id: null, reason: 'cut_off' }
        : null;
  return {
    total,
    checkedTo: Math.min(after + rowsAtOnce, Math.max(total, last)),
    isDone: isDone || fault !== null,
    head: row.head.toString('hex'),
    fault,
  };
}
