// How many prices one core computes per second: a graduated price of ten tiers, for sums and with all its
// steps.
import { decimal } from '../src/kernel/decimal.ts';
import type { SinglePricing } from '../src/features/selling/catalogue/contract.ts';
import { usageCost, usagePrice } from '../src/features/selling/catalogue/rules.ts';
import { priceInUnits, quantityUnits } from '../src/features/selling/rating/rules-units.ts';
import { print } from './figures.ts';

const rounds = 5;
const evaluations = 300_000;
const tiers = Array.from({ length: 10 }, (_, index) => ({
  upTo: index === 9 ? null : String((index + 1) * 1000),
  unitPrice: `0.0000${12 - index}4`,
  flatFee: '0',
}));
const pricing: SinglePricing = { model: 'graduated', currency: 'USD', tiers };
// Quantities that reach every tier.
const quantities = Array.from({ length: 1000 }, (_, index) => decimal(`${index * 12}.${index}5`));
const units = quantities.map(quantityUnits);

function rate(count: number, evaluate: (index: number) => unknown): number {
  const began = performance.now();
  for (let index = 0; index < count; index++) evaluate(index % 1000);
  return count / ((performance.now() - began) / 1000);
}

/** Prints the figures of the pricing engine (issue 4: 500,000 a second and core). */
export function benchPricing(): void {
  const price = priceInUnits(pricing);
  const measured = (count: number, evaluate: (index: number) => unknown): number[] =>
    Array.from({ length: rounds + 1 }, () => rate(count, evaluate)).slice(1);
  print(
    'ten tiers, in whole numbers',
    measured(evaluations, (index) => price(units[index] ?? 0n)),
    'a second',
    { atLeast: 500_000 },
  );
  print(
    'ten tiers, from and to decimals',
    measured(evaluations / 10, (index) => usageCost(pricing, quantities[index] ?? decimal('0'))),
    'a second',
  );
  print(
    'ten tiers, with every step in words',
    measured(evaluations / 30, (index) => usagePrice(pricing, quantities[index] ?? decimal('0'))),
    'a second',
  );
}
