// Exports commitments for spreadsheets.
import { inLanguage } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { scopeInWords } from '#features/invoicing/credit-grants/rules.ts';
import type { commitments } from '../contract.ts';
import { allCommitments, countCommitments, toCommitment, type StoredCommitment } from './store.ts';
import { commitmentView } from './view.ts';

const columns = [
  'id',
  'organization',
  'name',
  'state',
  'currency',
  'starts_on',
  'last_month',
  'period',
  'first_month',
  'settled_with',
  'amount',
  'used',
  'expected',
  'true_up',
  'risk',
  'estimated_at',
  'committed_percent',
  'overage_percent',
  'scope',
  'created_at',
  'created_by',
  'note',
] as const;

/** Returns all commitments that match a filter, in the order of the list. */
// used as: 'commitments.column_*', 'commitments.state_*', 'commitments.period_*', 'commitments.risk_*'
export async function adminExportCommitments(
  ctx: Ctx,
  { format, language = ctx.language, sort, ...filter }: In<typeof commitments.adminExportCommitments>,
): Promise<FileAnswer> {
  const translate = (key: string): string => ctx.text(`commitments.${key}`, {}, language);
  const cells = (row: StoredCommitment): readonly CsvCell[] => {
    const commitment = toCommitment(row);
    const shown = commitmentView(commitment, ctx.now);
    const { current, scope } = shown;
    const outlook = current?.outlook;
    const covered = scopeInWords(scope, {
      language,
      say: (key, params = {}) => ctx.text(key, params, language),
      list: (parts) => parts.join(', '),
    });
    return [
      shown.id,
      shown.organization,
      inLanguage(shown.name, language),
      translate(`state_${shown.state}`),
      shown.currency,
      shown.startsOn,
      shown.lastMonth,
      translate(`period_${shown.period}`),
      current?.firstMonth ?? '',
      current?.lastMonth ?? '',
      current ? figure(moneyText(current.amount)) : '',
      current ? figure(moneyText(outlook?.used ?? current.drawn)) : '',
      outlook ? figure(moneyText(outlook.expected)) : '',
      current ? figure(moneyText(outlook?.trueUp ?? current.trueUp)) : '',
      outlook ? translate(`risk_${outlook.risk}`) : '',
      outlook ? (commitment.estimate?.at.toISOString() ?? '') : '',
      figure(shown.committedPercent),
      figure(shown.overagePercent),
      covered,
      shown.createdAt.toISOString(),
      shown.createdBy,
      shown.note,
    ];
  };
  return exportTable(ctx, {
    format,
    action: 'commitments.adminExportCommitments',
    filter: { ...filter, ...(sort !== undefined && { sort }) },
    title: datedTitle(ctx, ctx.text('commitments.export_title', {}, language)),
    header: columns.map((column) => translate(`column_${column}`)),
    total: await countCommitments(ctx, filter),
    query: allCommitments(ctx.now, filter, sort),
    cells,
  });
}
