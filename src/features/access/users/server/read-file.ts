// Reads a CSV or Excel file as rows of users: columns are named in any language, and the export's guard
// against formulas is removed.
import { domainError } from '#kernel/errors.ts';
import { columnNamed, withoutGuard } from '#platform/server/files/csv.ts';
import { readTable, UnreadableCsv } from '#platform/server/files/csv-read.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import { readSheet, UnreadableSheet } from '#platform/server/files/spreadsheet-read.ts';
import { maxImportedRows, spreadsheetType, usersErrors } from '../contract.ts';
import { exportColumns, importColumns, type ImportColumn } from '../rules.ts';
import { columnName } from './export.ts';

/** A row of the file: its number in a spreadsheet, and the cells of the known columns. */
export type FileRow = {
  readonly row: number;
  readonly cells: Partial<Record<ImportColumn, string>>;
  readonly isMisshapen: boolean;
};

const maxColumns = 100;
/** In characters: more than the sum of every column's maximum length. */
const longestRow = 20_000;
/** A sheet with the maximum number of rows takes a quarter of this. */
const maxUnpacked = 64 * 1024 * 1024;

/** Reads the file. Throws when it is not a table, too long, or has unknown columns. */
export async function readUsersFile(ctx: Ctx, { bytes, mediaType }: RawInput): Promise<FileRow[]> {
  const isSheet = mediaType === spreadsheetType;
  const [head = [], ...records] = isSheet ? await sheetOf(bytes) : await csvOf(bytes);
  while (head.at(-1) === '') head.pop();
  const columns = columnsIn(ctx, head);
  const filled = records
    .map((record, index) => ({ record, row: index + 2 }))
    .filter(({ record }) => record.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw domainError(usersErrors, 'users.import_empty');
  if (filled.length > maxImportedRows)
    throw domainError(usersErrors, 'users.import_too_long', { most: maxImportedRows });
  // Only CSV exports prefix formulas with an apostrophe; in a spreadsheet an apostrophe is part of the value.
  const plain = (cell: string): string => (isSheet ? cell : withoutGuard(cell)).trim();
  return filled.map(({ record, row }) => ({
    row,
    isMisshapen:
      record.slice(head.length).some((cell) => cell !== '') || (!isSheet && record.length !== head.length),
    cells: Object.fromEntries(
      importColumns
        .filter((column) => columns.includes(column))
        .map((column) => [column, plain(record[columns.indexOf(column)] ?? '')]),
    ),
  }));
}

type Column = (typeof exportColumns)[number];

/** The columns that the first row names, in its order. @throws users.import_head naming what is wrong */
function columnsIn(ctx: Ctx, head: readonly string[]): readonly (Column | undefined)[] {
  if (head.length > maxColumns)
    throw domainError(usersErrors, 'users.import_unreadable', { reason: 'too many columns' });
  const columns = head.map((header) =>
    columnNamed(exportColumns, header, (column, language) => columnName(ctx, column, language)),
  );
  const nameOf = (column: Column): string => columnName(ctx, column, ctx.language);
  const problems = [
    ...head
      .filter((_, index) => columns[index] === undefined)
      .map((name) => ctx.text('users.head_unknown', { column: name })),
    ...columns
      .filter((column, index) => column !== undefined && columns.indexOf(column) !== index)
      .map((column) => ctx.text('users.head_twice', { column: nameOf(column ?? 'name') })),
    ...(['name', 'account'] as const)
      .filter((column) => !columns.includes(column))
      .map((column) => ctx.text('users.head_missing', { column: nameOf(column) })),
  ];
  if (problems.length > 0)
    throw domainError(usersErrors, 'users.import_head', { problems: problems.slice(0, 5).join(' ') });
  return columns;
}

async function sheetOf(bytes: Buffer): Promise<string[][]> {
  try {
    return await readSheet(bytes, { maxRows: maxImportedRows + 1, maxColumns, maxBytes: maxUnpacked });
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    throw domainError(usersErrors, 'users.import_unreadable', { reason: error.message });
  }
}

async function csvOf(bytes: Buffer): Promise<string[][]> {
  try {
    return await readTable(bytes, { maxRows: maxImportedRows, longestRow });
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    throw error.isUtf8
      ? domainError(usersErrors, 'users.import_unreadable', { reason: error.message })
      : domainError(usersErrors, 'users.import_no_utf8');
  }
}
