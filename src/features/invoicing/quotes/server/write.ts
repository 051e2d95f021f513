// Quotes for Admins: create, change and discard drafts; send and withdraw quotes.
import type { In, Out } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import { moneyText } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import { required } from '#kernel/assert.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type Organization } from '#features/access/identity/contract.ts';
import { organizationById, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { quotesErrors, type QuoteDetail, type quotes } from '../contract.ts';
import type { ShownEstimate } from '../contract-content.ts';
import { expiryOf, isFinal, quoteNumber, quoteSeries, stateAt, validUntilMistake } from '../rules.ts';
import { newLink } from './links.ts';
import { publishQuotes, tellSent } from './notices.ts';
import { detailOf } from './read.ts';
import {
  bumpQuote,
  decide,
  deleteQuoteRow,
  insertQuote,
  markSent,
  nextNumber,
  quoteById,
  type QuoteRow,
} from './store.ts';
import { deleteVersion, sendVersion, versionOf, writeDraft } from './store-versions.ts';
import { shownEstimate } from './words.ts';
import { workOut } from './work-out.ts';

/** Returns the organization a quote is for; throws at its field if it is unknown or closed. */
async function receiver(ctx: Ctx, organizationId: string): Promise<Organization> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization)
    throw domainError(identityErrors, 'identity.organization_not_found', {}, ['organizationId']);
  if (organization.closedAt !== null)
    throw domainError(quotesErrors, 'quotes.organization_closed', { organization: organization.name }, [
      'organizationId',
    ]);
  return organization;
}

function assertValidUntil(ctx: Ctx, validUntil: LocalDay, { timeZone }: Organization): void {
  const mistake = validUntilMistake(validUntil, dayOf(ctx.now, timeZone));
  if (mistake) throw new ValidationError([mistake]);
}

/** Returns a locked quote that may still be changed. */
async function openQuote(ctx: Ctx, quoteId: string, revision: number | undefined): Promise<QuoteRow> {
  const row = await quoteById(ctx, quoteId, true);
  if (!row) throw domainError(quotesErrors, 'quotes.not_found');
  if (isFinal(row.state)) throw domainError(quotesErrors, 'quotes.final');
  if (revision !== undefined && revision !== row.revision)
    throw domainError(quotesErrors, 'quotes.changed_meanwhile');
  return row;
}
const hasDraft = ({ latestVersion, sentVersion }: QuoteRow): boolean => latestVersion !== sentVersion;

/** Returns the estimate of a content for acceptance now. */
export async function previewQuote(ctx: Ctx, input: In<typeof quotes.previewQuote>): Promise<ShownEstimate> {
  const { content, currency } = input;
  const organization = await receiver(ctx, input.organizationId);
  const { estimate } = await workOut(ctx, { organization, currency }, content);
  return shownEstimate(ctx, estimate, ctx.language);
}

/** Makes a draft. */
export async function createQuote(ctx: Ctx, input: In<typeof quotes.createQuote>): Promise<QuoteDetail> {
  const { currency, content, validUntil } = input;
  const organization = await receiver(ctx, input.organizationId);
  assertValidUntil(ctx, validUntil, organization);
  const worked = await workOut(ctx, { organization, currency }, content);
  const { userId } = person(ctx);
  const id = ctx.newId('qot');
  await insertQuote(ctx, { id, organizationId: organization.id, currency, createdBy: userId });
  await writeDraft(ctx, { quoteId: id, version: 1, content, validUntil, ...worked }, userId);
  ctx.audit('quotes.createQuote', id, { organizationId: organization.id, currency, validUntil });
  publishQuotes(ctx, organization.id);
  return detailOf(ctx, id);
}

