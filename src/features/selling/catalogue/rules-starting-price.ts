// The price shown first for a service: its minimum recurring cost, or its lowest usage price.
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Charge, Tier } from '#features/selling/rating/contract.ts';
import type { Service } from './contract.ts';
import { chargeUnit } from './rules.ts';

type Cycle = NonNullable<Charge['cycle']>;
export type StartingPrice =
  | { readonly kind: 'free' }
  /** The cost per cycle of one unit of everything that recurs. `isAll`: nothing else is charged. */
  | { readonly kind: 'recurring'; readonly amount: string; readonly cycle: Cycle; readonly isAll: boolean }
  /**
   * The lowest usage price: for a package of `size` units, otherwise for one unit of the charge's meter.
   * `isAll`: it is the only price.
   */
  | {
      readonly kind: 'usage';
      readonly amount: string;
      readonly size: string | null;
      readonly unit: string;
      readonly isAll: boolean;
    }
  /** A percentage of amounts, or a price that comes with the events. */
  | { readonly kind: 'other' };

const cycles: readonly Cycle[] = ['week', 'month', 'quarter', 'half_year', 'year'];

/**
 * Returns the sum of the fees with the shortest cycle, for one unit each, if there are any; otherwise the
 * lowest usage price that is not zero. Amounts are in units of the service's currency.
 */
export function startingPrice(
  service: Pick<Service, 'charges' | 'pricing' | 'meter' | 'meterUnits'>,
): StartingPrice {
  const { charges } = service;
  const fees = charges
    .filter(({ kind }) => kind === 'recurring')
    .map((charge) => ({ charge, least: leastOf(charge) }));
  for (const cycle of cycles) {
    const own = fees.filter(({ charge, least }) => (charge.cycle ?? 'month') === cycle && least?.gt(zero));
    if (own.length > 0)
      return {
        kind: 'recurring',
        amount: decimalText(sumDecimals(own.map(({ least }) => least ?? zero))),
        cycle,
        isAll: charges.every((charge) => own.some((one) => one.charge === charge)),
      };
  }
  const prices = charges
    .filter(({ kind }) => kind === 'usage')
    .flatMap((charge) => pricesOf(charge).map((price) => ({ ...price, charge })))
    .filter(({ amount }) => amount.gt(zero))
    .toSorted((a, b) => a.amount.cmp(b.amount));
  const [lowest] = prices;
  if (lowest)
    return {
      kind: 'usage',
      amount: decimalText(lowest.amount),
      size: lowest.size,
      unit: chargeUnit(lowest.charge, service),
      isAll: charges.length === 1 && prices.length === 1,
    };
  const hasOthers = charges.some(({ model }) => model.endsWith('percentage') || model === 'dynamic');
  return { kind: hasOthers ? 'other' : 'free' };
}

/** The fee for one unit; undefined if it depends on amounts. */
function leastOf(charge: Charge): Decimal | undefined {
  if (charge.model === 'flat') return decimal(charge.amount);
  return pricesOf(charge).toSorted((a, b) => a.amount.cmp(b.amount))[0]?.amount;
}

type UnitPrice = { readonly amount: Decimal; readonly size: string | null };
const each = (amount: string): UnitPrice => ({ amount: decimal(amount), size: null });
const ofPackage = (one: { readonly packagePrice: string; readonly packageSize: string }): UnitPrice => ({
  amount: decimal(one.packagePrice),
  size: one.packageSize,
});
const ofTiers = (tiers: readonly Tier[]): UnitPrice[] => tiers.map(({ unitPrice }) => each(unitPrice));

/** All unit and package prices of a charge. */
function pricesOf(charge: Charge): UnitPrice[] {
  switch (charge.model) {
    case 'per_unit':
      return [each(charge.unitPrice)];
    case 'graduated':
    case 'volume':
      return ofTiers(charge.tiers);
    case 'package':
      return [ofPackage(charge)];
    case 'matrix':
      return charge.rates.flatMap((rate) =>
        'unitPrice' in rate
          ? [each(rate.unitPrice)]
          : 'tiers' in rate
            ? ofTiers(rate.tiers)
            : [ofPackage(rate.package)],
      );
    case 'flat':
    case 'percentage':
    case 'graduated_percentage':
    case 'dynamic':
      return [];
  }
}
