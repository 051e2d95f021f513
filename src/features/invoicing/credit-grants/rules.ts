// Rules of credit grants: what a grant contributes to a month's bill, the order in which grants are used, and
// the ledger entries. Amounts are minor units of the grant's currency.
import { assert, required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { currencies, money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsThrough } from '#kernel/time.ts';
import { compareTexts, byKey } from '#kernel/order.ts';
import { balanced, type AccountKind, type Entry } from '#features/invoicing/ledger/rules.ts';
import { maxAmountDigits, type creditgrantsErrors, type GrantKind } from './contract.ts';

export { scopeInWords } from './rules-words.ts';

/** A charge of a service's rate card. */
export type ChargeOfService = { readonly serviceId: string; readonly chargeKey: string };
/**
 * What a grant covers: services by id (null: all), and whether only their usage. For a service with named
 * charges, only those charges; every such service is in `services`.
 */
export type Scope = {
  readonly services: readonly string[] | null;
  readonly charges: readonly ChargeOfService[] | null;
  readonly usageOnly: boolean;
};
/** The scope of a grant that covers everything on a bill. */
export const wholeScope: Scope = { services: null, charges: null, usageOnly: false };
export type LineNature = 'fee' | 'usage' | 'other';

/** A grant with the amount available for the bill of one month. */
export type GrantInForce = {
  readonly id: Id<'cgr'>;
  /** Changes whenever its remaining amount does; see `holdGrants`. */
  readonly version: bigint;
  readonly kind: GrantKind;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  /** For that month; positive. */
  readonly available: Money;
  /** Whether the amount is for that month only, independent of other months' use. */
  readonly isOfMonth: boolean;
  readonly scope: Scope;
};

/** The terms of a grant, and the sums of its movements. */
export type GrantFigures = {
  readonly amount: bigint;
  readonly startsOn: BillingMonth;
  readonly lastMonth: BillingMonth | null;
  readonly recurring: { readonly rollover: boolean } | null;
  readonly isWithdrawn: boolean;
  /** Granted so far; positive. */
  readonly granted: bigint;
  /** Used and expired so far minus what was restored; not negative. */
  readonly taken: bigint;
  /** The part of `taken` that belongs to the month in question. */
  readonly takenInMonth: bigint;
};

/**
 * Returns the amount a grant can contribute to the bill of a month, never negative. One-time: the sum of its
 * movements. Recurring without rollover: the month's amount minus what that month took, so each month is
 * independent. With rollover: the amounts of all months up to that one, minus everything taken. Months that
 * `renewGrants` has not reached yet count, too, so that a bill can be projected.
 */
export function availableIn(grant: GrantFigures, month: BillingMonth): bigint {
  const { amount, startsOn, lastMonth, recurring } = grant;
  if (grant.isWithdrawn || month < startsOn || (lastMonth !== null && month > lastMonth)) return 0n;
  const left =
    recurring === null
      ? grant.granted - grant.taken
      : recurring.rollover
        ? amount * BigInt(monthsThrough(startsOn, month)) - grant.taken
        : amount - grant.takenInMonth;
  return left > 0n ? left : 0n;
}

/** Determines which grant is used first. */
export type BurnRank = {
  readonly priority: number;
  readonly lastMonth: BillingMonth | null;
  readonly createdAt: Date;
  readonly id: string;
};

/** Orders grants by priority (lower first), then by last month, then by age, then by id. */
export function byBurnOrder(a: BurnRank, b: BurnRank): number {
  return (
    a.priority - b.priority ||
    compareTexts(a.lastMonth ?? '9999-12', b.lastMonth ?? '9999-12') ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    compareTexts(a.id, b.id)
  );
}

/** What a line of a bill is for; null if it is for no particular service or charge. */
export type CoveredLine = {
  readonly serviceId: string | null;
  readonly chargeKey: string | null;
  readonly nature: LineNature;
};

/**
 * Whether a grant may pay for a bill's line. A line without a service requires a grant for all services, and
 * a line without a charge one that covers its whole service.
 */
export function grantCovers({ services, charges, usageOnly }: Scope, line: CoveredLine): boolean {
  if (usageOnly && line.nature !== 'usage') return false;
  if (services !== null && (line.serviceId === null || !services.includes(line.serviceId))) return false;
  const named = charges?.filter(({ serviceId }) => serviceId === line.serviceId) ?? [];
  return named.length === 0 || named.some(({ chargeKey }) => chargeKey === line.chargeKey);
}

/**
 * A scope in its stored form: services and charges without duplicates, in a fixed order. Charges without
 * services are everything it covers.
 */
export function scopeOf({
  services,
  charges = null,
  usageOnly,
}: Omit<Scope, 'charges'> & { readonly charges?: Scope['charges'] | undefined }): Scope {
  const ordered = (ids: readonly string[]): readonly string[] => [...new Set(ids)].toSorted();
  return {
    services: services ? ordered(services) : charges && ordered(charges.map(({ serviceId }) => serviceId)),
    charges:
      charges &&
      [...new Map(charges.map((charge) => [`${charge.serviceId} ${charge.chargeKey}`, charge])).entries()]
        .toSorted(byKey)
        .map(([, charge]) => charge),
    usageOnly,
  };
}

/**
 * Spreads an amount over the remaining amounts of lines by largest remainder; the parts add up to it, or to
 * everything that remains.
 */
export type Spread = (amount: Money, left: readonly Money[]) => Money[];
export type BurnLine = CoveredLine & {
  /**
   * The remaining amount of the line, in minor units of the grants' currency; a negative one neither gives
   * nor receives.
   */
  readonly left: bigint;
};
export type Burned = {
  readonly grantId: Id<'cgr'>;
  /** Positive: the sum of the shares. */
  readonly amount: Money;
  /** By line, in order; zero for a line that it does not cover. */
  readonly shares: readonly bigint[];
};

/**
 * Returns what each grant pays of a bill's lines. The grants, all in the lines' currency, take in order from
 * the lines that they cover, each spread over what earlier grants left. No grant takes more than is
 * available, and no line gives more than remains; grants that take nothing are left out.
 */
export function burn(spread: Spread, grants: readonly GrantInForce[], lines: readonly BurnLine[]): Burned[] {
  const left = lines.map((line) => (line.left > 0n ? line.left : 0n));
  const currency = grants[0]?.available.currency;
  return grants.flatMap((grant): Burned[] => {
    const { available, scope } = grant;
    assert(available.currency === currency, 'the grants of a bill have one currency');
    const open = lines.map((line, index) => (grantCovers(scope, line) ? (left[index] ?? 0n) : 0n));
    const most = open.reduce((sum, each) => sum + each, 0n);
    const taken = available.minor < most ? available.minor : most;
    if (taken <= 0n) return [];
    const amount = money(taken, available.currency);
    const shares = spread(
      amount,
      open.map((minor) => money(minor, available.currency)),
    ).map((share) => share.minor);
    for (const [index, share] of shares.entries()) left[index] = required(left[index], 'a line') - share;
    return [{ grantId: grant.id, amount, shares }];
  });
}

type Owned = { readonly organizationId: string; readonly kind: GrantKind; readonly amount: Money };
const creditAccount = { paid: 'deferred_revenue', promotional: 'promotional_credit' } as const;

/** Debits one account and credits another. A null `owner` means an account of the platform. */
function moved(
  amount: Money,
  debit: readonly [AccountKind, string | null],
  credit: readonly [AccountKind, string | null],
): Entry[] {
  const { currency, minor } = amount;
  return balanced([
    { account: { kind: debit[0], organizationId: debit[1], currency }, minor },
    { account: { kind: credit[0], organizationId: credit[1], currency }, minor: -minor },
  ]);
}

/** The entries for granted credit: paid from the organization's balance, or as a promotion cost. */
export function grantedEntries({ organizationId, kind, amount }: Owned): Entry[] {
  return moved(amount, kind === 'paid' ? ['balance', organizationId] : ['promotions', null], [
    creditAccount[kind],
    organizationId,
  ]);
}

/** The entries when expired credit is restored (`amount` positive): reverses what was booked on expiry. */
export function reopenedEntries(owned: Owned): Entry[] {
  return endedEntries(owned, 'expired').map((entry) => ({ ...entry, minor: -entry.minor }));
}

/**
 * The entries for credit that ended unused (`amount` positive): withdrawn paid credit returns to the balance,
 * expired paid credit becomes breakage, and promotional credit reverses its cost.
 */
export function endedEntries({ organizationId, kind, amount }: Owned, how: 'expired' | 'withdrawn'): Entry[] {
  const back: readonly [AccountKind, string | null] =
    kind === 'promotional'
      ? ['promotions', null]
      : how === 'withdrawn'
        ? ['balance', organizationId]
        : ['breakage', null];
  return moved(amount, [creditAccount[kind], organizationId], back);
}

export type Mistake = {
  readonly code: Extract<
    keyof typeof creditgrantsErrors,
    | 'creditgrants.amount_not_positive'
    | 'creditgrants.amount_too_large'
    | 'creditgrants.paid_recurs'
    | 'creditgrants.starts_too_early'
    | 'creditgrants.ends_too_early'
  >;
  readonly field: string;
};

/** Why an amount of credit cannot be granted; undefined if it can. */
export function amountMistake(amount: Money): Mistake | undefined {
  const field = 'amount';
  if (amount.minor <= 0n) return { code: 'creditgrants.amount_not_positive', field };
  const most = 10n ** BigInt(maxAmountDigits + currencies[amount.currency].billingDigits);
  return amount.minor < most ? undefined : { code: 'creditgrants.amount_too_large', field };
}

/**
 * Why a grant is invalid; undefined if it is valid. `current` is the organization's month. A grant may start
 * in the previous month, whose bill may not be issued yet, and ends with the current month at the earliest,
 * unless it starts in the previous one.
 */
export function grantMistake(
  grant: {
    readonly kind: GrantKind;
    readonly amount: Money;
    readonly startsOn: BillingMonth;
    readonly lastMonth: BillingMonth | null;
    readonly recurring: object | null;
  },
  current: BillingMonth,
): Mistake | undefined {
  const wrong = amountMistake(grant.amount);
  if (wrong) return wrong;
  if (grant.kind === 'paid' && grant.recurring)
    return { code: 'creditgrants.paid_recurs', field: 'recurring' };
  if (grant.startsOn < addMonths(current, -1))
    return { code: 'creditgrants.starts_too_early', field: 'startsOn' };
  return grant.lastMonth !== null && grant.lastMonth < grant.startsOn
    ? { code: 'creditgrants.ends_too_early', field: 'expiresOn' }
    : undefined;
}

/** The last month of credit bought in `month` for a number of months' bills; null for any. */
export const lastMonthOf = (month: BillingMonth, months: number | null): BillingMonth | null =>
  months === null ? null : addMonths(month, months - 1);

/** The amount missing from a balance; zero if it suffices. */
export function missingOf(amount: Money, spendable: Money): Money {
  assert(amount.currency === spendable.currency, 'credit is bought with a balance in its currency');
  const minor = amount.minor - (spendable.minor > 0n ? spendable.minor : 0n);
  return money(minor > 0n ? minor : 0n, amount.currency);
}

/**
 * Decides whether auto top-up buys credit. `left`: remaining paid credit; `planned`: what open months will
 * use of it; `bought`: by auto top-up in this calendar month. It buys whole amounts: one that would exceed
 * the cap is not bought in part.
 */
export function topUpDue(state: {
  readonly left: bigint;
  readonly planned: bigint;
  readonly threshold: bigint;
  readonly amount: bigint;
  readonly cap: bigint;
  readonly bought: bigint;
}): 'enough' | 'capped' | 'due' {
  if (state.left - state.planned >= state.threshold) return 'enough';
  return state.bought + state.amount > state.cap ? 'capped' : 'due';
}

/**
 * Decides whether to warn about low credit: members are notified once when the remainder, minus what open
 * months will use, falls below the threshold, and again only after it was sufficient in between.
 */
export function warningDue(state: {
  readonly left: bigint;
  readonly planned: bigint;
  readonly threshold: bigint;
  readonly isWarned: boolean;
}): 'warn' | 'rearm' | null {
  const isLow = state.left - state.planned < state.threshold;
  if (isLow === state.isWarned) return null;
  return isLow ? 'warn' : 'rearm';
}

/** A service that requires prepaid credit; `chargeKeys` are its usage charges, null for the usage of a single price. */
export type PrepaidService = {
  readonly serviceId: string;
  readonly currency: Currency;
  readonly chargeKeys: readonly (string | null)[];
};
/** A paid grant that the current month can use; `left` is reduced by what bills of open months will use. */
export type PaidGrant = {
  readonly scope: Scope;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly left: bigint;
};
export type Cover = {
  /** Whether credit is left for all usage of the service. */
  readonly isCovered: boolean;
  /** Whether at least four fifths are used. */
  readonly isNearlyUsed: boolean;
};
/** Members are notified when this many of every five parts are left. */
const [leftWhenTold, ofParts] = [1n, 5n];

/**
 * Determines whether paid credit is left for a service. Every usage charge needs a grant that covers it;
 * otherwise its usage would be owed. A service without usage cannot be stopped.
 */
export function coverOf(service: PrepaidService, grants: readonly PaidGrant[]): Cover {
  const { serviceId, currency, chargeKeys } = service;
  const covers = ({ scope }: PaidGrant, chargeKey: string | null): boolean =>
    grantCovers(scope, { serviceId, chargeKey, nature: 'usage' });
  const own = grants.filter(
    (grant) => grant.currency === currency && chargeKeys.some((key) => covers(grant, key)),
  );
  const sumOf = (part: (grant: PaidGrant) => bigint): bigint =>
    own.reduce((sum, grant) => sum + part(grant), 0n);
  const [left, whole] = [
    sumOf((grant) => (grant.left > 0n ? grant.left : 0n)),
    sumOf((grant) => grant.amount),
  ];
  const isCovered = chargeKeys.every((key) => own.some((grant) => grant.left > 0n && covers(grant, key)));
  return {
    isCovered,
    isNearlyUsed: chargeKeys.length > 0 && isCovered && left * ofParts <= whole * leftWhenTold,
  };
}

/** The key for amounts of many organizations: `org_… TWD`, like the ledger's balances. */
export const ownerKey = (organizationId: string, currency: Currency): string =>
  `${organizationId} ${currency}`;