/** Changes the draft, or starts the next version of a sent quote. */
export async function updateQuote(ctx: Ctx, input: In<typeof quotes.updateQuote>): Promise<QuoteDetail> {
  const row = await openQuote(ctx, input.quoteId, input.revision);
  const latest = required(await versionOf(ctx, row.id, row.latestVersion), 'the newest version');
  const { content = latest.content, validUntil = latest.validUntil } = input;
  const organization = await receiver(ctx, row.organizationId);
  assertValidUntil(ctx, validUntil, organization);
  const worked = await workOut(ctx, { organization, currency: row.currency }, content);
  const version = hasDraft(row) ? row.latestVersion : row.latestVersion + 1;
  await writeDraft(ctx, { quoteId: row.id, version, content, validUntil, ...worked }, person(ctx).userId);
  await bumpQuote(ctx, row.id, version);
  ctx.audit('quotes.updateQuote', row.id, { version, validUntil });
  publishQuotes(ctx, row.organizationId);
  return detailOf(ctx, row.id);
}

/** Discards the draft; a sent version is kept. */
export async function deleteQuote(
  ctx: Ctx,
  { quoteId }: In<typeof quotes.deleteQuote>,
): Promise<Out<typeof quotes.deleteQuote>> {
  const row = await openQuote(ctx, quoteId, undefined);
  if (!hasDraft(row)) throw domainError(quotesErrors, 'quotes.no_draft');
  await deleteVersion(ctx, row.id, row.latestVersion);
  if (row.sentVersion === null) await deleteQuoteRow(ctx, row.id);
  else await bumpQuote(ctx, row.id, row.sentVersion);
  ctx.audit('quotes.deleteQuote', row.id, { version: row.latestVersion });
  publishQuotes(ctx, row.organizationId);
  return null;
}

/** Sends the draft, evaluated again with current prices and figures. */
export async function sendQuote(ctx: Ctx, input: In<typeof quotes.sendQuote>): Promise<QuoteDetail> {
  const row = await openQuote(ctx, input.quoteId, input.revision);
  if (!hasDraft(row)) throw domainError(quotesErrors, 'quotes.no_draft');
  const draft = required(await versionOf(ctx, row.id, row.latestVersion), 'the draft');
  const organization = await receiver(ctx, row.organizationId);
  const { content, validUntil, version } = draft;
  assertValidUntil(ctx, validUntil, organization);
  const worked = await workOut(ctx, { organization, currency: row.currency }, content);
  const { userId } = person(ctx);
  await writeDraft(ctx, { quoteId: row.id, version, content, validUntil, ...worked }, userId);
  await sendVersion(ctx, {
    quoteId: row.id,
    version,
    by: userId,
    expiresAt: expiryOf(validUntil, organization.timeZone),
    ...newLink(ctx, { quoteId: row.id, version }),
  });
  const number = await sendRow(ctx, row, version);
  ctx.audit('quotes.sendQuote', row.id, {
    organizationId: row.organizationId,
    number,
    version,
    validUntil,
    total: moneyText(worked.estimate.contract.total),
    currency: row.currency,
  });
  await tellSent(ctx, row, { number, version, validUntil });
  publishQuotes(ctx, row.organizationId);
  return detailOf(ctx, row.id);
}

/** Makes the version acceptable; returns the quote's number, which is assigned with its first version. */
async function sendRow(ctx: Ctx, row: QuoteRow, version: number): Promise<string> {
  if (row.number !== null) {
    await markSent(ctx, row.id, version, null);
    return row.number;
  }
  const series = quoteSeries(monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  const sequence = await nextNumber(ctx, series);
  const number = quoteNumber(series, sequence);
  await markSent(ctx, row.id, version, { series, sequence, number });
  return number;
}

/** Withdraws a sent version, and a draft of the next one. */
export async function withdrawQuote(ctx: Ctx, input: In<typeof quotes.withdrawQuote>): Promise<QuoteDetail> {
  const row = await openQuote(ctx, input.quoteId, undefined);
  if (row.sentVersion === null) throw domainError(quotesErrors, 'quotes.not_sent');
  const { reason = '' } = input;
  await decide(ctx, row.id, { state: 'withdrawn', by: person(ctx).name, from: '', reason, made: [] });
  ctx.audit('quotes.withdrawQuote', row.id, {
    reason,
    state: stateAt(row.state, row.expiresAt, ctx.now),
  });
  publishQuotes(ctx, row.organizationId);
  return detailOf(ctx, row.id);
}
