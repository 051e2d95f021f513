// Determines who pays for a cost and what it is sold for. No clock, no database.
import { roundedQuotient, unitsOf, unitsText } from '#kernel/decimal.ts';
import { absolute } from '#kernel/money.ts';
import type { AssignRule, LineKind, MarkUp, Selling } from './contract.ts';
import { costDigits } from './rules-exact.ts';
import type { Scope } from './rules-line.ts';

/** The name under which a minimum fee is metered, next to the cloud's services. */
export const minimumService = 'Minimum fee';

/** Returns the value of a scope that a rule compares. */
function valueOf(rule: Pick<AssignRule, 'field' | 'tag'>, scope: Scope): string | undefined {
  return rule.field === 'tag'
    ? Object.hasOwn(scope.tags, rule.tag)
      ? scope.tags[rule.tag]
      : undefined
    : scope[rule.field];
}

/** Whether a rule matches a scope. Azure writes the same resource group in upper and lower case. */
export function meetsRule(rule: AssignRule, scope: Scope): boolean {
  const written = (text: string): string => (rule.field === 'resourceGroup' ? text.toLowerCase() : text);
  const value = written(valueOf(rule, scope) ?? '');
  const wanted = written(rule.value);
  if (value === '') return false;
  return wanted.endsWith('*') ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
}

/** Returns the index of the first rule that matches a scope; undefined if none does. */
export function ruleOf(rules: readonly AssignRule[], scope: Scope): number | undefined {
  const place = rules.findIndex((rule) => meetsRule(rule, scope));
  return place === -1 ? undefined : place;
}

export type Customer = { readonly subscriptionId: string; readonly organizationId: string };

const isFor = (markUp: MarkUp, { subscriptionId, organizationId }: Customer): boolean =>
  (markUp.subscriptionId === null || markUp.subscriptionId === subscriptionId) &&
  (markUp.organizationId === null || markUp.organizationId === organizationId);
const customerRank = (markUp: MarkUp): number => {
  if (markUp.subscriptionId !== null) return 2;
  return markUp.organizationId === null ? 0 : 1;
};

/**
 * Returns the most specific mark-up for a customer and service: the customer takes precedence over the
 * service. Undefined if none applies: it is then sold at cost.
 */
export function markUpOf(
  markUps: readonly MarkUp[],
  customer: Customer,
  service: string,
): MarkUp | undefined {
  const rank = (markUp: MarkUp): number => customerRank(markUp) * 2 + (markUp.service === '' ? 0 : 1);
  return markUps
    .filter((each) => isFor(each, customer) && (each.service === '' || each.service === service))
    .toSorted((one, other) => rank(other) - rank(one))[0];
}

/** Returns the minimum margin for a customer in a period, as decimal text; undefined if none is set. */
export function minimumFeeOf(markUps: readonly MarkUp[], customer: Customer): string | undefined {
  const found = markUps
    .filter((each) => isFor(each, customer) && each.service === '' && each.minimumFee !== null)
    .toSorted((one, other) => customerRank(other) - customerRank(one))[0];
  return found?.minimumFee ?? undefined;
}

/** Returns the cost of a line; the cloud's taxes do not count. */
export function costOf(
  { costBasis }: Selling,
  {
    kind,
    billed,
    effective,
  }: { readonly kind: LineKind; readonly billed: bigint; readonly effective: bigint },
): bigint {
  if (kind === 'tax') return 0n;
  return costBasis === 'billed' ? billed : effective;
}

/** Returns the amount of a line to which the mark-up is applied: 0 for what is not passed on. */
export function soldBasisOf(
  selling: Selling,
  line: {
    readonly kind: LineKind;
    readonly billed: bigint;
    readonly effective: bigint;
    readonly list: bigint;
  },
): bigint {
  const isReduction = line.kind === 'credit' || line.kind === 'discount';
  if (line.kind === 'tax' || (isReduction && !selling.passesCredits)) return 0n;
  return selling.sellBasis === 'list' && line.kind === 'usage' ? line.list : costOf(selling, line);
}

/** The fraction digits of sold amounts: as many as a usage event has. */
export const soldDigits = 12;
const percentDigits = 12;
const rateDigits = 12;
const hundred = 100n * 10n ** BigInt(percentDigits);
const toSold = 10n ** BigInt(costDigits - soldDigits);
const one = 10n ** BigInt(rateDigits);

/**
 * Returns the price of an amount: with its mark-up, in the currency of the bill, rounded once to 12 digits,
 * half away from zero. `basis` is in units of 10⁻¹⁸, the result in 10⁻¹².
 */
export function soldFor(basis: bigint, percent: string, rate: string): bigint {
  return roundedQuotient(
    basis * (hundred + unitsOf(percent, percentDigits)) * unitsOf(rate, rateDigits),
    hundred * one * toSold,
  );
}

/** Converts a cost to the currency of the bill, in units of 10⁻¹⁸, rounded once, half away from zero. */
export const converted = (cost: bigint, rate: string): bigint =>
  roundedQuotient(cost * unitsOf(rate, rateDigits), one);

/**
 * Returns the amount missing from a period's minimum fee, in units of 10⁻¹²; 0 if it is reached. The margin
 * is what was sold minus what it cost.
 */
export function missingFee(minimumFee: string, soldUnits: bigint, costUnits: bigint): bigint {
  const cost = roundedQuotient(costUnits, toSold);
  const missing = unitsOf(minimumFee, soldDigits) - (soldUnits - cost);
  return missing > 0n ? missing : 0n;
}

export const soldText = (units: bigint): string => unitsText(units, soldDigits);

/**
 * Returns the margin in percent of the sales, with two digits; null if nothing was sold. Both amounts must
 * have the same unit.
 */
export function marginPercent(sold: bigint, cost: bigint): string | null {
  if (sold === 0n) return null;
  const base = absolute(sold);
  return unitsText(roundedQuotient((sold - cost) * 10_000n, base), 2);
}

/** Returns the index of the first mark-up that duplicates an earlier one's customer and service. */
export function repeatedMarkUp(markUps: readonly MarkUp[]): number | undefined {
  const seen = new Set<string>();
  for (const [place, { organizationId, subscriptionId, service }] of markUps.entries()) {
    const key = JSON.stringify([organizationId, subscriptionId, service]);
    if (seen.has(key)) return place;
    seen.add(key);
  }
  return undefined;
}
