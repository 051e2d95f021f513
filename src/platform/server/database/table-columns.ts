// Tables whose cells are SQL expressions: read as cells for a spreadsheet, or as finished CSV lines of any
// number.
import { sql, type RawBuilder } from 'kysely';
import { currencies, currencyCodes } from '#kernel/money.ts';
import { cellPatterns, cellText, figure, type CsvCell } from '../files/csv.ts';
import type { TableExport } from '../files/export.ts';

/**
 * A column: an arbitrary text, a number or code that we generate, or one of several words by key. Null is an
 * empty cell.
 */
export type TableColumn =
  | { readonly text: RawBuilder<unknown> }
  | { readonly code: RawBuilder<unknown> }
  | { readonly figure: RawBuilder<unknown> }
  | { readonly word: RawBuilder<unknown>; readonly labels: Readonly<Record<string, string>> };
type CellRow = Readonly<Record<string, string | null>>;

const cellName = (index: number): string => `cell_${index}`;

/**
 * A table of `columns` over `from`, a clause that yields ordered rows. Reading and formatting a hundred
 * thousand rows cell by cell takes the console longer than the database needs to find them, so the database
 * formats CSV files itself.
 */
export function tableOf(
  columns: readonly TableColumn[],
  from: RawBuilder<unknown>,
): Pick<TableExport<CellRow>, 'query' | 'cells' | 'lines'> {
  return {
    query: sql`select ${sql.join(columns.map((column, index) => sql`(${expressionOf(column)})::text as ${sql.ref(cellName(index))}`))} from ${from}`,
    cells: (row) => columns.map((column, index) => cellOf(column, row[cellName(index)] ?? '')),
    lines: sql`select ${lineOf(columns)} as line from ${from}`,
  };
}

const expressionOf = (column: TableColumn): RawBuilder<unknown> =>
  'text' in column
    ? column.text
    : 'code' in column
      ? column.code
      : 'figure' in column
        ? column.figure
        : column.word;

function cellOf(column: TableColumn, value: string): CsvCell {
  if (value === '') return '';
  if ('word' in column) return column.labels[value] ?? '';
  return 'figure' in column ? figure(value) : value;
}

/**
 * A CSV line as `csvOf` writes it. All texts of a row are tested at once: nearly always none of them needs
 * quoting, and the test then costs next to nothing.
 */
function lineOf(columns: readonly TableColumn[]): RawBuilder<unknown> {
  const joined = (cells: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
    sql`${sql.join(cells, sql` || ',' || `)} || E'\r\n'`;
  const texts = columns.flatMap((column) => ('text' in column ? [column.text] : []));
  if (texts.length === 0) return joined(columns.map(plainCell));
  const needsCare = sql`concat_ws(${between}, '', ${sql.join(texts)}) ~ ${`${between}${cellPatterns.formula.slice(1)}|${cellPatterns.quoted}`}`;
  return sql`case when ${needsCare} then ${joined(columns.map(safeCell))} else ${joined(columns.map(plainCell))} end`;
}

const between = '\u0001';

function plainCell(column: TableColumn): RawBuilder<unknown> {
  if ('word' in column)
    return sql`case ${column.word} ${sql.join(
      Object.entries(column.labels).map(([key, words]) => sql`when ${key} then ${cellText(words)}`),
      sql` `,
    )} else '' end`;
  return sql`coalesce((${expressionOf(column)})::text, '')`;
}

function safeCell(column: TableColumn): RawBuilder<unknown> {
  if (!('text' in column)) return plainCell(column);
  const { text } = column;
  const guarded = sql`case when ${text} ~ ${cellPatterns.formula} then '''' || ${text} else coalesce(${text}, '') end`;
  return sql`case when ${text} ~ ${cellPatterns.quoted} then '"' || replace(${guarded}, '"', '""') || '"' else ${guarded} end`;
}

const codesOf = (digits: number): RawBuilder<unknown> =>
  sql.join(
    currencyCodes.filter((code) => currencies[code].billingDigits === digits).map((code) => sql.lit(code)),
  );

/** Converts minor units to major units with all digits of the currency: what `moneyText` writes, as a SQL numeric. */
export const majorUnits = (minor: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${currency} in (${codesOf(0)}) then ${minor}::numeric when ${currency} in (${codesOf(3)}) then ${minor} * 0.001 else ${minor} * 0.01 end`;
