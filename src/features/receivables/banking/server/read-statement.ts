// Decodes a bank statement into lines of cells: UTF-8 or Big5, separated by commas, semicolons or tabs, with
// anything that a bank writes above the header.
import { createHash } from 'node:crypto';
import { domainError } from '#kernel/errors.ts';
import { readCsv } from '#platform/server/files/csv-read.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { bankingErrors, type Inspection, type Mapping } from '../contract.ts';
import { guessMapping } from '../rules-statement.ts';

export type StatementLine = { readonly line: number; readonly cells: readonly string[] };
export type StatementFile = {
  readonly encoding: Inspection['encoding'];
  readonly lines: readonly StatementLine[];
};
/** A larger file must be split before the upload. */
const maxRows = 50_000;
/** In bytes. csv-parse takes quadratic time for quotes within a cell, so the length of a row is limited. */
const longestRow = 20_000;
/** The header is expected within the first lines. */
const headerWithin = 20;

function decoded(bytes: Buffer): { encoding: Inspection['encoding']; text: string } {
  for (const encoding of ['utf-8', 'big5'] as const) {
    try {
      return { encoding, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
    } catch {
      // Not decodable with this encoding: try the next one; if none fits, that is reported below.
    }
  }
  throw domainError(bankingErrors, 'banking.encoding_unknown');
}

/** Parses a file into rows. Throws if it is not a text table. */
export async function readStatement(ctx: Ctx, bytes: Buffer | undefined): Promise<StatementFile> {
  if (!bytes || bytes.length === 0) throw domainError(bankingErrors, 'banking.empty');
  const { encoding, text } = decoded(bytes);
  if (text.includes('\0')) throw domainError(bankingErrors, 'banking.encoding_unknown');
  const first = text.slice(0, 4000);
  const count = (sign: string): number => first.split(sign).length;
  const delimiter = [',', '\t', ';'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  try {
    const records = await readCsv<{ info: { lines: number }; record: string[] }>(Buffer.from(text), {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: longestRow,
      to: maxRows + headerWithin + 1,
    });
    // The line on which the record begins: a record with line breaks ends later.
    const lines = records
      .map(({ info, record }) => ({
        line: info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0),
        cells: record,
      }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    if (lines.length === 0) throw domainError(bankingErrors, 'banking.empty');
    if (lines.length > maxRows + headerWithin)
      throw domainError(bankingErrors, 'banking.too_many_rows', { most: maxRows });
    return { encoding, lines };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))) throw error;
    ctx.app.log.info({ requestId: ctx.requestId, err: error }, 'bank statement is no CSV');
    throw domainError(bankingErrors, 'banking.unreadable', { reason: error.message });
  }
}

/** Returns the header, found by its names, or else the first line. */
export function headerOf({ lines }: StatementFile): {
  header: readonly string[];
  headerLine: number;
  guess: Mapping | undefined;
} {
  for (const { line, cells } of lines.slice(0, headerWithin)) {
    const guess = line <= 50 ? guessMapping(cells, line) : undefined;
    if (guess) return { header: cells, headerLine: line, guess };
  }
  return { header: lines[0]?.cells ?? [], headerLine: lines[0]?.line ?? 1, guess: undefined };
}

/** A hash that identifies later files of the same bank. */
export function headerHash(header: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(header.map((cell) => cell.normalize('NFKC').trim())))
    .digest('hex');
}
