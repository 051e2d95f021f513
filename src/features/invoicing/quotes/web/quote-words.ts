// How quotes stand, as badges, and where what they became is found.
import { ApiError } from '#platform/web/api/api-error.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Id } from '#kernel/ids.ts';
import type { Made, QuoteState } from '../contract.ts';

export const stateTones: Readonly<Record<QuoteState, BadgeTone>> = {
  draft: 'neutral',
  sent: 'primary',
  accepted: 'success',
  declined: 'warning',
  expired: 'neutral',
  withdrawn: 'neutral',
};

/** The Admin's page about something that a quote became. */
export function pathOfMade({ kind, id }: Made, organizationId: Id<'org'>): string {
  switch (kind) {
    case 'one_off':
      return `/admin/one-off-charges?charge=${id}`;
    case 'discount':
      return `/admin/discounts?discount=${id}`;
    case 'grant':
      return `/admin/credit-grants?grant=${id}`;
    case 'minimum_spend':
      return '/admin/one-off-charges';
    case 'commitment':
      return `/admin/commitments?commitment=${id}`;
    case 'subscription':
      return `/admin/organizations?organization=${organizationId}`;
  }
}

/** What is wrong, in one sentence: with its first field where it is about fields. */
export const sentenceOf = (error: Error): string =>
  (error instanceof ApiError ? error.errors[0]?.message : undefined) ?? error.message;
