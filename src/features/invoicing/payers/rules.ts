// Rules of payers: who pays for a month, and which changes are allowed.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { payersErrors } from './contract.ts';

/** Who pays for an organization from a month on; null: it pays for itself. */
export type PayerTerm = { readonly from: BillingMonth; readonly payerId: Id<'org'> | null };

/**
 * Who pays for organizations and subscriptions in a month, by id. Organizations not listed pay for
 * themselves; subscriptions not listed are paid with their organization.
 */
export type PayersOfMonth = {
  readonly organizations: ReadonlyMap<string, Id<'org'>>;
  readonly subscriptions: ReadonlyMap<string, Id<'org'>>;
};

/** How many months before and after the current month a payer can be set. */
export const mostMonthsBack = 12;
export const mostMonthsAhead = 24;

const newestFirst = (terms: readonly PayerTerm[]): PayerTerm[] =>
  terms.toSorted((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : 0));

/** Returns who pays for a month according to an organization's terms; null if it pays for itself. */
export function payerAt(terms: readonly PayerTerm[], month: BillingMonth): Id<'org'> | null {
  return newestFirst(terms).find(({ from }) => from <= month)?.payerId ?? null;
}

/** Whether another organization pays for any month from a given one on. */
export function isPaidSince(terms: readonly PayerTerm[], month: BillingMonth): boolean {
  return (
    payerAt(terms, month) !== null || terms.some(({ from, payerId }) => from > month && payerId !== null)
  );
}

/**
 * The term to store for a change: null if nothing changes for its month; terms of that month and later ones
 * are replaced.
 */
export function termToStore(terms: readonly PayerTerm[], wanted: PayerTerm): PayerTerm | null {
  return payerAt(terms, addMonths(wanted.from, -1)) === wanted.payerId ? null : wanted;
}

/** Whether a change has any effect: a repeated request has none. */
export function isChange(terms: readonly PayerTerm[], wanted: PayerTerm): boolean {
  const after = terms.filter(({ from }) => from >= wanted.from);
  const stored = termToStore(terms, wanted);
  return stored === null
    ? after.length > 0
    : after.length !== 1 || after[0]?.from !== stored.from || after[0]?.payerId !== stored.payerId;
}

export type PayerMistake = {
  readonly field: 'organizationId' | 'subscriptionId' | 'payerId' | 'from';
  readonly code: keyof typeof payersErrors;
  readonly month?: BillingMonth;
};

/** Why a change cannot start with a month; undefined if it can. */
export function monthMistake(
  from: BillingMonth,
  { running, billed }: { readonly running: BillingMonth; readonly billed: BillingMonth | null },
): PayerMistake | undefined {
  const [first, last] = [addMonths(running, -mostMonthsBack), addMonths(running, mostMonthsAhead)];
  if (from < first) return { field: 'from', code: 'payers.month_too_early', month: first };
  if (from > last) return { field: 'from', code: 'payers.month_too_late', month: last };
  return billed !== null && from <= billed
    ? { field: 'from', code: 'payers.month_billed', month: addMonths(billed, 1) }
    : undefined;
}

/** Whether an organization gets one consolidated bill a month or separate ones, from a month on. */
export type BillingTerm = { readonly from: BillingMonth; readonly isConsolidated: boolean };

/** Whether the bills of a month are consolidated; separate by default. */
export const isConsolidatedAt = (terms: readonly BillingTerm[], month: BillingMonth): boolean =>
  terms
    .filter(({ from }) => from <= month)
    .toSorted((a, b) => (a.from < b.from ? 1 : -1))
    .at(0)?.isConsolidated ?? false;

/** Whether a change has any effect from its month on. */
export const isBillingChange = (terms: readonly BillingTerm[], wanted: BillingTerm): boolean =>
  isConsolidatedAt(terms, wanted.from) !== wanted.isConsolidated ||
  terms.some(({ from, isConsolidated }) => from > wanted.from && isConsolidated !== wanted.isConsolidated);

type KnownOfPayer = {
  readonly running: BillingMonth;
  /** The last month that has bills or was closed for the organization; a change must not affect it. */
  readonly billed: BillingMonth | null;
  readonly isPayerClosed: boolean;
  /**
   * Whether another organization pays for the payer, or for one of its subscriptions, in that month or later.
   */
  readonly isPayerPaidFor: boolean;
  /** Whether the organization pays for others, or for others' subscriptions, in that month or later. */
  readonly paysForOthers: boolean;
};

/**
 * Payers do not nest: an organization that pays for others is paid for by no one, in every month from the
 * first on.
 */
function levelMistake(
  known: KnownOfPayer,
  field: 'organizationId' | 'subscriptionId',
): PayerMistake | undefined {
  if (known.isPayerClosed) return { field: 'payerId', code: 'payers.payer_closed' };
  if (known.isPayerPaidFor) return { field: 'payerId', code: 'payers.payer_has_payer' };
  return known.paysForOthers ? { field, code: 'payers.organization_pays' } : undefined;
}

/** Why a payer cannot be set; undefined if it can. */
export function payerMistake(
  asked: PayerTerm & { readonly organizationId: Id<'org'> },
  known: KnownOfPayer,
): PayerMistake | undefined {
  const { organizationId, payerId, from } = asked;
  if (payerId === organizationId) return { field: 'payerId', code: 'payers.itself' };
  const wrongMonth = monthMistake(from, known);
  if (wrongMonth) return wrongMonth;
  return payerId === null ? undefined : levelMistake(known, 'organizationId');
}

/**
 * Why a payer of one subscription cannot be set; undefined if it can. `ofOrganization`: the terms of the
 * organization that uses it, whose payer pays for it anyway.
 */
export function subscriptionPayerMistake(
  asked: PayerTerm & { readonly organizationId: Id<'org'> },
  known: KnownOfPayer & { readonly ofOrganization: readonly PayerTerm[] },
): PayerMistake | undefined {
  const { organizationId, payerId, from } = asked;
  if (payerId === organizationId) return { field: 'payerId', code: 'payers.uses_it' };
  const wrongMonth = monthMistake(from, known);
  if (wrongMonth) return wrongMonth;
  if (payerId === null) return undefined;
  return payerAt(known.ofOrganization, from) === payerId
    ? { field: 'payerId', code: 'payers.pays_anyway' }
    : levelMistake(known, 'subscriptionId');
}
