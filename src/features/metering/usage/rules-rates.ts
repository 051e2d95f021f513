// Finds usage that a rate card has no price for.
import type { BillingMonth } from '#kernel/shape.ts';
import { rateFor } from '#features/selling/rating/rules.ts';
import { monthParts, type PlanOf, type Timeline } from '#features/selling/subscriptions/rules.ts';
import type { EventRejection, MeteredEvent } from './rules.ts';
import { hourOfTime, monthOfTime } from './rules-deltas.ts';
import { cellOf, dimensionsOfCell, type StreamMeter } from './rules-streams.ts';

/** Returns the parts of a subscription's months by price; each month is computed once. */
export function partsByMonth(
  timeline: Timeline,
  planOf: PlanOf,
  zone: string,
): (month: BillingMonth) => ReturnType<typeof monthParts> {
  const known = new Map<BillingMonth, ReturnType<typeof monthParts>>();
  return (month) => {
    const parts = known.get(month) ?? monthParts(timeline, planOf, month, zone);
    known.set(month, parts);
    return parts;
  };
}

/**
 * Why an event that some meters count has no price: a matrix in force has no rate for its values. Undefined
 * if it can be priced or costs nothing. As on bills, the event's hour decides: it belongs to the price in
 * force when the hour begins.
 */
export function rateRejection(
  { id, time, properties }: Pick<MeteredEvent, 'id' | 'time' | 'properties'>,
  meters: readonly StreamMeter[],
  partsOf: ReturnType<typeof partsByMonth>,
  zone: string,
): EventRejection | undefined {
  const hour = hourOfTime(time, zone);
  const parts = partsOf(monthOfTime(time, zone));
  const pricing = (parts.findLast((part) => part.from <= hour) ?? parts[0])?.price.pricing;
  if (pricing?.model !== 'rate_card') return undefined;
  for (const meter of meters)
    for (const charge of pricing.charges) {
      if (charge.model !== 'matrix' || charge.meter === undefined || charge.meter !== meter.chargedAs)
        continue;
      const dimensions = dimensionsOfCell(meter, cellOf(meter, properties));
      if (!rateFor(charge.rates, dimensions))
        return {
          code: 'usage.no_rate',
          id,
          params: { charge: charge.key, values: valuesText(meter, dimensions) },
        };
    }
  return undefined;
}

/** Formats the values of all dimensions of a meter for the sender. */
const valuesText = ({ dimensions }: StreamMeter, values: Readonly<Record<string, string>>): string =>
  dimensions.map((name) => `${name}: ${values[name] ?? '–'}`).join(', ');
