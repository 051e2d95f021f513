// SQL of the audit log's readers.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
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
/** Of two columns, the one in the reader's language, or else the filled one. */
const inLanguage = (language: Language, zh: RawBuilder<unknown>, en: RawBuilder<unknown>) =>
  language === 'zhTW' ? sql`coalesce(nullif(${zh}, ''), ${en})` : sql`coalesce(nullif(${en}, ''), ${zh})`;
/** In whose language and time zone subjects are named. */
export type Reader = { readonly language: Language; readonly zone: string };
/** A moment as the name of what was done then. */
const moment = (at: RawBuilder<unknown>, zone: string) =>
  sql`to_char(${at} at time zone ${zone}, 'YYYY-MM-DD HH24:MI')`;
/**
 * The current name or number of a subject: looked up in one table chosen by the id's prefix. What has no name
 * of its own is named after what it is about. Null for other kinds, and for deleted subjects.
 */
const subjectNameFor = ({ language, zone }: Reader) => sql`case left(a.subject, 4)
    when 'usr_' then (select name from app_user where id = a.subject)
    when 'org_' then (select name from organization where id = a.subject)
    when 'key_' then (select name from api_key where id = a.subject)
    when 'svc_' then (select name from service where id = a.subject)
    when 'mtr_' then (select name from meter where id = a.subject)
    when 'sub_' then (select concat_ws(' · ', v.name, o.name) from subscription s join service v on v.id = s.service_id join organization o on o.id = s.organization_id where s.id = a.subject)
    when 'bil_' then (select number from bill where id = a.subject)
    when 'cbl_' then (select number from consolidated_bill where id = a.subject)
    when 'rtb_' then (select number from retail_bill where id = a.subject)
    when 'crn_' then (select number from credit_note where id = a.subject)
    when 'qot_' then (select number from quote where id = a.subject)
    when 'rol_' then (select name from custom_role where id = a.subject)
    when 'idp_' then (select name from identity_provider where id = a.subject)
    when 'mdm_' then (select domain from mail_domain where id = a.subject)
    when 'inv_' then (select email from invitation where id = a.subject)
    when 'whe_' then (select url from webhook_endpoint where id = a.subject)
    when 'con_' then (select name from connector where id = a.subject)
    when 'est_' then (select name from event_stream where id = a.subject)
    when 'csr_' then (select name from cost_source where id = a.subject)
    when 'cim_' then (select name from cost_import where id = a.subject)
    when 'imp_' then (select file_name from import where id = a.subject)
    when 'bud_' then (select name from budget where id = a.subject)
    when 'dsc_' then (select ${inLanguage(language, sql`name_zh_tw`, sql`name_en_us`)} from discount where id = a.subject)
    when 'cgr_' then (select concat_ws(' · ', nullif(${inLanguage(language, sql`g.name_zh_tw`, sql`g.name_en_us`)}, ''), o.name) from credit_grant g join organization o on o.id = g.organization_id where g.id = a.subject)
    when 'cmt_' then (select concat_ws(' · ', nullif(${inLanguage(language, sql`c.name_zh_tw`, sql`c.name_en_us`)}, ''), o.name) from commitment c join organization o on o.id = c.organization_id where c.id = a.subject)
    when 'ooc_' then (select o.name from one_off_charge c join organization o on o.id = c.organization_id where c.id = a.subject)
    when 'crl_' then (select concat_ws(' · ', o.name, l.currency) from credit_limit l left join organization o on o.id = l.organization_id where l.id = a.subject)
    when 'pay_' then (select concat_ws(' · ', b.number, o.name) from payment p join organization o on o.id = p.organization_id left join bill b on b.id = p.bill_id where p.id = a.subject)
    when 'ppl_' then (select o.name from payment_plan p join organization o on o.id = p.organization_id where p.id = a.subject)
    when 'lic_' then (select concat_ws(' · ', nullif(l.machine, ''), o.name) from licence l join organization o on o.id = l.organization_id where l.id = a.subject)
    when 'bst_' then (select account from bank_statement where id = a.subject)
    when 'fxr_' then (select concat_ws(' · ', currency || '/' || against, day::text) from exchange_rate where id = a.subject)
    when 'run_' then (select month::text from close_run where id = a.subject)
    when 'pak_' then (select concat_ws(' · ', p.month, o.name) from month_pack p left join organization o on o.id = p.organization_id where p.id = a.subject)
    when 'pex_' then (select o.name from personal_export p join organization o on o.id = p.organization_id where p.id = a.subject)
    when 'ers_' then (select coalesce(u.name, o.name) from erasure e left join app_user u on u.id = e.user_id left join organization o on o.id = e.organization_id where e.id = a.subject)
    when 'ann_' then (select ${inLanguage(language, sql`title_zh`, sql`title_en`)} from announcement where id = a.subject)
    when 'aex_' then (select name from audit_export where id = a.subject)
    when 'sbx_' then (select name from sandbox where id = a.subject)
    when 'apr_' then (select subject from approval where id = a.subject)
    when 'bak_' then (select ${moment(sql`asked_at`, zone)} from backup where id = a.subject)
    when 'dxp_' then (select ${moment(sql`asked_at`, zone)} from data_export where id = a.subject)
    when 'rcr_' then (select ${moment(sql`asked_at`, zone)} from reconciliation_run where id = a.subject)
    when 'chk_' then (select concat_ws(' · ', ${moment(sql`c.asked_at`, zone)}, o.name) from books_check c left join organization o on o.id = c.organization_id where c.id = a.subject)
    when 'cst_' then (select o.name from card_setup c join organization o on o.id = c.organization_id where c.id = a.subject)
    when 'crd_' then (select concat_ws(' · ', '•••• ' || c.last4, o.name) from saved_card c join organization o on o.id = c.organization_id where c.id = a.subject)
    when 'bkr_' then (select concat_ws(' · ', day::text, nullif(coalesce(nullif(payer_name, ''), words), '')) from bank_row where id = a.subject)
    when 'itt_' then (select concat_ws(' · ', o.name, t.currency) from interim_threshold t left join organization o on o.id = t.organization_id where t.id = a.subject)
    when 'msp_' then (select concat_ws(' · ', o.name, s.currency) from minimum_spend s join organization o on o.id = s.organization_id where s.id = a.subject)
    when 'lfe_' then (select concat_ws(' · ', b.number, o.name) from late_fee f join bill b on b.id = f.bill_id join organization o on o.id = f.organization_id where f.id = a.subject)
    when 'ein_' then (select concat_ws(' · ', e.number, b.number) from einvoice e join bill b on b.id = e.bill_id where e.id = a.subject)
    when 'eal_' then (select concat_ws(' · ', l.number, b.number) from einvoice_allowance l join bill b on b.id = l.bill_id where l.id = a.subject)
    when 'etr_' then (select concat_ws(' · ', period, letters) from einvoice_track where id = a.subject)
    when 'txr_' then (select concat_ws(' · ', country, rate::text || '%', valid_from::text) from tax_rate where id = a.subject)
    when 'rdm_' then (select concat_ws(' · ', nullif(${inLanguage(language, sql`d.name_zh_tw`, sql`d.name_en_us`)}, ''), o.name) from discount_redemption r join discount d on d.id = r.discount_id join organization o on o.id = r.organization_id where r.id = a.subject)
    when 'rai_' then (select concat_ws(' · ', v.name, o.name) from quota_raise q join subscription s on s.id = q.subscription_id join service v on v.id = s.service_id join organization o on o.id = q.organization_id where q.id = a.subject)
    when 'prv_' then (select concat_ws(' · ', v.name, o.name) from price_override p join service v on v.id = p.service_id join organization o on o.id = p.organization_id where p.id = a.subject)
    when 'jex_' then (select concat_ws(' · ', period, '#' || sequence) from journal_export where id = a.subject)
    when 'jmp_' then (select concat_ws(' · ', code, nullif(name, '')) from journal_mapping where id = a.subject)
    when 'scg_' then (select display_name from scim_group where id = a.subject)
    when 'uim_' then (select file_name from user_import where id = a.subject)
  end`;
