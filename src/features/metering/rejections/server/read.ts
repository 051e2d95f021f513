// Rejected events for users: lists, details and files.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { rejectionText } from '#features/metering/usage/rules.ts';
import { rejectionsErrors, type Rejected, type RejectedDetail, type rejections } from '../contract.ts';
import {
  countRejected,
  pageOfRejected,
  reasonsOf,
  rejectedById,
  rejectedQuery,
  type Scope,
  type StoredRejection,
} from './store.ts';

/**
 * The organization whose events the caller may read: an Admin chooses one or all, other users read their own.
 */
export function scopeOf(ctx: Ctx, wanted?: Id<'org'>): Scope {
  if (person(ctx).role !== 'Admin') return { organizationId: tenant(ctx), isMember: true };
  return wanted === undefined ? null : { organizationId: wanted, isMember: false };
}

/** Translates a rejection's reason. */
export const reasonText = (
  ctx: Ctx,
  code: string,
  params: StoredRejection['params'],
  language: Language = ctx.language,
): string => rejectionText((key, more) => ctx.text(key, more, language), code, params);

/** A row without internal fields. */
function view(ctx: Ctx, row: StoredRejection): Rejected {
  const {
    id,
    organizationId,
    organization,
    keyId,
    keyName,
    firstReceivedAt,
    lastReceivedAt,
    times,
    source,
    eventId,
    type,
    subject,
    code,
    params,
    state,
    isComplete,
    settledAt,
  } = row;
  return {
    id,
    organizationId,
    organization,
    keyId,
    keyName,
    firstReceivedAt,
    lastReceivedAt,
    times: Number(times),
    source,
    eventId,
    type,
    subject,
    code,
    message: reasonText(ctx, code, params),
    state,
    isComplete,
    settledAt,
  };
}

export async function listRejected(
  ctx: Ctx,
  input: In<typeof rejections.adminListRejected>,
): Promise<Page<Rejected>> {
  const page = await pageOfRejected(ctx, scopeOf(ctx, input.organizationId), input);
  return { ...page, items: page.items.map((row) => view(ctx, row)) };
}

export async function rejectedReasons(
  ctx: Ctx,
  input: In<typeof rejections.adminRejectedReasons>,
): Promise<Out<typeof rejections.adminRejectedReasons>> {
  return reasonsOf(ctx, scopeOf(ctx, input.organizationId));
}

export async function getRejected(
  ctx: Ctx,
  input: In<typeof rejections.getRejected>,
): Promise<RejectedDetail> {
  const found = await rejectedById(ctx, scopeOf(ctx), input.rejectedId);
  if (!found) throw domainError(rejectionsErrors, 'rejections.not_found');
  return { ...view(ctx, found), raw: found.raw, repaired: found.repaired };
}

// used as: 'rejections.column_*', 'rejections.state_*'
const exportColumns = [
  'lastReceivedAt',
  'firstReceivedAt',
  'times',
  'state',
  'code',
  'reason',
  'source',
  'eventId',
  'type',
  'subject',
  'organization',
  'key',
  'raw',
] as const;

/** Exports all rejected events that match a filter, each as it was sent. */
export async function exportRejected(
  ctx: Ctx,
  input: In<typeof rejections.adminExportRejected>,
): Promise<FileAnswer> {
  const { format, language = ctx.language, organizationId, ...filter } = input;
  const scope = scopeOf(ctx, organizationId);
  return exportTable(ctx, {
    format,
    action: 'rejections.exportRejected',
    filter: { ...filter, ...(scope && { organizationId: scope.organizationId }) },
    title: datedTitle(ctx, ctx.text('rejections.title', {}, language)),
    header: exportColumns.map((column) => ctx.text(`rejections.column_${column}`, {}, language)),
    total: await countRejected(ctx, scope, filter),
    query: rejectedQuery(scope, filter),
    cells: (row): CsvCell[] => [
      row.lastReceivedAt.toISOString(),
      row.firstReceivedAt.toISOString(),
      figure(String(row.times)),
      ctx.text(`rejections.state_${row.state}`, {}, language),
      row.code,
      reasonText(ctx, row.code, row.params, language),
      row.source ?? '',
      row.eventId ?? '',
      row.type ?? '',
      row.subject ?? '',
      row.organization ?? '',
      row.keyName ?? row.keyId,
      row.raw,
    ],
  });
}
