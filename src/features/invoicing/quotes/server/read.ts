// Queries of quotes for Admins and members.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Language } from '#kernel/language.ts';
import { moneyText } from '#kernel/money.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  quotesErrors,
  type OwnQuote,
  type QuoteDetail,
  type QuoteVersion,
  type quotes,
} from '../contract.ts';
import { pathOf } from './links.ts';
import {
  countQuotes,
  openQuotesOf,
  pageOfQuotes,
  quoteById,
  quoteOf,
  quotesQuery,
  type QuoteRow,
} from './store.ts';
import { versionOf, versionsOf, type VersionRow } from './store-versions.ts';
import { shownEstimate, shownItems, shownTerms } from './words.ts';

/** Describes a version in a language. */
export function shownVersion(
  ctx: Ctx,
  { currency }: Pick<QuoteRow, 'currency'>,
  row: VersionRow,
  language: Language,
): QuoteVersion {
  const { version, validUntil, content, createdAt, createdBy, sentAt, sentBy } = row;
  return {
    version,
    validUntil,
    content,
    estimate: shownEstimate(ctx, row.estimate, language),
    items: shownItems(ctx, content, row.offered, currency, language),
    terms: shownTerms(ctx, content, row.offered, currency, language),
    createdAt,
    createdBy,
    sentAt,
    sentBy,
  };
}

/** Returns a quote with its versions, in the language of the request. */
export async function detailOf(ctx: Ctx, quoteId: string): Promise<QuoteDetail> {
  const row = await quoteById(ctx, quoteId);
  if (!row) throw domainError(quotesErrors, 'quotes.not_found');
  const versions = await versionsOf(ctx, row.id);
  const quote = quoteOf(row, ctx.now);
  const sent = versions.find(({ version }) => version === row.sentVersion);
  const path = sent && quote.state === 'sent' ? pathOf(ctx, sent) : undefined;
  const { decidedAt: at, decidedBy, decidedFrom, decidedReason } = row;
  const isDecided = row.state === 'accepted' || row.state === 'declined';
  return {
    ...quote,
    revision: row.revision,
    versions: versions.map((version) => shownVersion(ctx, row, version, ctx.language)),
    sentVersion: row.sentVersion,
    link: path === undefined ? null : `${ctx.app.address()}${path}`,
    decision:
      isDecided && at
        ? { at, name: decidedBy ?? '', address: decidedFrom ?? '', reason: decidedReason ?? '' }
        : null,
    withdrawn:
      row.state === 'withdrawn' && at ? { at, by: decidedBy ?? '', reason: decidedReason ?? '' } : null,
    made: row.made,
  };
}

export const listQuotes = (
  ctx: Ctx,
  input: In<typeof quotes.listQuotes>,
): Promise<Out<typeof quotes.listQuotes>> => pageOfQuotes(ctx, input);

export const getQuote = (ctx: Ctx, { quoteId }: In<typeof quotes.getQuote>): Promise<QuoteDetail> =>
  detailOf(ctx, quoteId);

/** Returns the quotes to the caller's organization that can be accepted. */
export async function ownQuotes(ctx: Ctx): Promise<Out<typeof quotes.ownQuotes>> {
  const items: OwnQuote[] = [];
  for (const row of await openQuotesOf(ctx, tenant(ctx))) {
    const sent = row.sentVersion === null ? undefined : await versionOf(ctx, row.id, row.sentVersion);
    const link = sent && pathOf(ctx, sent);
    if (!sent?.sentAt || link === undefined || row.number === null) continue;
    items.push({
      id: row.id,
      number: row.number,
      validUntil: sent.validUntil,
      total: sent.estimate.contract.total,
      months: sent.estimate.months,
      sentAt: sent.sentAt,
      link,
    });
  }
  return { items };
}

// used as: 'quotes.column_*', 'quotes.state_*'
const exportColumns = [
  'number',
  'organization',
  'state',
  'version',
  'total',
  'currency',
  'validUntil',
  'createdAt',
  'createdBy',
  'sentAt',
  'decidedAt',
  'decidedBy',
  'id',
] as const;

/** Exports all quotes that match a filter. */
export async function exportQuotes(ctx: Ctx, input: In<typeof quotes.exportQuotes>): Promise<FileAnswer> {
  const { format, language = ctx.language, ...filter } = input;
  return exportTable(ctx, {
    format,
    action: 'quotes.exportQuotes',
    filter,
    title: datedTitle(ctx, ctx.text('quotes.title', {}, language)),
    header: exportColumns.map((column) => ctx.text(`quotes.column_${column}`, {}, language)),
    total: await countQuotes(ctx, filter),
    query: quotesQuery(filter, ctx.now),
    cells: (row): CsvCell[] => {
      const quote = quoteOf(row, ctx.now);
      return [
        row.number ?? '',
        row.organization,
        ctx.text(`quotes.state_${quote.state}`, {}, language),
        figure(String(row.latestVersion)),
        figure(moneyText(quote.total)),
        row.currency,
        row.validUntil,
        row.createdAt.toISOString(),
        row.createdBy,
        row.sentAt?.toISOString() ?? '',
        row.decidedAt?.toISOString() ?? '',
        row.decidedBy ?? '',
        row.id,
      ];
    },
  });
}
