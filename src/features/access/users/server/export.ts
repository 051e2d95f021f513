// Exports users as a spreadsheet file, in the format that the import reads.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { csvMediaType, csvOf } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { xlsxMediaType, xlsxOf } from '#platform/server/files/spreadsheet.ts';
import { allUsers, countUsers, userFacts } from '#features/access/identity/server/index.ts';
import type { users } from '../contract.ts';
import { cellsOf, exportColumns, importColumns, type UserColumn } from '../rules.ts';

/** The name of a column in a language. */
// used as: 'users.column_*'
export const columnName = (ctx: Ctx, column: UserColumn, language: Language): string =>
  ctx.text(`users.column_${column}`, {}, language);

/** Counts the users that match a filter. */
export async function countOfFilter(
  ctx: Ctx,
  input: In<typeof users.countUsers>,
): Promise<Out<typeof users.countUsers>> {
  return { total: await countUsers(ctx, input) };
}

/** Exports all users that match a filter, in the order of the list. */
export async function exportUsers(ctx: Ctx, input: In<typeof users.exportUsers>): Promise<FileAnswer> {
  const { format, language = ctx.language, sort, ...filter } = input;
  return exportTable(ctx, {
    format,
    action: 'users.exportUsers',
    filter: { ...filter, ...(sort !== undefined && { sort }) },
    title: datedTitle(ctx, ctx.text('users.export_title', {}, language)),
    header: exportColumns.map((column) => columnName(ctx, column, language)),
    total: await countUsers(ctx, filter),
    query: allUsers(filter, sort),
    cells: (row) => {
      const cells = cellsOf(userFacts(row));
      return exportColumns.map((column) => cells[column]);
    },
  });
}

/** A template with the columns that an import reads, and one example row. */
export async function importTemplate(
  ctx: Ctx,
  { format, language = ctx.language }: In<typeof users.importTemplate>,
): Promise<FileAnswer> {
  const header = importColumns.map((column) => columnName(ctx, column, language));
  const example = [importColumns.map((column) => ctx.text(`users.example_${column}`, {}, language))]; // used as: 'users.example_*'
  const title = ctx.text('users.template_title', {}, language);
  return {
    fileName: `${title}.${format}`,
    mediaType: format === 'csv' ? csvMediaType : xlsxMediaType,
    body: format === 'csv' ? csvOf(header, example) : xlsxOf(title, header, example),
  };
}
