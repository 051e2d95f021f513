// Tables as CSV for spreadsheets: UTF-8 with byte order mark, quoted as in RFC 4180, and safe against formula
// injection.
import { assert } from '#kernel/assert.ts';
import { allLanguages, type Language } from '#kernel/language.ts';

/** A numeric cell: not guarded, so that spreadsheets can calculate with it. */
export type Figure = { readonly figure: string };
/** Texts are guarded against being run as formulas; figures are not. */
export type CsvCell = string | Figure;

/** Marks a decimal text as a number, including a minus sign. Throws when it is not a plain decimal. */
export function figure(value: string | bigint): Figure {
  const text = value.toString();
  assert(/^-?\d+(\.\d+)?$/.test(text), 'a figure is a decimal');
  return { figure: text };
}

// Excel for Chinese, Japanese and Korean also accepts full-width signs. A text that already looks guarded
// gets another guard, so that removing one guard always restores the original.
const startsFormula = /^'*[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;
const isQuoted = /[",\r\n]/;
/** The patterns for texts that need guarding and quoting; PostgreSQL interprets them identically. */
export const cellPatterns = { formula: startsFormula.source, quoted: isQuoted.source } as const;

/** Restores a text that {@link csvOf} guarded. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell) ? cell.slice(1) : cell;
}

/** The column that a header names: by its code, or by its name in any language. */
export function columnNamed<Column extends string>(
  columns: readonly Column[],
  header: string,
  nameOf: (column: Column, language: Language) => string,
): Column | undefined {
  const wanted = withoutGuard(header).trim().toLowerCase();
  return columns.find((column) =>
    [column, ...allLanguages().map((language) => nameOf(column, language))].some(
      (name) => name.toLowerCase() === wanted,
    ),
  );
}

/** A cell as written to the file. */
export function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell.figure;
  const safe = startsFormula.test(cell) ? `'${cell}` : cell;
  return isQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** The header line, preceded by the byte order mark that tells Excel it is UTF-8. */
export const headOf = (header: readonly string[]): string => `\uFEFF${lineOf(header)}`;

// Small enough that the download starts at once, large enough that sending a chunk costs more than making it.
const chunkLength = 32_768;

/** Yields the table as chunks of text. A row is taken from the source only when a chunk is read. */
export async function* csvOf(
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): AsyncGenerator<string, void, void> {
  let chunk = headOf(header);
  for await (const row of rows) {
    assert(row.length === header.length, 'a row has a cell for each column');
    chunk += lineOf(row);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

export const csvMediaType = 'text/csv; charset=utf-8';
