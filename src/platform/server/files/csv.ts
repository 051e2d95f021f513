// Tables as CSV for spreadsheets: UTF-8 with a byte order mark, quoted as in RFC 4180, and no cell that runs
// as a formula.
import { assert } from '#kernel/assert.ts';

/** A number in a table: not guarded, so that a spreadsheet can calculate with it. */
export type Figure = { readonly figure: string };
/** A text is guarded against being run as a formula; a figure is not. */
export type CsvCell = string | Figure;

/** A decimal text as a number of the table, a minus sign included. Throws when it is no plain decimal. */
export function figure(value: string | bigint): Figure {
  const text = value.toString();
  assert(/^-?\d+(\.\d+)?$/.test(text), 'a figure is a decimal');
  return { figure: text };
}

// Excel for Chinese, Japanese and Korean also accepts the full-width signs. A text that looks guarded already
// gets one more guard, so that removing one guard always gives back the original text.
const startsFormula = /^'*[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;
const isQuoted = /[",\r\n]/;
/** The patterns for what is guarded and what is quoted; PostgreSQL understands them in the same way. */
export const careful = { formula: startsFormula.source, quoted: isQuoted.source } as const;

/** A text before {@link csvOf} guarded it. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell) ? cell.slice(1) : cell;
}

/** A cell as it is written into the file. */
export function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell.figure;
  const safe = startsFormula.test(cell) ? `'${cell}` : cell;
  return isQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** The first line of a file, with the byte order mark that tells Excel it is UTF-8. */
export const headOf = (header: readonly string[]): string => `\uFEFF${lineOf(header)}`;

// Small enough that the download starts at once, large enough that sending costs more than making a chunk.
const chunkLength = 32_768;

/** The table as chunks of text. A row is taken from the source only when a chunk is read. */
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
