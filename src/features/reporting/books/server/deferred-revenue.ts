// Deferred revenue for accountants: by month on the ledger's page, and line by line as a file.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import { figure } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferredByMonth } from '#features/invoicing/billing/server/index.ts';
import type { books } from '../contract.ts';
import { sumsByKind } from './store.ts';
import { countParts, creditLeft, partsQuery } from './store-deferred.ts';

export async function deferredRevenue(ctx: Ctx): Promise<Out<typeof books.deferredRevenue>> {
  const byCurrency = Map.groupBy(await deferredByMonth(ctx), ({ currency }) => currency);
  const credit = await creditLeft(ctx);
  const held = new Map(
    (await sumsByKind(ctx, null)).flatMap(({ kind, currency, debit, credit: side }) =>
      kind === 'deferred_revenue' ? [[currency, (side?.minor ?? 0n) - (debit?.minor ?? 0n)] as const] : [],
    ),
  );
  return {
    items: [...new Set([...byCurrency.keys(), ...credit.keys()])].toSorted().map((currency) => {
      const months = byCurrency.get(currency) ?? [];
      const fees = months.reduce((sum, { minor }) => sum + minor, 0n);
      const left = credit.get(currency) ?? 0n;
      return {
        currency,
        months: months.map(({ month, minor }) => ({ month, amount: money(minor, currency) })),
        fees: money(fees, currency),
        credit: money(left, currency),
        total: money(fees + left, currency),
        ledger: money(held.get(currency) ?? 0n, currency),
      };
    }),
  };
}

const columns = [
  'month',
  'organization',
  'bill',
  'line',
  'service',
  'bill_month',
  'currency',
  'amount',
  'source',
  'earned_at',
] as const;

/**
 * Exports every part of a fee that was billed in advance, with the month in which it becomes revenue;
 * reversals are negative.
 */
export async function exportDeferredRevenue(
  ctx: Ctx,
  { format, language = ctx.language }: In<typeof books.exportDeferredRevenue>,
): Promise<FileAnswer> {
  // used as: 'books.deferred_column_*', 'books.deferred_source_*'
  const translate = (key: string): string => ctx.text(`books.deferred_${key}`, {}, language);
  const sourceWords: ReadonlyMap<string, string> = new Map([
    ['', translate('source_bill')],
    ['void', translate('source_void')],
    ['ended', translate('source_ended')],
    ['replaced', translate('source_replaced')],
  ]);
  return exportTable(ctx, {
    format,
    action: 'books.exportDeferredRevenue',
    filter: {},
    title: datedTitle(ctx, translate('title')),
    header: columns.map((column) => translate(`column_${column}`)),
    total: await countParts(ctx),
    query: partsQuery,
    cells: (row) => [
      row.month,
      row.organization,
      row.bill_number,
      figure(String(row.position)),
      row.service_name,
      row.bill_month,
      row.currency,
      figure(moneyText(money(row.minor, row.currency))),
      sourceWords.get(row.source) ?? row.source,
      row.earned_at === null ? '' : row.earned_at.toISOString(),
    ],
  });
}
