// Notices about quotes: to the organization's members when one was sent, to Admins about its outcome; and
// live updates.
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { quotesPaths } from '../contract.ts';
import type { QuoteRow } from './store.ts';

/** Makes open pages of Admins and of the organization reload. */
export function publishQuotes(ctx: Ctx, organizationId: string): void {
  ctx.publish('system/billing', { kind: 'quotes' });
  ctx.publish(`org/${organizationId}/bills`, { kind: 'quotes' });
}

/**
 * Notifies the members of a quote that was sent to them. The notice links to their own page, where they sign
 * in and which derives the quote's secret link: that link is not stored in any table.
 */
export async function tellSent(
  ctx: Ctx,
  { id, organizationId }: Pick<QuoteRow, 'id' | 'organizationId'>,
  sent: { readonly number: string; readonly version: number; readonly validUntil: LocalDay },
): Promise<void> {
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind: 'quote.sent',
        type: 'info',
        category: 'billing',
        subject: id,
        period: String(sent.version),
        textKey: 'quotes.notice_sent',
        params: { number: sent.number, day: sent.validUntil },
        link: `${quotesPaths.own}?quote=${id}`,
      },
    },
  ]);
}

type Told = {
  readonly kind: 'quote.accepted' | 'quote.declined' | 'quote.refused' | 'quote.expires_soon';
  readonly type: 'info' | 'warning';
  readonly params: Readonly<Record<string, string>>;
  /** Distinguishes notices of the same kind about a quote. */
  readonly period: string;
};

/** Notifies every Admin of a quote's outcome. */
export async function tellAdmins(
  ctx: Ctx,
  { id, number, organization }: Pick<QuoteRow, 'id' | 'number' | 'organization'>,
  { kind, type, params, period }: Told,
): Promise<void> {
  await postToAdmins(ctx, {
    kind,
    type,
    category: 'billing',
    subject: id,
    period,
    // used as: 'quotes.notice_*'
    textKey: `quotes.notice_${kind.slice('quote.'.length)}`,
    params: { number: number ?? '', organization, ...params },
    link: `${quotesPaths.admin}?quote=${id}`,
  });
}
