// Reads the audit log: pages, single rows, exports, and verification of the hash chain.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import {
  auditErrors,
  type audit,
  type AuditDetail,
  type AuditRow,
  type AuditVerification,
} from '../contract.ts';
import {
  actionsThere,
  auditById,
  auditQuery,
  countAudit,
  pageOfAudit,
  verifyRows,
  type AuditFilter,
  type ExportedRow,
  type Reader,
  type WordlessRow,
} from './store.ts';

/**
 * Returns an action's name in a language; undefined when it has none, such as an action of a later version.
 */
export function actionName(ctx: Ctx, action: string, language: Language): string | undefined {
  // used as: 'audit.action_*'
  const key = `audit.action_${action}`;
  const name = ctx.text(key, {}, language);
  return name === key ? undefined : name;
}

/** An action's name, or its code when it has no name. */
const nameOf = (ctx: Ctx, action: string, language: Language): string =>
  actionName(ctx, action, language) ?? action;

/**
 * The display name of a subject. For a request for approval: the requested action and its subject, as far as
 * these are still stored.
 */
function subjectNameOf(
  ctx: Ctx,
  { subjectName, approvalCall }: Pick<WordlessRow, 'subjectName' | 'approvalCall'>,
  language: Language,
): string | null {
  if (approvalCall === null) return subjectName;
  // used as: 'approvals.call_*'
  const key = `approvals.call_${approvalCall}`;
  const title = ctx.text(key, {}, language);
  return [title === key ? approvalCall : title, subjectName ?? []].flat().join(' · ');
}

function inWords<R extends WordlessRow>(
  ctx: Ctx,
  { approvalCall, ...row }: R,
): Omit<R, 'approvalCall'> & Pick<AuditRow, 'actionName' | 'subjectName'> {
  return {
    ...row,
    actionName: nameOf(ctx, row.action, ctx.language),
    subjectName: subjectNameOf(ctx, { subjectName: row.subjectName, approvalCall }, ctx.language),
  };
}

type AuditQuery = Pick<In<typeof audit.listAudit>, 'q' | 'actorId' | 'action' | 'from' | 'to'>;

/** Converts days in a time zone, both inclusive, to a time range. */
const spanOf = ({ from, to }: Pick<AuditQuery, 'from' | 'to'>, zone: string): AuditFilter['span'] => ({
  ...(from && { start: dayPeriod(from, zone).start }),
  ...(to && { end: dayPeriod(to, zone).end }),
});

const readerOf = async (ctx: Ctx, language = ctx.language): Promise<Reader> => ({
  language,
  zone: await ctx.setting(timeZoneSetting),
});

async function filterOf(ctx: Ctx, { q, actorId, action, from, to }: AuditQuery): Promise<AuditFilter> {
  if (from !== undefined && to !== undefined && from > to)
    throw domainError(auditErrors, 'audit.range_reversed', {}, ['to']);
  return {
    q: q === '' ? undefined : q,
    actorId,
    action,
    span: from || to ? spanOf({ from, to }, await ctx.setting(timeZoneSetting)) : {},
  };
}

export async function listAudit(
  ctx: Ctx,
  { limit, cursor, ...query }: In<typeof audit.listAudit>,
): Promise<Page<AuditRow>> {
  const page = await pageOfAudit(ctx, await filterOf(ctx, query), await readerOf(ctx), { limit, cursor });
  return { ...page, items: page.items.map((row) => inWords(ctx, row)) };
}

export async function auditActions(ctx: Ctx): Promise<Out<typeof audit.auditActions>> {
  return {
    items: (await actionsThere(ctx)).map((action) => ({ action, name: nameOf(ctx, action, ctx.language) })),
  };
}

export async function getAudit(ctx: Ctx, { rowId }: In<typeof audit.getAudit>): Promise<AuditDetail> {
  const row = await auditById(ctx, rowId, await readerOf(ctx));
  if (!row) throw domainError(auditErrors, 'audit.not_found');
  return inWords(ctx, row);
}

export async function verifyAudit(
  ctx: Ctx,
  { after = 0 }: In<typeof audit.verifyAudit>,
): Promise<AuditVerification> {
  return verifyRows(ctx, after);
}

const columns = [
  'seq',
  'at',
  'actor_kind',
  'actor',
  'account',
  'action',
  'action_code',
  'subject',
  'subject_name',
  'request',
  'detail',
  'hash',
] as const;

export async function exportAudit(
  ctx: Ctx,
  { format, language = ctx.language, ...query }: In<typeof audit.exportAudit>,
): Promise<FileAnswer> {
  const filter = await filterOf(ctx, query);
  const reader = await readerOf(ctx, language);
  // used as: 'audit.column_*', 'audit.action_*', 'audit.actor_*'
  return exportTable(ctx, {
    format,
    action: 'audit.exportAudit',
    filter: query,
    title: datedTitle(ctx, ctx.text('audit.title', {}, language)),
    header: columns.map((column) => ctx.text(`audit.column_${column}`, {}, language)),
    total: await countAudit(ctx, filter, reader),
    query: auditQuery(filter, reader),
    cells: (row) => cellsOf(ctx, row, language),
  });
}

function cellsOf(ctx: Ctx, row: ExportedRow, language: Language): CsvCell[] {
  return [
    figure(row.seq.toString()),
    row.at.toISOString(),
    ctx.text(`audit.actor_${row.actor_kind}`, {}, language),
    row.actor_name,
    row.actor_account,
    nameOf(ctx, row.action, language),
    row.action,
    row.subject ?? '',
    subjectNameOf(ctx, { subjectName: row.subject_name, approvalCall: row.approval_call }, language) ?? '',
    row.request_id,
    JSON.stringify(row.detail),
    row.hash.toString('hex'),
  ];
}
