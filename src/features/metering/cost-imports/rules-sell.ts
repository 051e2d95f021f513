// Who pays for cost, and what it is sold for. No clock, no database.
import { roundedQuotient, unitsOf, unitsText } from '#kernel/decimal.ts';
import type { AssignRule, LineKind, MarkUp, Selling } from './contract.ts';
import { costDigits } from './rules-exact.ts';
import type { Scope } from './rules-line.ts';

/** The name under which a minimum is metered, beside the cloud's services. */
export const minimumService = 'Minimum fee';

/** The value of a scope that a rule compares with. */
function valueOf(rule: Pick<AssignRule, 'field' | 'tag'>, scope: Scope): string | undefined {
  return rule.field === 'tag'
    ? Object.hasOwn(scope.tags, rule.tag)
      ? scope.tags[rule.tag]
      : undefined
    : scope[rule.field];
}

/** Whether a rule takes a scope. Azure writes the same resource group in capitals and without. */
export function meetsRule(rule: AssignRule, scope: Scope): boolean {
  const written = (text: string): string => (rule.field === 'resourceGroup' ? text.toLowerCase() : text);
  const value = written(valueOf(rule, scope) ?? '');
  const wanted = written(rule.value);
  if (value === '') return false;
  return wanted.endsWith('*') ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
}

/** The place of the first rule that takes a scope; undefined when none does. */
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

/** The most specific mark-up for a service of a customer: the customer counts before the service. Undefined when none fits: it is sold at cost. */
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

/** The least that is earned on a customer in a period, as a decimal text; undefined when nothing is set. */
export function minimumFeeOf(markUps: readonly MarkUp[], customer: Customer): string | undefined {
  const found = markUps
    .filter((each) => isFor(each, customer) && each.service === '' && each.minimumFee !== null)
    .toSorted((one, other) => customerRank(other) - customerRank(one))[0];
  return found?.minimumFee ?? undefined;
}

/** The cost of a line; taxes of the cloud are none. */
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

/** What the mark-up of a line is added to: 0 for what is kept back. */
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

/** Digits of what is sold: as many as a usage event has. */
export const soldDigits = 12;
const percentDigits = 12;
const rateDigits = 12;
const hundred = 100n * 10n ** BigInt(percentDigits);
const toSold = 10n ** BigInt(costDigits - soldDigits);
const one = 10n ** BigInt(rateDigits);

/**
 * What a basis is sold for: with its mark-up, in the currency of the bill, rounded once to 12 digits, half away from zero. `basis` is in units of
 * 10⁻¹⁸, the result in 10⁻¹².
 */
export function soldFor(basis: bigint, percent: string, rate: string): bigint {
  return roundedQuotient(
    basis * (hundred + unitsOf(percent, percentDigits)) * unitsOf(rate, rateDigits),
    hundred * one * toSold,
  );
}

/** Cost in the currency of the bill, in units of 10⁻¹⁸, rounded once, half away from zero. */
export const converted = (cost: bigint, rate: string): bigint =>
  roundedQuotient(cost * unitsOf(rate, rateDigits), one);

/** What a period's fee lacks to its minimum, in units of 10⁻¹²; 0 when it is earned. `earned` is what was sold less what it cost. */
export function missingFee(minimumFee: string, soldUnits: bigint, costUnits: bigint): bigint {
  const cost = roundedQuotient(costUnits, toSold);
  const missing = unitsOf(minimumFee, soldDigits) - (soldUnits - cost);
  return missing > 0n ? missing : 0n;
}

export const soldText = (units: bigint): string => unitsText(units, soldDigits);

/** The margin in percent of what was sold, with two digits; null when nothing was. Both amounts in the same units. */
export function marginPercent(sold: bigint, cost: bigint): string | null {
  if (sold === 0n) return null;
  const base = sold < 0n ? -sold : sold;
  return unitsText(roundedQuotient((sold - cost) * 10_000n, base), 2);
}

/** The first mark-up that says the same as one before it of the same customer and service. */
export function repeatedMarkUp(markUps: readonly MarkUp[]): number | undefined {
  const seen = new Set<string>();
  for (const [place, { organizationId, subscriptionId, service }] of markUps.entries()) {
    const key = JSON.stringify([organizationId, subscriptionId, service]);
    if (seen.has(key)) return place;
    seen.add(key);
  }
  return undefined;
}
