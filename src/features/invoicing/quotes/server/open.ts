// A quote for anyone who has its link: read and decline it.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { type Language, inLanguage, contentLanguageOf } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { renderPdf } from '#platform/server/pdf/pdf.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { sellerOf } from '#features/invoicing/billing/server/index.ts';
import { quotesErrors, type OpenedQuote, type quotes } from '../contract.ts';
import { stateAt } from '../rules.ts';
import { publishQuotes, tellAdmins } from './notices.ts';
import { quoteDocumentOf } from './quote-document.ts';
import { decide, quoteById, type QuoteRow } from './store.ts';
import { versionByLink, versionOf, type VersionRow } from './store-versions.ts';
import { shownEstimate, shownItems, shownTerms } from './words.ts';

/** A sent version, and its quote. */
export type Linked = { readonly quote: QuoteRow; readonly version: VersionRow };

/**
 * Returns the version of a link that can still be read: it can be accepted, or was decided on. With `lock`,
 * its quote is unchanged until the transaction ends.
 * @throws DomainError with the quote's outcome; an unknown link discloses nothing.
 */
async function linkedVersion(ctx: Ctx, token: string, lock: boolean): Promise<Linked> {
  const named = await versionByLink(ctx, sha256(token));
  const quote = named && (await quoteById(ctx, named.quoteId, lock));
  const version = named && (await versionOf(ctx, named.quoteId, named.version));
  if (!quote || !version) throw domainError(quotesErrors, 'quotes.link_unknown');
  if (quote.state === 'withdrawn') throw domainError(quotesErrors, 'quotes.link_withdrawn');
  if (quote.sentVersion !== version.version) throw domainError(quotesErrors, 'quotes.link_superseded');
  if (stateAt(quote.state, version.expiresAt, ctx.now) === 'expired')
    throw domainError(quotesErrors, 'quotes.link_expired', {
      day: dayFormat(ctx.language).day(version.validUntil),
    });
  return { quote, version };
}

/**
 * Returns the version of a link, locked, that can be accepted or declined now, or on which the same decision
 * was made before.
 * @throws DomainError like {@link linkedVersion}, and after the opposite decision.
 */
export async function acceptable(ctx: Ctx, token: string, how: 'accept' | 'decline'): Promise<Linked> {
  const linked = await linkedVersion(ctx, token, true);
  const { state } = linked.quote;
  if (how === 'accept' && state === 'declined') throw domainError(quotesErrors, 'quotes.declined_already');
  if (how === 'decline' && state === 'accepted') throw domainError(quotesErrors, 'quotes.accepted_already');
  return linked;
}

/** Returns the contents of a link's page. */
export async function openedView(
  ctx: Ctx,
  { quote, version }: Linked,
  language: Language,
): Promise<OpenedQuote> {
  const organization = required(await organizationById(ctx.db, quote.organizationId), 'the organization');
  const { content, offered } = version;
  const { state, currency } = quote;
  return {
    number: quote.number ?? '',
    version: version.version,
    state: state === 'accepted' || state === 'declined' ? state : 'sent',
    ...(await sellerOf(ctx)),
    customer: {
      name: organization.name,
      taxId: organization.taxId,
      address: organization.billingAddress,
      email: organization.billingEmail,
    },
    currency,
    sentAt: required(version.sentAt, 'when it was sent'),
    validUntil: version.validUntil,
    expiresAt: required(version.expiresAt, 'when it expires'),
    timeZone: organization.timeZone,
    message: inLanguage(content.message, language) ?? '',
    items: shownItems(ctx, content, offered, currency, language),
    terms: shownTerms(ctx, content, offered, currency, language),
    estimate: shownEstimate(ctx, version.estimate, language),
    decision:
      quote.decidedAt && (state === 'accepted' || state === 'declined')
        ? { at: quote.decidedAt, name: quote.decidedBy ?? '' }
        : null,
  };
}

export async function openQuote(
  ctx: Ctx,
  { token, language = ctx.language }: In<typeof quotes.openQuote>,
): Promise<OpenedQuote> {
  return openedView(ctx, await linkedVersion(ctx, token, false), language);
}

/** The same as PDF. */
export async function quoteDocument(
  ctx: Ctx,
  { token, language = ctx.language }: In<typeof quotes.quoteDocument>,
): Promise<FileAnswer> {
  return pdfOf(ctx, await openedView(ctx, await linkedVersion(ctx, token, false), language), language);
}

/** Returns any version as PDF, for an Admin; a draft as it would be sent now. */
export async function quotePdf(
  ctx: Ctx,
  { quoteId, version: number, language = ctx.language }: In<typeof quotes.quotePdf>,
): Promise<FileAnswer> {
  const quote = await quoteById(ctx, quoteId);
  if (!quote) throw domainError(quotesErrors, 'quotes.not_found');
  const version = await versionOf(ctx, quoteId, number);
  if (!version) throw domainError(quotesErrors, 'quotes.version_not_found');
  const shown = {
    ...version,
    sentAt: version.sentAt ?? ctx.now,
    expiresAt: version.expiresAt ?? ctx.now,
  };
  const isDraft = version.sentAt === null;
  return pdfOf(
    ctx,
    {
      ...(await openedView(ctx, { quote, version: shown }, language)),
      ...(isDraft && { number: ctx.text('quotes.pdf_draft', {}, language) }),
    },
    language,
  );
}

async function pdfOf(ctx: Ctx, quote: OpenedQuote, asked: Language): Promise<FileAnswer> {
  const language = contentLanguageOf(asked);
  const document = quoteDocumentOf(quote, language, (key, params) => ctx.text(key, params, language));
  return {
    fileName: `${quote.number}.pdf`,
    mediaType: 'application/pdf',
    body: await renderPdf(document),
  };
}

/** Declines a quote; a repeat has no effect. */
export async function declineQuote(
  ctx: Ctx,
  { token, name, reason, language = ctx.language }: In<typeof quotes.declineQuote>,
  reply: Reply,
): Promise<OpenedQuote> {
  const linked = await acceptable(ctx, token, 'decline');
  const { quote, version } = linked;
  if (quote.state === 'declined') return openedView(ctx, linked, language);
  await decide(ctx, quote.id, { state: 'declined', by: name, from: reply.address, reason, made: [] });
  ctx.audit('quotes.declineQuote', quote.id, {
    organizationId: quote.organizationId,
    number: quote.number,
    version: version.version,
    name,
    address: reply.address,
    reason,
  });
  await tellAdmins(ctx, quote, {
    kind: 'quote.declined',
    type: 'info',
    period: '',
    params: { name, reason: reason === '' ? '—' : reason },
  });
  publishQuotes(ctx, quote.organizationId);
  return openedView(
    ctx,
    { version, quote: { ...quote, state: 'declined', decidedAt: ctx.now, decidedBy: name } },
    language,
  );
}
