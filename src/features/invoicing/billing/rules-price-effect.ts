// Separates the effect of price changes on a bill from the effect of usage changes. Formula: the price effect
// is (new price − old price) × new quantity, the volume effect (new quantity − old quantity) × old price;
// together they are the whole difference. Source: price and quantity variances, Horngren, Datar and Rajan,
// Cost Accounting, chapter 7; as index numbers, a Paasche price and a Laspeyres volume, System of National
// Accounts 2008, 15.15 to 15.29. Here, "price × quantity" is what the price charges for the quantity,
// whatever its model, rounded like a line of a bill.
import { decimal, sumDecimals, type Decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import type { Charge, Dimensions, MatrixRate } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  dependsOnEvents,
  excessOver,
  rateFor,
  topUpTo,
  usageOfQuantity,
  type ChargeUsage,
} from '#features/selling/rating/rules.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { usageCost } from '#features/selling/catalogue/rules.ts';
import type { LineStep } from './contract.ts';
import type { PlannedBillLine } from './rules-late.ts';

/** A line to compare, from a stored or a planned bill. */
export type ComparedLine = Pick<
  PlannedBillLine,
  'kind' | 'subscriptionId' | 'serviceName' | 'priceVersionId' | 'quantity' | 'unitPrice' | 'amount'
> & {
  readonly steps: readonly LineStep[];
  /** The charge of a rate card. */
  readonly charge?: { readonly key: string } | undefined;
};

/** Returns the pricing of a price version; undefined if the version no longer exists. */
export type PricingOf = (priceVersionId: string) => Pricing | undefined;

/** A line's price: a charge of a rate card, or a single price. */
function priceOf(line: ComparedLine, pricingOf: PricingOf): Pricing | Charge | undefined {
  const pricing = line.priceVersionId === null ? undefined : pricingOf(line.priceVersionId);
  if (pricing?.currency !== line.amount.currency) return undefined;
  return pricing.model === 'rate_card'
    ? pricing.charges.find(({ key }) => key === line.charge?.key)
    : pricing;
}
const isCharge = (price: Pricing | Charge): price is Charge => 'kind' in price;

/** Groups lines by charge; those of a single price have none. */
const byCharge = (lines: readonly ComparedLine[]): Map<string | undefined, ComparedLine[]> =>
  Map.groupBy(lines, (line) => line.charge?.key);

/**
 * The effect of new prices on usage, in minor units: for each line with a different price than its charge had
 * on the previous bill, its amount minus what the previous price charges for the same usage. Lines that do
 * not describe their usage well enough to be repriced count as volume.
 */
export function usagePriceEffect(
  now: readonly ComparedLine[],
  before: readonly ComparedLine[],
  pricingOf: PricingOf,
): bigint {
  const isUsage = (line: ComparedLine): boolean => line.kind === 'usage';
  const earlier = byCharge(before.filter(isUsage));
  let effect = 0n;
  for (const line of now.filter(isUsage)) {
    const used = earlier.get(line.charge?.key) ?? [];
    const last = used.at(-1);
    if (!last || used.some((each) => each.priceVersionId === line.priceVersionId)) continue;
    const old = priceOf(last, pricingOf);
    if (!old || last.amount.currency !== line.amount.currency) continue;
    const cost = isCharge(old)
      ? chargeCost(old, priceOf(line, pricingOf), line)
      : old.model === 'rate_card'
        ? undefined
        : usageCost(old, decimal(line.quantity));
    if (cost !== undefined) effect += line.amount.minor - roundToMoney(cost, line.amount.currency).minor;
  }
  return effect;
}

/**
 * What a charge costs for the usage of a line; undefined if the line does not describe the usage as the
 * charge needs it.
 */
function chargeCost(old: Charge, own: Pricing | Charge | undefined, line: ComparedLine): Decimal | undefined {
  const charge = own && isCharge(own) ? own : undefined;
  // A new version of a card leaves most of its charges unchanged.
  if (charge && JSON.stringify(charge) === JSON.stringify(old)) return undefined;
  if (!dependsOnEvents(old)) return chargePrice(old, usageOfQuantity(decimal(line.quantity))).exact;
  if (!charge) return undefined;
  if (old.model === 'percentage') return percentageCost(old, charge, line.steps);
  const cells = cellsOf(charge, line.steps);
  if (!cells) return undefined;
  if (old.model !== 'matrix') return charge.model === old.model ? costOfCells(old, cells) : undefined;
  const rates = charge.model === 'matrix' ? charge.rates : [];
  // For usage by its own values, every rate of the previous price is known; for usage by a rate's conditions,
  // only some are.
  const isApart = charge.model !== 'matrix' || charge.tierScope === 'per_value';
  const known = cells.every(({ dimensions }) =>
    isApart ? rateFor(old.rates, dimensions) !== undefined : isDecided(old.rates, rates, dimensions),
  );
  return known ? costOfCells(old, cells) : undefined;
}

type Cells = ChargeUsage['cells'];
const costOfCells = (charge: Charge, cells: Cells): Decimal =>
  chargePrice(charge, {
    quantity: sumDecimals(cells.map(({ quantity }) => quantity)),
    cells,
    events: [],
  }).exact;

/** Steps whose quantities are usage; those of packages count packages. */
const ofUsage: ReadonlySet<LineStep['kind']> = new Set(['unit', 'tier', 'included']);

/**
 * Returns the usage of a line by the rate conditions, or by the values, of its steps; undefined if it has
 * other steps.
 */
