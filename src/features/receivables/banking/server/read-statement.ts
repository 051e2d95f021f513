// The bytes of a bank statement as lines of cells: UTF-8 or Big5, commas, semicolons or tabs, with whatever a bank writes above the header.
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
/** Above this a file is split by whoever uploads it. */
const mostRows = 50_000;
/** In bytes. csv-parse takes quadratic time for quotes that stand within a cell, so a row that never ends is no row. */
const longestRow = 20_000;
/** A header stands among the first lines. */
const headerWithin = 20;

function decoded(bytes: Buffer): { encoding: Inspection['encoding']; text: string } {
  for (const encoding of ['utf-8', 'big5'] as const) {
    try {
      return { encoding, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
    } catch {
      // Not in this one: the next is tried, and none is an answer as well.
    }
  }
  throw domainError(bankingErrors, 'banking.encoding_unknown');
}

/** Takes a file apart. Throws a refusal for what is no table of text. */
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
      to: mostRows + headerWithin + 1,
    });
    // Where the record begins: one with line breaks within ends later.
    const lines = records
      .map(({ info, record }) => ({
        line: info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0),
        cells: record,
      }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    if (lines.length === 0) throw domainError(bankingErrors, 'banking.empty');
    if (lines.length > mostRows + headerWithin)
      throw domainError(bankingErrors, 'banking.too_many_rows', { most: mostRows });
    return { encoding, lines };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))) throw error;
    ctx.app.log.info({ requestId: ctx.requestId, err: error }, 'bank statement is no CSV');
    throw domainError(bankingErrors, 'banking.unreadable', { reason: error.message });
  }
}

/** The header, found by its names, else the first line. */
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

/** By what files of the same bank are known again. */
export function headerHash(header: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(header.map((cell) => cell.normalize('NFKC').trim())))
    .digest('hex');
}
