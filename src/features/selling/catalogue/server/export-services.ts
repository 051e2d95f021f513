// Exports services for spreadsheets, in the form that the import reads.
import type { FileAnswer, In } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import type { catalogue } from '../contract.ts';
import { cellsOf, isFigure, serviceColumns, type ServiceColumn } from '../rules-table.ts';
import { countServices } from './store.ts';
import { tableQuery, toTableService } from './store-table.ts';

/** The name of a column in a language. */
// used as: 'catalogue.column_*'
export const columnName = (ctx: Ctx, column: ServiceColumn, language: Language): string =>
  ctx.text(`catalogue.column_${column}`, {}, language);

/** Exports all services that match a filter, in the order of the list. */
export async function exportServices(
  ctx: Ctx,
  input: In<typeof catalogue.exportServices>,
): Promise<FileAnswer> {
  const { format, language = ctx.language, ...filter } = input;
  return exportTable(ctx, {
    format,
    action: 'catalogue.exportServices',
    filter,
    title: datedTitle(ctx, ctx.text('catalogue.export_title', {}, language)),
    header: serviceColumns.map((column) => columnName(ctx, column, language)),
    total: await countServices(ctx, filter),
    query: tableQuery(filter, ctx.now),
    cells: (row): CsvCell[] => {
      const cells = cellsOf(toTableService(row));
      return serviceColumns.map((column) =>
        isFigure(column) && cells[column] !== '' ? figure(cells[column]) : cells[column],
      );
    },
  });
}