const columnsFor = (reader: Reader) =>
  sql<StoredRow>`a.id, a.seq, a.at, a.actor_kind, a.actor_id, coalesce(u.name, k.name, (select concat_ws(' · ', m.name, nullif(p.actor, '')) from portal_link p join app_user m on m.id = p.created_by where p.id = a.actor_id), case when a.actor_kind = 'system' then a.actor_id end, '') as actor_name, coalesce(u.account, case when k.scope = 'permissions' then (select account from app_user where id = k.created_by) end, '') as actor_account, a.action, a.subject,
  ${subjectNameFor(reader)} as subject_name, case left(a.subject, 4) when 'apr_' then (select call from approval where id = a.subject) end as approval_call, a.request_id`;
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
function auditList(filter: AuditFilter, reader: Reader, cap?: number): List<StoredRow> {
  const isAll = !filter.q && !filter.actorId && !filter.action && !filter.span.start && !filter.span.end;
  return {
    columns: columnsFor(reader),
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
export const countAudit = (ctx: Ctx, filter: AuditFilter, reader: Reader): Promise<number> =>
  readTotal(ctx.db, auditList(filter, reader));

/** Returns one page of the audit log, newest first. */
export const pageOfAudit = (
  ctx: Ctx,
  filter: AuditFilter,
  reader: Reader,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<WordlessRow>> => readPage(ctx.db, page, auditList(filter, reader, searchTotalCap), toRow);

export type ExportedRow = StoredRow & {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: Buffer;
};
export function auditQuery(filter: AuditFilter, reader: Reader): RawBuilder<ExportedRow> {
  return sql<ExportedRow>`select ${columnsFor(reader)}, a.detail, a.hash from audit_log a ${names} where ${whereOf(filter)} order by a.at desc, a.id desc`;
}

export async function auditById(
  ctx: Ctx,
  rowId: string,
  reader: Reader,
): Promise<(WordlessRow & Pick<AuditDetail, 'detail' | 'hash'>) | undefined> {
  const { rows } = await sql<
    StoredRow & { detail: AuditDetail['detail']; hash: Buffer }
  >`select ${columnsFor(reader)}, a.detail, a.hash from audit_log a ${names} where a.id = ${rowId}`.execute(
    ctx.db,
  );
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
