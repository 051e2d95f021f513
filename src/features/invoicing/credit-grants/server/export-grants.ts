// Exports credit grants for spreadsheets.
import { inLanguage } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { creditgrants } from '../contract.ts';
import { scopeInWords } from '../rules.ts';
import { allGrants, countGrants, toGrant, type GrantRow } from './store.ts';

const columns = [
  'id',
  'organization',
  'name',
  'kind',
  'state',
  'currency',
  'amount',
  'left',
  'used',
  'recurring',
  'scope',
  'priority',
  'starts_on',
  'last_month',
  'created_at',
  'created_by',
  'note',
] as const;

/** Returns all grants that match a filter, in the order of the list. */
// used as: 'creditgrants.column_*', 'creditgrants.kind_*', 'creditgrants.state_*', 'creditgrants.recurring_*'
export async function adminExportGrants(
  ctx: Ctx,
  { format, language = ctx.language, sort, ...filter }: In<typeof creditgrants.adminExportGrants>,
): Promise<FileAnswer> {
  const translate = (key: string): string => ctx.text(`creditgrants.${key}`, {}, language);
  const cells = (row: GrantRow): readonly CsvCell[] => {
    const grant = toGrant(row);
    const services = scopeInWords(grant.scope, {
      language,
      say: (key, params = {}) => ctx.text(key, params, language),
      list: (parts) => parts.join(', '),
    });
    const recurring = grant.recurring ? (grant.recurring.rollover ? 'rollover' : 'monthly') : 'once';
    return [
      grant.id,
      grant.organization,
      inLanguage(grant.name, language),
      translate(`kind_${grant.kind}`),
      translate(`state_${grant.state}`),
      grant.amount.currency,
      figure(moneyText(grant.amount)),
      figure(moneyText(grant.left)),
      figure(moneyText(grant.used)),
      translate(`recurring_${recurring}`),
      services,
      figure(String(grant.priority)),
      grant.startsOn,
      grant.lastMonth ?? '',
      grant.createdAt.toISOString(),
      grant.createdBy,
      grant.note,
    ];
  };
  return exportTable(ctx, {
    format,
    action: 'creditgrants.adminExportGrants',
    filter: { ...filter, ...(sort !== undefined && { sort }) },
    title: datedTitle(ctx, ctx.text('creditgrants.export_title', {}, language)),
    header: columns.map((column) => translate(`column_${column}`)),
    total: await countGrants(ctx, filter),
    query: allGrants(ctx.now, filter, sort),
    cells,
  });
}
