// Estimates a month of a service: for its single price, or charge by charge for a rate card.
import { decimal, decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { money, roundToMoney, sumMoney, type Currency } from '#kernel/money.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  excessOver,
  monthShare,
  priceOfSteps,
  priceStep,
  topUpTo,
  usageOfEvents,
  usageOfQuantity,
  type ChargeUsage,
  type Price,
} from '#features/selling/rating/rules.ts';
import type { billingCycles, Estimate, EstimateInput, Pricing, RateCardPricing } from './contract.ts';
import { estimateOf } from './rules.ts';

const one = decimal('1');

/**
 * Returns the charges of a service: those of its rate card, or the base fee and the usage of its single
 * price, which are named like the service. A single price's limits apply to the month as a whole and belong
 * to no charge.
 */
export function chargesOf(
  pricing: Pricing,
  service: {
    readonly name: string;
    readonly meter: string;
    readonly billingCycle: (typeof billingCycles)[number];
  },
): Charge[] {
  const { meter, billingCycle } = service;
  const name = { zhTW: service.name, enUS: service.name };
  if (pricing.model === 'rate_card') return pricing.charges;
  const { currency: _currency, baseFee, minimum: _minimum, maximum: _maximum, ...price } = pricing;
  return [
    ...(baseFee === undefined || isZero(decimal(baseFee))
      ? []
      : [
          {
            key: 'base',
            name,
            kind: 'recurring',
            model: 'flat',
            amount: baseFee,
            ...(billingCycle === 'yearly' && ({ cycle: 'year', anchor: 'anniversary' } as const)),
          } as const,
        ]),
    ...(price.model === 'flat' ? [] : [{ ...price, key: 'usage', name, kind: 'usage', meter } as const]),
  ];
}

/**
 * Returns the estimate of a month: `quantity` is the usage of a single price, or the number of units for
 * charges without a quantity of their own. Fees of other cycles are converted to a month; one-time fees are
 * listed separately.
 * @throws NoRateError when a matrix has no rate for some of the usage.
 */
export function estimateFor(pricing: Pricing, input: EstimateInput): Estimate {
  return pricing.model === 'rate_card'
    ? estimateOfCard(pricing, input)
    : estimateOf(pricing, decimal(input.quantity ?? '0'));
}

function usageOf({ key, kind }: Charge, { quantity, quantities, usage }: EstimateInput): ChargeUsage {
  if (kind !== 'usage') return usageOfQuantity(decimal(quantities?.[key] ?? quantity ?? '1'));
  const used = usage?.[key] ?? '0';
  return typeof used === 'string'
    ? usageOfQuantity(decimal(used))
    : usageOfEvents(
        { aggregation: 'sum' },
        used.map(({ value, dimensions = {} }) => ({ value: decimal(value), dimensions })),
      );
}

/** Returns a charge's price per month. */
function monthOfCharge(charge: Charge, input: EstimateInput): Price {
  const price = chargePrice(charge, usageOf(charge, input));
  const { cycle = 'month' } = charge;
  if (charge.kind !== 'recurring' || cycle === 'month') return price;
  return priceOfSteps([priceStep('base', one, price.exact, monthShare(price.exact, cycle))]);
}

function estimateOfCard(card: RateCardPricing, input: EstimateInput): Estimate {
  const { currency } = card;
  const charges = card.charges.map((charge) => ({ charge, price: monthOfCharge(charge, input) }));
  const monthly = charges.filter(({ charge }) => charge.kind !== 'one_time');
  const charged = sumDecimals(monthly.map(({ price }) => price.exact));
  const limits = [
    ...limitSteps('minimum', topUpTo(card.minimum, charged), card.minimum),
    ...limitSteps('maximum', zero.minus(excessOver(card.maximum, charged)), card.maximum),
  ];
  const lines = [...monthly.flatMap(({ price }) => price.steps), ...limits];
  // Each charge is a line of the bill, rounded once.
  const amount = sumMoney(
    [
      ...monthly.map(({ price }) => roundToMoney(price.exact, currency)),
      ...limits.map((step) => roundToMoney(decimal(step.amount), currency)),
    ],
    currency,
  );
  return {
    amount,
    exact: decimalText(priceOfSteps(lines).exact),
    lines,
    charges: charges.map(({ charge: { key, name, kind }, price }) => ({
      key,
      name,
      kind,
      amount: roundToMoney(price.exact, currency),
      exact: decimalText(price.exact),
      lines: [...price.steps],
    })),
    once: onceOf(charges, currency),
  };
}

const limitSteps = (kind: 'minimum' | 'maximum', amount: Decimal, agreed: string | undefined) =>
  isZero(amount) ? [] : [priceStep(kind, one, decimal(agreed ?? '0'), amount)];

const onceOf = (charges: readonly { charge: Charge; price: Price }[], currency: Currency) =>
  charges
    .filter(({ charge }) => charge.kind === 'one_time')
    .reduce(
      (sum, { price }) => money(sum.minor + roundToMoney(price.exact, currency).minor, currency),
      money(0n, currency),
    );
