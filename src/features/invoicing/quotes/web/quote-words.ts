// The states of quotes as badges, and links to what was created from them.
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

/** The Admin's page of something that was created from a quote. */
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

/** Describes an error in one sentence, with its first field if it is about fields. */
export const sentenceOf = (error: Error): string =>
  (error instanceof ApiError ? error.errors[0]?.message : undefined) ?? error.message;