function cellsOf(charge: Charge, steps: readonly LineStep[]): Cells | undefined {
  if (!dependsOnEvents(charge) || steps.some(({ kind }) => kind === 'package')) return undefined;
  const counted = steps.filter(({ kind, when }) => ofUsage.has(kind) && when !== undefined);
  const groups = Map.groupBy(counted, ({ when }) => JSON.stringify(when));
  return groups.size === 0
    ? undefined
    : [...groups.values()].map((group) => ({
        dimensions: group[0]?.when ?? {},
        quantity: sumDecimals(group.map(({ quantity }) => decimal(quantity))),
      }));
}

const count = ({ when }: MatrixRate): number => Object.keys(when).length;
const isSame = (a: Dimensions, b: Dimensions): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);
/**
 * Whether a rate takes precedence over another for usage that meets both: it has more conditions, or equally
 * many and comes first.
 */
const precedes = (rates: readonly MatrixRate[], one: MatrixRate, other: MatrixRate): boolean =>
  count(one) > count(other) || (count(one) === count(other) && rates.indexOf(one) < rates.indexOf(other));

/**
 * Whether all usage that met a rate of the new matrix has the same rate in the old one: no other rate of the
 * old matrix could match part of it, except one that the new matrix also has and that takes precedence there.
 */
function isDecided(old: readonly MatrixRate[], own: readonly MatrixRate[], conditions: Dimensions): boolean {
  const chosen = rateFor(old, conditions);
  const met = own.find(({ when }) => isSame(when, conditions));
  if (!chosen || !met) return false;
  return old.every((rate) => {
    const contradicts = Object.entries(rate.when).some(
      ([name, value]) => name in conditions && conditions[name] !== value,
    );
    if (rate === chosen || contradicts || !precedes(old, rate, chosen)) return true;
    const there = own.find(({ when }) => isSame(when, rate.when));
    return there !== undefined && precedes(own, there, met);
  });
}

type Percentage = Extract<Charge, { model: 'percentage' }>;
/**
 * What a percentage charges for the paid events of a line; undefined if different events would have been
 * free, or single events matter.
 */
function percentageCost(old: Percentage, own: Charge, steps: readonly LineStep[]): Decimal | undefined {
  if (own.model !== 'percentage' || old.minPerEvent !== undefined || old.maxPerEvent !== undefined)
    return undefined;
  const free = ({ freeEvents, freeAmount }: Percentage): string =>
    JSON.stringify([String(freeEvents ?? ''), freeAmount ?? '']);
  const fees = steps.find(({ kind }) => kind === 'event_fee');
  if (free(old) !== free(own) || (old.fixedPerEvent !== undefined && !fees)) return undefined;
  const paid = sumDecimals(
    steps.filter(({ kind }) => kind === 'percentage').map(({ quantity }) => decimal(quantity)),
  );
  const exact = paid
    .times(decimal(old.ratePercent))
    .times(decimal('0.01'))
    .plus(decimal(old.fixedPerEvent ?? '0').times(decimal(fees?.quantity ?? '0')));
  return exact.plus(topUpTo(old.minimum, exact)).minus(excessOver(old.maximum, exact));
}

const feesOf = (lines: readonly ComparedLine[]): ComparedLine[] =>
  lines.filter((line) => line.kind === 'base_fee' || line.kind === 'credit' || line.kind === 'one_time');
/** The number of units a fee is for. */
const unitsOf = (line: ComparedLine): string =>
  line.steps[0]?.share?.units ?? (line.charge ? line.quantity : '1');

/** The fee of a whole period at a line's price, for a number of units, in minor units. */
function wholeFee(line: ComparedLine, units: string, pricingOf: PricingOf): bigint {
  const charge = line.charge && priceOf(line, pricingOf);
  const exact =
    charge && isCharge(charge)
      ? chargePrice(charge, usageOfQuantity(decimal(units))).exact
      : decimal(line.unitPrice ?? '0').times(decimal(units));
  return roundToMoney(exact, line.amount.currency).minor;
}

/**
 * The difference in fees, charge by charge, in minor units: by price and by number of units; the rest is due
 * to the days charged.
 */
export function feeEffects(
  now: readonly ComparedLine[],
  before: readonly ComparedLine[],
  pricingOf: PricingOf,
): { readonly price: bigint; readonly proration: bigint } {
  const [fees, earlier] = [byCharge(feesOf(now)), byCharge(feesOf(before))];
  let [price, proration] = [0n, 0n];
  for (const key of new Set([...fees.keys(), ...earlier.keys()])) {
    const [own, ownBefore] = [fees.get(key) ?? [], earlier.get(key) ?? []];
    const sum = (lines: readonly ComparedLine[]): bigint =>
      lines.reduce((total, line) => total + line.amount.minor, 0n);
    proration += sum(own) - sum(ownBefore);
    const [last, lastBefore] = [own.at(-1), ownBefore.at(-1)];
    if (!last || !lastBefore) continue;
    const whole = (line: ComparedLine, of: ComparedLine): bigint => wholeFee(line, unitsOf(of), pricingOf);
    const ofPrice =
      last.priceVersionId === lastBefore.priceVersionId ? 0n : whole(last, last) - whole(lastBefore, last);
    price += ofPrice;
    proration -= ofPrice + whole(lastBefore, last) - whole(lastBefore, lastBefore);
  }
  return { price, proration };
}
