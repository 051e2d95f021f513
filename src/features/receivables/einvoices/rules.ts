// Rules of Taiwan's statutory e-invoices: periods, field formats, deadlines, states and tracks. Planning is
// in rules-plan.ts, the content of an invoice in rules-document.ts.
import { dayOf } from '#kernel/time.ts';
import { hourMs } from '#kernel/durations.ts';
import { isTaxId } from '#features/access/identity/rules.ts';
import type { BuyerChoice, EinvoiceState, einvoicesErrors } from './contract.ts';

/** Dates of invoices are in Taiwan's time zone, wherever the buyer and the console are. */
export const einvoiceZone = 'Asia/Taipei';

/**
 * The two-month period that contains an instant, by its first month: `2026-11` from 1 November 2026 to 31
 * December in Asia/Taipei.
 */
export function periodOf(moment: Date): string {
  const day = dayOf(moment, einvoiceZone);
  const month = Number(day.slice(5, 7));
  return `${day.slice(0, 4)}-${String(month - ((month + 1) % 2)).padStart(2, '0')}`;
}
/** Whether a text is a two-month period. */
export const isPeriod = (text: string): boolean => /^20\d{2}-(01|03|05|07|09|11)$/.test(text);
/** The next period. */
export function nextPeriod(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(5))];
  return month === 11 ? `${year + 1}-01` : `${year}-${String(month + 2).padStart(2, '0')}`;
}
/** The previous period. */
export function previousPeriod(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(5))];
  return month === 1 ? `${year - 1}-11` : `${year}-${String(month - 2).padStart(2, '0')}`;
}
/** The number of an invoice: two letters of its track and eight digits. */
export const einvoiceNumber = (letters: string, digits: number): string =>
  `${letters}${String(digits).padStart(8, '0')}`;

// 手機條碼 and 自然人憑證 as MIG defines them (CarrierId1 of 3J0002 and CQ0001); 捐贈碼 has three to seven digits.
const mobilePattern = /^\/[0-9A-Z.+-]{7}$/;
const citizenPattern = /^[A-Z]{2}\d{14}$/;
const donationPattern = /^\d{3,7}$/;
type Mistake = keyof typeof einvoicesErrors;

/** A code in its stored form: without spaces, in upper case. */
export const tidyCode = (code: string): string => code.replace(/\s/g, '').toUpperCase();

/**
 * Where a consumer can store an invoice: a member carrier belongs to a service; Turnkey has none, so it is
 * printed instead.
 */
export const keepsOf = (provider: 'none' | 'turnkey' | 'ecpay' | 'ezpay'): BuyerChoice['keep'][] =>
  provider === 'turnkey'
    ? ['paper', 'mobile', 'citizen', 'donate']
    : ['member', 'mobile', 'citizen', 'donate', 'paper'];
/** A choice adjusted to what the provider supports. */
export const keptBy = <C extends Pick<BuyerChoice, 'keep' | 'code'>>(
  choice: C,
  provider: 'none' | 'turnkey' | 'ecpay' | 'ezpay',
): C => (keepsOf(provider).includes(choice.keep) ? choice : { ...choice, keep: 'paper', code: '' });

/** Why the place where an invoice is stored is invalid, if it is. */
export function choiceMistake({ keep, code }: Pick<BuyerChoice, 'keep' | 'code'>): Mistake | undefined {
  if (keep === 'mobile') return mobilePattern.test(code) ? undefined : 'einvoices.mobile_wrong';
  if (keep === 'citizen') return citizenPattern.test(code) ? undefined : 'einvoices.citizen_wrong';
  if (keep === 'donate') return donationPattern.test(code) ? undefined : 'einvoices.donation_wrong';
  return undefined;
}
/** The errors of a buyer, by field. A consumer needs no 統一編號; a company needs a valid one and a name. */
export function buyerMistakes(
  buyer: Pick<BuyerChoice, 'taxId' | 'name' | 'keep' | 'code'>,
): { readonly field: 'taxId' | 'name' | 'code'; readonly code: Mistake }[] {
  if (buyer.taxId !== '')
    return [
      ...(isTaxId(buyer.taxId) ? [] : [{ field: 'taxId' as const, code: 'einvoices.tax_id_wrong' as const }]),
      ...(buyer.name.trim() === ''
        ? [{ field: 'name' as const, code: 'einvoices.buyer_empty' as const }]
        : []),
    ];
  const mistake = choiceMistake(buyer);
  return mistake ? [{ field: 'code', code: mistake }] : [];
}

/** The deadline for uploading an invoice to the Ministry. */
export const deadlineOf = (issuedAt: Date, hours: number): Date =>
  new Date(issuedAt.getTime() + hours * hourMs);

const gapsSeconds = [30, 60, 120, 300, 900, 1800, 3600];
const longestGapSeconds = 4 * 3600;
/** How long to wait after a number of unsuccessful attempts: increasing up to four hours. */
export const gapSeconds = (attempts: number): number =>
  gapsSeconds[Math.max(0, attempts - 1)] ?? longestGapSeconds;
/** How often to query whether an upload has arrived, by hours since it was sent. */
export const pollSeconds = (hours: number): number => (hours < 1 ? 120 : hours < 24 ? 900 : 3600);

export type StoredStanding = {
  readonly state: 'pending' | 'issued' | 'uploading' | 'uploaded' | 'failed' | 'dropped';
  readonly voidAskedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly allowed: bigint;
};
/** The displayed state: cancellation takes precedence over the upload's progress, and a failure over both. */
export function shownState({ state, voidAskedAt, voidedAt, allowed }: StoredStanding): EinvoiceState {
  if (voidedAt) return 'voided';
  if (state === 'failed' || state === 'dropped') return state;
  if (voidAskedAt) return 'voiding';
  return allowed > 0n && state !== 'pending' ? 'allowed' : state;
}

/**
 * Whether an invoice has a printed proof: not if it is void, donated, or stored in a carrier of the buyer's
 * own (統一發票使用辦法 §7).
 */
export function hasProof(one: {
  readonly number: string | null;
  readonly voidAskedAt: Date | null;
  readonly state: StoredStanding['state'];
  readonly donationCode: string | null;
  readonly carrier: { readonly kind: 'mobile' | 'citizen' | 'member' } | null;
}): boolean {
  return (
    one.number !== null &&
    one.voidAskedAt === null &&
    one.state !== 'dropped' &&
    one.donationCode === null &&
    (one.carrier === null || one.carrier.kind === 'member')
  );
}

/** How many numbers of a track are left. */
export const trackLeft = (to: number, next: number): number => Math.max(0, to - next + 1);
/** Whether so few numbers of a period are left that operators are notified. */
export const runsLow = (left: number, whole: number, percent: number): boolean =>
  whole > 0 && left * 100 <= whole * percent;

/**
 * Returns the ranges of unused numbers: those left at the end of a range, and gaps before. `used` is
 * ascending.
 */
export function unusedRanges(
  from: number,
  to: number,
  used: readonly number[],
): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  let next = from;
  for (const number of used) {
    if (number > next) ranges.push({ from: next, to: number - 1 });
    next = number + 1;
  }
  if (next <= to) ranges.push({ from: next, to });
  return ranges;
}

export { itemOf, splitLines, spread, sumsOf, type SaleLine } from './rules-document.ts';
export { periodWords, wholeUnit } from './rules-words.ts';
export { planSteps, undoing, type NetAndTax, type PlannedStep, type StandingInvoice } from './rules-plan.ts';
