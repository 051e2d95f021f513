// Computes the cost of a difference, with the same functions as the estimate of a service.
import { decimal, decimalText, zero } from '#kernel/decimal.ts';
import { roundToMoney, type Money } from '#kernel/money.ts';
import type { EstimateInput, Pricing } from '#features/selling/catalogue/contract.ts';
import { estimateFor } from '#features/selling/catalogue/server/index.ts';
import { NoRateError } from '#features/selling/rating/rules.ts';

/** Usage that a mapping made from a reading. */
export type PricedUsage = {
  readonly eventType: string;
  readonly quantity: string;
  readonly dimensions: Readonly<Record<string, string>>;
};
/** A price with the event types that its charges count. */
export type UsagePricing = {
  readonly pricing: Pricing;
  /** The event type of a single price. */
  readonly eventType: string;
  /** Meter key → event type, for rate cards. */
  readonly eventTypes: ReadonlyMap<string, string>;
};

/** Converts usage events to the input of an estimate; leaves out types that the price does not count. */
function inputOf(
  { pricing, eventType, eventTypes }: UsagePricing,
  usage: readonly PricedUsage[],
): EstimateInput {
  if (pricing.model !== 'rate_card') {
    const own = usage.filter((each) => each.eventType === eventType);
    return { quantity: decimalText(own.reduce((sum, { quantity }) => sum.plus(decimal(quantity)), zero)) };
  }
  return {
    usage: Object.fromEntries(
      pricing.charges.flatMap(({ key, kind, meter }) => {
        const type = kind === 'usage' && meter !== undefined ? eventTypes.get(meter) : undefined;
        const own = usage.filter((each) => each.eventType === type);
        return own.length === 0
          ? []
          : [
              [
                key,
                own.map(({ quantity, dimensions }) => ({ value: quantity, dimensions: { ...dimensions } })),
              ] as const,
            ];
      }),
    ),
  };
}

/**
 * Returns the monthly cost of usage. `alone`: as a separate subscription, with a month's fees. Otherwise what
 * it adds to a subscription that continues without it.
 * @returns null if a matrix has no rate for it
 */
export function costOf(price: UsagePricing, usage: readonly PricedUsage[], alone: boolean): Money | null {
  try {
    const all = estimateFor(price.pricing, inputOf(price, usage));
    if (alone) return all.amount;
    const without = estimateFor(price.pricing, inputOf(price, []));
    return roundToMoney(decimal(all.exact).minus(decimal(without.exact)), price.pricing.currency);
  } catch (error) {
    if (error instanceof NoRateError) return null;
    throw error;
  }
}

/** Multiplies usage by a factor: a one-hour reading becomes a month of such hours. */
export const scaled = (usage: readonly PricedUsage[], factor: string): PricedUsage[] =>
  usage.map((each) => ({ ...each, quantity: decimalText(decimal(each.quantity).times(decimal(factor))) }));
