// The steps of an estimator's slider: fine where prices change, coarser for large quantities. Uses decimal
// text throughout, never floats.
import type { Service } from '#features/selling/catalogue/contract.ts';

type Measured = Pick<Service, 'pricing' | 'meter' | 'quota'>;

/** Within a decade: 1, 1.5, 2, 3, 5, 7. */
const mantissas = ['1', '15', '2', '3', '5', '7'] as const;
/** The steps of a slider with more decades would be too small to hit. */
const maxDecades = 8;
/** A service without a landmark gets a scale whose cost is about this power of ten. */
const usualCost = 4;
const minDecades = 3;

/** Quantities at which the price changes: tier bounds, the allowance, a package, the quota. */
export function landmarksOf({ pricing, quota }: Pick<Service, 'pricing' | 'quota'>): string[] {
  const known = [
    ...('tiers' in pricing ? pricing.tiers.flatMap((tier) => tier.upTo ?? []) : []),
    ...('included' in pricing ? [pricing.included ?? '0'] : []),
    ...(pricing.model === 'package' ? [pricing.packageSize, pricing.freeUnits ?? '0'] : []),
    ...(quota.type === 'unlimited' ? [] : [quota.limit]),
  ];
  return sorted(known);
}

/** The slider's steps from zero upwards. */
export function quantitySteps(service: Measured): string[] {
  const landmarks = landmarksOf(service);
  const [first, last] = [landmarks[0], landmarks.at(-1)];
  const high =
    last === undefined ? usualCost - exponentOf(smallQuantityPrice(service)) : exponentOf(last) + 1;
  const low = Math.max(
    Math.min(first === undefined ? high - usualCost : exponentOf(first) - 1, high - minDecades),
    high - maxDecades,
  );
  // Counted units have no fractions.
  const isCounted = service.meter.aggregation === 'count' || service.meter.aggregation === 'unique_count';
  const decades = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const steps = decades.flatMap((exponent) =>
    mantissas.map((mantissa) => shifted(mantissa, exponent - mantissa.length + 1)),
  );
  return sorted(['0', ...steps.filter((step) => !isCounted || !step.includes('.')), ...landmarks], true);
}

/** The price of a small quantity, as an indication of how large quantities are. */
function smallQuantityPrice({ pricing }: Measured): string {
  if (pricing.model === 'per_unit') return pricing.unitPrice;
  if (pricing.model === 'package') return pricing.packagePrice;
  return 'tiers' in pricing ? (pricing.tiers[0]?.unitPrice ?? '1') : '1';
}

/** The step at a quantity, or the last one below it. */
export function stepOf(steps: readonly string[], quantity: string): number {
  const above = steps.findIndex((step) => compareQuantities(step, quantity) > 0);
  return above < 0 ? steps.length - 1 : Math.max(0, above - 1);
}

/** The estimate's initial quantity: the first one above the free units, at which the price is above zero. */
export function initialQuantity(service: Measured): string {
  const { pricing } = service;
  const free =
    (pricing.model === 'package'
      ? pricing.freeUnits
      : 'included' in pricing
        ? pricing.included
        : undefined) ?? '0';
  const steps = quantitySteps(service);
  const beyond = (text: string): boolean => compareQuantities(text, free) > 0;
  return (
    landmarksOf(service).find(beyond) ??
    (free === '0' ? steps[Math.floor(steps.length / 2)] : steps.find(beyond)) ??
    '100'
  );
}

/** Compares nonnegative decimal texts: by the length of the integer part, then digit by digit. */
export function compareQuantities(a: string, b: string): number {
  const [wholeA, fractionA] = parts(a);
  const [wholeB, fractionB] = parts(b);
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  const [textA, textB] = [`${wholeA}.${fractionA}`, `${wholeB}.${fractionB}`];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

function parts(text: string): [whole: string, fraction: string] {
  const [whole = '0', fraction = ''] = text.split('.');
  return [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')];
}

/** The exponent of the first significant digit: 3 for "1234", -2 for "0.04", 0 for zero. */
function exponentOf(text: string): number {
  const [whole, fraction] = parts(text);
  if (whole !== '0') return whole.length - 1;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return fraction === '' ? 0 : -zeros - 1;
}

/** Digits shifted by a power of ten: ("15", -1) is "1.5". */
function shifted(digits: string, exponent: number): string {
  if (exponent >= 0) return digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return padded.slice(0, exponent) + (fraction === '' ? '' : `.${fraction}`);
}

function sorted(texts: readonly string[], withZero = false): string[] {
  const plain = texts.map((text) => {
    const [whole, fraction] = parts(text);
    return fraction === '' ? whole : `${whole}.${fraction}`;
  });
  return [...new Set(plain)].filter((text) => withZero || text !== '0').toSorted(compareQuantities);
}
