// Exports as files: lines are streamed, and the digest of the downloaded file is stored.
import { createHash } from 'node:crypto';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import { cellText, figure } from '#platform/server/files/csv.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { accountingErrors, type accounting, type Encoding } from '../contract.ts';
import { partsOf } from '../rules.ts';
import { big5Of, notInBig5 } from './big5.ts';
import { hasMark, isOfOneCurrency, layouts, mayBeBig5, xeroLines, type FileCell } from '../rules-files.ts';
import {
  amountsOf,
  exportById,
  insertFile,
  lineCounts,
  linesAfter,
  textsOfExport,
  type FoundExport,
} from './store-exports.ts';

type Input = In<typeof accounting.downloadJournal>;
type Part = {
  readonly currency: Currency | null;
  readonly part: number;
  readonly from: number;
  readonly to: number;
};
const linesAtOnce = 500;
const utf8 = new TextEncoder();
const shownLetters = 20;

/** The range of vouchers in a file. */
async function partOf(ctx: Ctx, { exportId, format, currency, part = 1 }: Input): Promise<Part> {
  const counts = await lineCounts(ctx, exportId);
  const currencies = [...new Set(counts.map((each) => each.currency))];
  if (isOfOneCurrency(format) && currency === undefined && currencies.length > 1)
    throw domainError(
      accountingErrors,
      'accounting.one_currency_needed',
      { currencies: currencies.join(', ') },
      ['currency'],
    );
  const chosen = currency ?? (isOfOneCurrency(format) ? (currencies[0] ?? null) : null);
  const own = counts.filter((each) => chosen === null || each.currency === chosen);
  const parts = partsOf(
    own.map(({ lines }) => lines),
    format === 'xero' ? xeroLines : Number.MAX_SAFE_INTEGER,
  );
  if (!parts)
    throw domainError(accountingErrors, 'accounting.voucher_too_long', { most: xeroLines }, ['format']);
  const inPart = own.filter((_each, index) => parts[index] === part);
  const [first, last] = [inPart[0], inPart.at(-1)];
  if (!first || !last) throw domainError(accountingErrors, 'accounting.part_not_found', {}, ['part']);
  return { currency: chosen, part, from: first.voucher, to: last.voucher };
}

async function encodingOf(ctx: Ctx, { exportId, format, encoding = 'utf-8' }: Input): Promise<Encoding> {
  if (encoding === 'utf-8') return encoding;
  if (!mayBeBig5(format))
    throw domainError(accountingErrors, 'accounting.big5_not_offered', {}, ['encoding']);
  const missing = notInBig5(await textsOfExport(ctx, exportId));
  if (missing.length > 0)
    throw domainError(
      accountingErrors,
      'accounting.not_in_big5',
      { letters: missing.slice(0, shownLetters).join(' ') },
      ['encoding'],
    );
  return encoding;
}

const lineOf = (cells: readonly FileCell[]): string =>
  `${cells.map((cell) => cellText(typeof cell === 'string' ? cell : figure(cell.figure))).join(',')}\r\n`;

/**
 * Yields the text of a file: its header, then lines as they are read. Lines are immutable, so no snapshot is
 * held meanwhile.
 */
async function* textOf(
  ctx: Ctx,
  { journal, settings, language }: FoundExport,
  { format }: Input,
  part: Part,
): AsyncGenerator<string, void, void> {
  const { app, actor } = ctx;
  const { header, names, cells } = layouts[format];
  // used as: 'accounting.column_*', 'accounting.tw_*', 'books.account_*'
  const nameOf = (name: string): string =>
    names === 'fixed' ? name : ctx.text(`accounting.${name}`, {}, names === 'own' ? language : names);
  const sideInChinese = (debit: bigint): string =>
    ctx.text(debit > 0n ? 'accounting.tw_debit' : 'accounting.tw_credit', {}, 'zhTW');
  yield lineOf(header.map(nameOf));
  let after = { voucher: 0, position: 0 };
  for (;;) {
    const place = after;
    const rows = await unitOfWork(app, { actor, mode: 'read' }, (unit) =>
      linesAfter(unit, journal.id, part, place, linesAtOnce),
    );
    yield rows
      .map((row) =>
        lineOf(
          cells(
            {
              ...row,
              ...amountsOf(row),
              sideInChinese: sideInChinese(row.debit),
              account: ctx.text(`books.account_${row.accountKind}`, {}, language),
            },
            settings,
          ),
        ),
      )
      .join('');
    const last = rows.at(-1);
    if (!last || rows.length < linesAtOnce) return;
    after = { voucher: last.voucher, position: last.position };
  }
}

/**
 * Yields the bytes of a file. Its digest is stored after the last byte, so that an aborted download is not
 * recorded.
 */
async function* bytesOf(
  ctx: Ctx,
  found: FoundExport,
  input: Input,
  part: Part,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void, void> {
  const { app, actor, language, requestId } = ctx;
  const digest = createHash('sha256');
  let bytes = 0;
  const sent = (piece: Uint8Array): Uint8Array => {
    digest.update(piece);
    bytes += piece.byteLength;
    return piece;
  };
  if (encoding === 'utf-8' && hasMark(input.format)) yield sent(utf8.encode('\uFEFF'));
  for await (const text of textOf(ctx, found, input, part))
    yield sent(encoding === 'big5' ? big5Of(text) : utf8.encode(text));
  const { userId, name } = person(ctx);
  await unitOfWork(app, { actor, language, requestId }, async (unit) => {
    await insertFile(unit, {
      exportId: found.journal.id,
      format: input.format,
      encoding,
      currency: part.currency,
      part: part.part,
      digest: digest.digest('hex'),
      bytes,
      takenBy: userId,
      takerName: name,
    });
    unit.publish('system/billing', { kind: 'journal' });
  });
}

/**
 * Downloads an export as a file. The audit log names the downloading user before the first byte is sent.
 * @throws DomainError when the format is limited to one currency and none is selected, or Big5 cannot encode
 * all characters
 */
export async function downloadJournal(ctx: Ctx, input: Input): Promise<FileAnswer> {
  const found = await exportById(ctx, input.exportId);
  if (!found) throw domainError(accountingErrors, 'accounting.not_found');
  const { journal } = found;
  const part = await partOf(ctx, input);
  const encoding = await encodingOf(ctx, input);
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit('accounting.downloadJournal', journal.id, {
      format: input.format,
      encoding,
      ...(part.currency !== null && { currency: part.currency }),
      part: part.part,
    }),
  );
  const names = [
    'journal',
    journal.period,
    ...(journal.sequence > 1 ? [String(journal.sequence)] : []),
    input.format,
    ...(part.currency === null ? [] : [part.currency]),
    ...(input.format === 'xero' && (part.part > 1 || input.part !== undefined) ? [`part${part.part}`] : []),
  ];
  return {
    fileName: `${names.join('-')}.csv`,
    mediaType: `text/csv; charset=${encoding}`,
    body: bytesOf(ctx, found, input, part, encoding),
  };
}
