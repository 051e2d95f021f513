// Parses a CSV file into rows of services: its columns by their names in any language, its texts as before
// they were escaped for spreadsheets.
import { isUtf8 } from 'node:buffer';
import { contentLanguages } from '#kernel/language.ts';
import { domainError } from '#kernel/errors.ts';
import { withoutGuard } from '#platform/server/files/csv.ts';
import { readCsv } from '#platform/server/files/csv-read.ts';
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
  const columns = head.map((name) => columnNamed(ctx, name));
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
  if (!isUtf8(bytes)) throw domainError(catalogueErrors, 'catalogue.import_no_utf8');
  try {
    // Reads one row more than allowed to detect too many rows; the length limit stops an endless row.
    return await readCsv<string[]>(bytes, {
      bom: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: maxImportedRows + 2,
      max_record_size: longestRow,
    });
  } catch (error) {
    throw domainError(catalogueErrors, 'catalogue.import_unreadable', {
      reason: error instanceof Error ? error.message : '',
    });
  }
}

/** Returns the column with a name in any language, or with its technical name. */
function columnNamed(ctx: Ctx, name: string): ServiceColumn | undefined {
  const wanted = withoutGuard(name).trim().toLowerCase();
  return serviceColumns.find(
    (column) =>
      column.toLowerCase() === wanted ||
      contentLanguages.some((language) => columnName(ctx, column, language).toLowerCase() === wanted),
  );
}
