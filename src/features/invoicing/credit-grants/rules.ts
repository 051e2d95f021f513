// Rules of credit grants: what a grant gives to a month's bill, the order in which grants are used up, and the
// ledger's entries. Amounts are minor units of the grant's currency.
import { assert, required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { currencies, money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { balanced, type AccountKind, type Entry } from '#features/invoicing/ledger/rules.ts';
import { maxAmountDigits, type creditgrantsErrors, type GrantKind } from './contract.ts';

export { scopeInWords } from './rules-words.ts';

/** A charge of a service's rate card. */
export type ChargeOfService = { readonly serviceId: string; readonly chargeKey: string };
/**
 * What a grant covers: services by id (null: all), and whether only their usage. Of a service with charges that are
 * named, those alone; every such service is among `services`.
 */
export type Scope = {
  readonly services: readonly string[] | null;
  readonly charges: readonly ChargeOfService[] | null;
  readonly usageOnly: boolean;
};
/** The scope of a grant that covers whatever is on a bill. */
export const wholeScope: Scope = { services: null, charges: null, usageOnly: false };
export type LineNature = 'fee' | 'usage' | 'other';

/** A grant with what it can give to the bill of one month. */
export type GrantInForce = {
  readonly id: Id<'cgr'>;
  /** Changes whenever what is left of it does; see `holdGrants`. */
  readonly version: bigint;
  readonly kind: GrantKind;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  /** For that month, above zero. */
  readonly available: Money;
  /** Whether that is of the month alone, whatever other months use. */
  readonly isOfMonth: boolean;
  readonly scope: Scope;
};

/** The terms of a grant, and what its movements come to. */
export type GrantFigures = {
  readonly amount: bigint;
  readonly startsOn: BillingMonth;
  readonly lastMonth: BillingMonth | null;
  readonly recurring: { readonly rollover: boolean } | null;
  readonly isWithdrawn: boolean;
  /** Given so far, above zero. */
  readonly granted: bigint;
  /** Used and expired so far, less what was restored: not below zero. */
  readonly taken: bigint;
  /** The part of `taken` that belongs to the month in question. */
  readonly takenInMonth: bigint;
};

/**
 * What a grant can give to the bill of a month, never below zero. One-time: the sum of its movements. Recurring
 * without rollover: the month's amount less what that month took, so each month stands alone. With rollover:
 * the amounts of all months up to that one, less all that was taken. Months that `renewGrants` did not reach yet
 * count, too, so that a bill can be shown ahead.
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

/** How many months there are from one to another, both counted; zero or less when `to` is earlier. */
export function monthsThrough(from: BillingMonth, to: BillingMonth): number {
  const index = (month: BillingMonth): number =>
    Number.parseInt(month.slice(0, 4), 10) * 12 + Number.parseInt(month.slice(5), 10);
  return index(to) - index(from) + 1;
}

/** What decides which grant is used first. */
export type BurnRank = {
  readonly priority: number;
  readonly lastMonth: BillingMonth | null;
  readonly createdAt: Date;
  readonly id: string;
};

/** Grants are used up by priority (lower first), then what ends first, then the older, then by id. */
export function byBurnOrder(a: BurnRank, b: BurnRank): number {
  return (
    a.priority - b.priority ||
    compare(a.lastMonth ?? '9999-12', b.lastMonth ?? '9999-12') ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    compare(a.id, b.id)
  );
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What a line of a bill is for; null where it is for no service, or for no charge in particular. */
export type CoveredLine = {
  readonly serviceId: string | null;
  readonly chargeKey: string | null;
  readonly nature: LineNature;
};

/**
 * Whether a grant may pay for a bill's line; a line without a service only when its grant covers all services, and
 * a line without a charge only when its service is covered as a whole.
 */
export function grantCovers({ services, charges, usageOnly }: Scope, line: CoveredLine): boolean {
  if (usageOnly && line.nature !== 'usage') return false;
  if (services !== null && (line.serviceId === null || !services.includes(line.serviceId))) return false;
  const named = charges?.filter(({ serviceId }) => serviceId === line.serviceId) ?? [];
  return named.length === 0 || named.some(({ chargeKey }) => chargeKey === line.chargeKey);
}

/**
 * A scope as it is stored: each service and charge once, in one order, whatever the order of the request. Charges
 * without services are all that it covers.
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
        .toSorted(([a], [b]) => compare(a, b))
        .map(([, charge]) => charge),
    usageOnly,
  };
}

/** Spreads an amount over what is left of lines by largest remainder; the parts add up to it, or to all that is left. */
export type Spread = (amount: Money, left: readonly Money[]) => Money[];
export type BurnLine = CoveredLine & {
  /** What is left of the line, in minor units of the grants' currency; below zero it neither gives nor receives. */
  readonly left: bigint;
};
export type Burned = {
  readonly grantId: Id<'cgr'>;
  /** Above zero: the sum of the shares. */
  readonly amount: Money;
  /** By line, in the lines' order; zero for a line that it does not cover. */
  readonly shares: readonly bigint[];
};

/**
 * What each grant pays of a bill's lines. The grants, all in the lines' currency, take in their order from the
 * lines that they cover, each spread over what those before it left of them. No grant takes more than it has
 * available, no line gives more than is left of it; grants that take nothing are left out.
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

/** Debit one account, credit another. `owner` null: an account of the platform. */
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

/** Credit that was given: paid from the organization's balance, or as a cost of promotion. */
export function grantedEntries({ organizationId, kind, amount }: Owned): Entry[] {
  return moved(amount, kind === 'paid' ? ['balance', organizationId] : ['promotions', null], [
    creditAccount[kind],
    organizationId,
  ]);
}

/** Credit that had expired is there again (`amount` above zero): what was booked as it expired is taken back. */
export function reopenedEntries(owned: Owned): Entry[] {
  return endedEntries(owned, 'expired').map((entry) => ({ ...entry, minor: -entry.minor }));
}

/**
 * Credit that ended unused (`amount` above zero): withdrawn paid credit returns to the balance, expired paid
 * credit is breakage; promotional credit takes its cost back.
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

/** Why an amount of credit cannot be given; undefined when it can. */
export function amountMistake(amount: Money): Mistake | undefined {
  const field = 'amount';
  if (amount.minor <= 0n) return { code: 'creditgrants.amount_not_positive', field };
  const most = 10n ** BigInt(maxAmountDigits + currencies[amount.currency].billingDigits);
  return amount.minor < most ? undefined : { code: 'creditgrants.amount_too_large', field };
}

/**
 * Why a grant cannot be given; undefined when it can. `current` is the organization's month. A grant may start
 * with the month before, whose bill may not be issued yet, and ends with the current month at the earliest,
 * unless it starts with the month before.
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

/** The month in which a day lies: its bill is the last that a grant covers which expires on that day. */
export const monthOfDay = (day: LocalDay): BillingMonth => day.slice(0, 7) as BillingMonth;

/** The last month of credit that is bought in `month` for so many months' bills; null: any. */
export const lastMonthOf = (month: BillingMonth, months: number | null): BillingMonth | null =>
  months === null ? null : addMonths(month, months - 1);

/** What a balance lacks for an amount; zero when it is enough. */
export function missingOf(amount: Money, spendable: Money): Money {
  assert(amount.currency === spendable.currency, 'credit is bought with a balance in its currency');
  const minor = amount.minor - (spendable.minor > 0n ? spendable.minor : 0n);
  return money(minor > 0n ? minor : 0n, amount.currency);
}

/**
 * What auto top-up does. `left`: of paid credit; `planned`: what open months will use of it; `bought`: by
 * auto top-up in this calendar month. It buys whole amounts: one that would pass the cap is not bought in part.
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
 * What the warning about low credit does: members are told once when what is left, less what open months will
 * use, falls below the threshold, and again only after it was enough in between.
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
/** A paid grant that the current month can use; `left` less what bills of open months will use of it. */
export type PaidGrant = {
  readonly scope: Scope;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly left: bigint;
};
export type Cover = {
  /** Whether something is left for all usage of the service. */
  readonly isCovered: boolean;
  /** Whether four fifths or more of it are used. */
  readonly isNearlyUsed: boolean;
};
/** Members are told when so much of every five parts is left. */
const [leftWhenTold, ofParts] = [1n, 5n];

/**
 * Whether paid credit is left for a service. Every usage charge must have a grant that covers it: usage of a charge that nothing
 * pays for would be owed. A service without usage has nothing to stop.
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

/** The key by which amounts of many organizations are looked up: `org_… TWD`, as the ledger's balances. */
export const ownerKey = (organizationId: string, currency: Currency): string =>
  `${organizationId} ${currency}`;
