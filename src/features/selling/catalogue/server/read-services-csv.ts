// Parses a CSV file into rows of services: its columns by their names in any language, its texts as before
// they were escaped for spreadsheets.
import { domainError } from '#kernel/errors.ts';
import { columnNamed, withoutGuard } from '#platform/server/files/csv.ts';
import { readTable, UnreadableCsv } from '#platform/server/files/csv-read.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { catalogueErrors, maxImportedRows, type ServiceImport } from '../contract.ts';
import { serviceColumns, type ServiceCells, type ServiceColumn } from '../rules-table.ts';
import { columnName } from './export-services.ts';

export type RowError = ServiceImport['rows'][number]['errors'][number];
export type CsvRow = {
  readonly row: number;
  readonly cells: Partial<ServiceCells>;
  readonly errors: readonly RowError[];
};
export type CsvRows = { readonly headErrors: readonly RowError[]; readonly rows: readonly CsvRow[] };

/**
 * Reads the file. Errors in the header or in a row's structure are reported per row; a file that is not CSV
 * throws.
 */
export async function readServicesCsv(ctx: Ctx, bytes: Uint8Array): Promise<CsvRows> {
  const [head = [], ...records] = await recordsOf(bytes);
  if (head.length > maxColumns) throw domainError(catalogueErrors, 'catalogue.import_too_wide');
  if (records.length > maxImportedRows)
    throw domainError(catalogueErrors, 'catalogue.import_too_long', { most: maxImportedRows });
  const columns = head.map((header) =>
    columnNamed(serviceColumns, header, (column, language) => columnName(ctx, column, language)),
  );
  const errorOf = (code: string, column: string): RowError => ({
    column,
    code,
    message: ctx.text(code, { column }),
  });
  const headErrors = [
    ...head
      .filter((_, index) => columns[index] === undefined)
      .map((name) => errorOf('catalogue.import_column_unknown', name)),
    ...columns
      .filter(
        (column, index): column is ServiceColumn => column !== undefined && columns.indexOf(column) !== index,
      )
      .map((column) => errorOf('catalogue.import_column_twice', columnName(ctx, column, ctx.language))),
    ...(['name', 'type'] as const)
      .filter((column) => !columns.includes(column))
      .map((column) => errorOf('catalogue.import_column_missing', columnName(ctx, column, ctx.language))),
  ];
  const rows = records.flatMap((record, index): CsvRow[] => {
    if (record.every((cell) => cell === '')) return [];
    const row = index + 2;
    if (record.length !== head.length)
      return [
        {
          row,
          cells: {},
          errors: [
            { column: '', code: 'catalogue.import_cells', message: ctx.text('catalogue.import_cells') },
          ],
        },
      ];
    return [
      {
        row,
        cells: Object.fromEntries(
          record.flatMap((cell, place) =>
            columns[place] ? [[columns[place], withoutGuard(cell).trim()]] : [],
          ),
        ),
        errors: [],
      },
    ];
  });
  return { headErrors, rows };
}

/** More than the known columns, so that duplicate and unknown ones can still be reported individually. */
const maxColumns = 100;
/** In characters: enough for every column at its maximum length. */
const longestRow = 100_000;

async function recordsOf(bytes: Uint8Array): Promise<string[][]> {
  try {
    return await readTable(bytes, { maxRows: maxImportedRows, longestRow });
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    throw error.isUtf8
      ? domainError(catalogueErrors, 'catalogue.import_unreadable', { reason: error.message })
      : domainError(catalogueErrors, 'catalogue.import_no_utf8');
  }
}
