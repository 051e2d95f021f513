// Computes the cost of a pricing or a charge that need not exist yet.
import type { In } from '#kernel/contract.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { roundToMoney } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ratingErrors, type DraftCharge } from '#features/selling/rating/contract.ts';
import {
  chargePrice,
  chargePriceMistake,
  dimensionsText,
  NoRateError,
  usageOfEvents,
  usageOfQuantity,
  type ChargeUsage,
  type Price,
} from '#features/selling/rating/rules.ts';
import {
  catalogueErrors,
  type catalogue,
  type Estimate,
  type EstimateInput,
  type Pricing,
} from '../contract.ts';
import { estimateFor } from '../rules-estimate.ts';
import { assertChargeable } from './price-checks.ts';

type Input = In<typeof catalogue.previewPricing>;

/** Prices a quantity or some events with a price that need not exist. */
export async function previewPricing(_ctx: Ctx, input: Input): Promise<Estimate> {
  const { pricing, charge, quantity, events, currency, quantities, usage } = input;
  if ((pricing === undefined) === (charge === undefined))
    throw domainError(catalogueErrors, 'catalogue.preview_pricing_or_charge', {}, ['charge']);
  if (pricing) {
    // A price that is only tried out may be incomplete.
    assertChargeable({ pricing }, pricing);
    return estimatePricing(pricing, { quantity, quantities, usage });
  }
  if (charge === undefined || currency === undefined)
    throw domainError(catalogueErrors, 'catalogue.preview_currency_needed', {}, ['currency']);
  if (quantity === undefined && events === undefined)
    throw domainError(ratingErrors, 'rating.usage_missing', {}, ['quantity']);
  const { exact, steps } = draftPrice(charge, { quantity, events });
  return { amount: roundToMoney(exact, currency), exact: decimalText(exact), lines: [...steps] };
}

/** The usage of a preview. Events without a meter are summed, as by most meters. */
function usageOf({ quantity, events }: Pick<Input, 'quantity' | 'events'>): ChargeUsage {
  const rated = events?.map(({ value, dimensions = {} }) => ({ value: decimal(value), dimensions }));
  if (!rated) return usageOfQuantity(decimal(quantity ?? '0'));
  const usage = usageOfEvents({ aggregation: 'sum' }, rated);
  return quantity === undefined ? usage : { ...usage, quantity: decimal(quantity) };
}

function draftPrice(charge: DraftCharge, usage: Pick<Input, 'quantity' | 'events'>): Price {
  const mistake = chargePriceMistake(charge);
  if (mistake) throw domainError(ratingErrors, mistake.code, {}, [`charge.${mistake.field}`]);
  return withRates('charge.rates', () => chargePrice(charge, usageOf(usage)));
}

/**
 * Returns the estimate of a month. A single price needs a quantity; a rate card rejects unknown charges, so
 * that a typing error cannot make an estimate too low.
 */
export function estimatePricing(pricing: Pricing, input: EstimateInput): Estimate {
  if (pricing.model !== 'rate_card') {
    if (input.quantity === undefined)
      throw domainError(ratingErrors, 'rating.usage_missing', {}, ['quantity']);
  } else {
    const kinds = new Map(pricing.charges.map(({ key, kind }) => [key, kind]));
    for (const [field, named] of [
      [
        'quantities',
        Object.keys(input.quantities ?? {}).filter((key) => (kinds.get(key) ?? 'usage') === 'usage'),
      ],
      ['usage', Object.keys(input.usage ?? {}).filter((key) => kinds.get(key) !== 'usage')],
    ] as const)
      if (named[0] !== undefined)
        throw domainError(ratingErrors, 'rating.charge_unknown', { key: named[0] }, [`${field}.${named[0]}`]);
  }
  return withRates('usage', () => estimateFor(pricing, input));
}

/** Turns usage without a rate into an error at a field. */
function withRates<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NoRateError)) throw error;
    const values = dimensionsText(error.dimensions) ?? '—';
    throw domainError(ratingErrors, 'rating.no_rate', { values }, [field]);
  }
}
