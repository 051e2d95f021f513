// Imports statements: previews a file, and stores each of its rows once, however often the file is uploaded.
import type { In, Out } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { mainCurrency } from '#features/invoicing/billing/server/index.ts';
import { bankAccountOf } from '#features/receivables/payments/server/index.ts';
import { bankingErrors, type banking, type Statement } from '../contract.ts';
import { chainOf, isMapping, numbered, readLine, type ReadRow } from '../rules-statement.ts';
import { proposeAll } from './match.ts';
import { headerHash, headerOf, readStatement } from './read-statement.ts';
import {
  insertStatement,
  storeMapping,
  mappingOf,
  pageOfStatements,
  type Refused,
  type StoredStatement,
} from './store.ts';

const sampleLines = 5;
const longestRefusedList = 1000;

const view = (ctx: Ctx, { refused, ...statement }: StoredStatement): Statement => ({
  ...statement,
  refused: refused.map((each) => ({ ...each, message: ctx.text(each.code) })),
});

export async function inspectStatement(
  ctx: Ctx,
  _input: In<typeof banking.inspectStatement>,
  reply: Reply,
): Promise<Out<typeof banking.inspectStatement>> {
  const file = await readStatement(ctx, reply.raw?.bytes);
  const { header, headerLine, guess } = headerOf(file);
  const known = await mappingOf(ctx, headerHash(header));
  const below = file.lines.filter(({ line }) => line > headerLine);
  const account = known?.account ?? (await bankAccountOf(ctx))?.account ?? null;
  return {
    encoding: file.encoding,
    header: header.map((cell) => cell.trim().slice(0, 100)),
    sample: below.slice(0, sampleLines).map(({ cells }) => cells.map((cell) => cell.slice(0, 100))),
    rows: below.length,
    mapping: known ? { ...known.mapping, headerLine } : (guess ?? null),
    isRemembered: known !== undefined,
    account,
    currency: known?.currency ?? (await ctx.setting(mainCurrency)),
  };
}

/** Stores new rows and proposes matches for open ones. Reports invalid lines, and imports the others. */
export async function uploadStatement(
  ctx: Ctx,
  input: In<typeof banking.uploadStatement>,
  reply: Reply,
): Promise<Statement> {
  const { account, currency, mapping } = input;
  if (!isMapping(mapping)) throw domainError(bankingErrors, 'banking.mapping_wrong');
  const file = await readStatement(ctx, reply.raw?.bytes);
  const refused: Refused[] = [];
  const rows: ReadRow[] = [];
  for (const { line, cells } of file.lines) {
    if (line <= mapping.headerLine) continue;
    const read = readLine(cells, line, mapping, currency);
    if ('code' in read) refused.push({ line, code: read.code });
    else rows.push(read);
  }
  const header = file.lines.find(({ line }) => line === mapping.headerLine)?.cells ?? [];
  await storeMapping(ctx, headerHash(header), mapping, account, currency);
  const days = rows.map((row) => row.day).toSorted();
  const chain = chainOf(rows);
  const stored = await insertStatement(
    ctx,
    {
      account,
      currency,
      fileName: input.fileName ?? '',
      encoding: file.encoding,
      rows: rows.length,
      refusedTotal: refused.length,
      refused: refused.slice(0, longestRefusedList),
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
      opening: chain ? money(chain.opening, currency) : null,
      closing: chain ? money(chain.closing, currency) : null,
      isChainWhole: chain?.isWhole ?? null,
    },
    numbered(rows),
    person(ctx).userId,
  );
  await proposeAll(ctx);
  ctx.audit('banking.uploadStatement', stored.id, {
    account,
    rows: stored.rows,
    fresh: stored.fresh,
    refused: stored.refusedTotal,
  });
  ctx.publish('system/billing', { kind: 'bank' });
  return view(ctx, stored);
}

export async function listStatements(
  ctx: Ctx,
  input: In<typeof banking.listStatements>,
): Promise<Page<Statement>> {
  const page = await pageOfStatements(ctx, input);
  return { ...page, items: page.items.map((each) => view(ctx, each)) };
}
