// Rules of imports: turns the SKUs of a provider's service into the charges of rate cards.
import { assert } from '#kernel/assert.ts';
import type { Currency } from '#kernel/money.ts';
import { compareTexts } from '#kernel/order.ts';
import { maxCharges, type Charge } from '#features/selling/rating/contract.ts';

/**
 * A SKU at a price in one month. Texts are as in the file; `charge` and `matrix` are the keys of the SKU's
 * own charge and of its unit's matrix.
 */
export type SkuPrice = {
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly unitPrice: string;
  readonly currency: Currency;
  readonly charge: string;
  readonly matrix: string;
};

/** A price version of a service; `charges` is null when somebody has given the service a single price. */
export type CardVersion = {
  readonly effectiveFrom: Date;
  readonly currency: Currency;
  readonly charges: readonly Charge[] | null;
};

/**
 * The SKUs of a month that one service takes: `charges` of a new price version, or null when it has them all
 * already.
 */
export type PlacedSkus = {
  /** The service's index among those of the provider's service. */
  readonly place: number;
  readonly charges: readonly Charge[] | null;
  readonly skus: readonly SkuPrice[];
};

/** A new card leaves room for SKUs that are added later. */
const roomyCharges = 40;
/** The most rates of a matrix, as limited by the contract of charges. */
export const maxRates = 500;

/** The name of a unit's matrix in both languages. */
export type MatrixName = (unit: string) => Charge['name'];

/**
 * Assigns the SKUs of the month that begins at `start` to services: to the first one that has the SKU at this
 * price in that month or can still take it. A SKU stays with the service that has had it; SKUs that no
 * service can take go to a further one.
 * Each SKU has its own charge, because a customer reads its name; in a new service with more than {@link
 * roomyCharges}, the units with the most SKUs get one matrix each.
 * A price version that begins at `start` is never changed, so SKUs that are added after it, or at a second
 * price in the same month, go to the next service.
 */
export function placeSkus(
  skus: readonly SkuPrice[],
  services: readonly (readonly CardVersion[])[],
  start: Date,
  matrixName: MatrixName,
): PlacedSkus[] {
  const placed: PlacedSkus[] = [];
  let rest = skus.toSorted(inOrder);
  const homes = new Map(rest.map((sku) => [sku, services.findIndex((versions) => knows(versions, sku))]));
  for (let place = 0; rest.length > 0; place++) {
    const versions = services[place];
    const asked = rest.filter((sku) => (homes.get(sku) ?? 0) <= place);
    const here = versions ? placeInto(versions, asked, start) : newCard(asked, matrixName);
    assert(versions !== undefined || here.skus.length > 0, 'a new card takes at least one SKU');
    if (here.skus.length > 0) placed.push({ place, ...here });
    const taken = new Set(here.skus);
    rest = rest.filter((sku) => !taken.has(sku));
  }
  return placed;
}

const inOrder = (a: SkuPrice, b: SkuPrice): number =>
  compareTexts(a.unit, b.unit) || compareTexts(a.name, b.name) || compareTexts(a.sku, b.sku);

/** Whether a service has or had a SKU, at any price. */
const knows = (versions: readonly CardVersion[], sku: SkuPrice): boolean =>
  versions.some(
    ({ charges, currency }) => currency === sku.currency && charges && priceIn(charges, sku) !== undefined,
  );

type Placed = Omit<PlacedSkus, 'place'>;
const nothing: Placed = { charges: null, skus: [] };

function placeInto(versions: readonly CardVersion[], skus: readonly SkuPrice[], start: Date): Placed {
  // Dates before the first price version use that version.
  const inForce = versions.findLast(({ effectiveFrom }) => effectiveFrom <= start) ?? versions[0];
  if (!inForce?.charges) return nothing;
  const { charges, currency } = inForce;
  const own = skus.filter((sku) => sku.currency === currency);
  const placed = own.filter((sku) => priceIn(charges, sku) === sku.unitPrice);
  if (placed.length === own.length || versions.some(({ effectiveFrom }) => +effectiveFrom === +start))
    return { charges: null, skus: placed };
  const filled = fill(charges, own);
  return filled.skus.length > placed.length ? filled : { charges: null, skus: placed };
}

function newCard(skus: readonly SkuPrice[], matrixName: MatrixName): Placed {
  const own = skus.filter(({ currency }) => currency === skus[0]?.currency);
  const matrices: Charge[] = [];
  let count = own.length;
  const byUnit = [...Map.groupBy(own, ({ unit }) => unit)].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [unit, ofUnit] of byUnit) {
    const [first] = ofUnit;
    if (!first || count <= roomyCharges || ofUnit.length < 2 || matrices.length === maxCharges) break;
    const key = first.matrix;
    matrices.push({
      key,
      name: matrixName(unit),
      kind: 'usage',
      meter: key,
      model: 'matrix',
      rates: [],
      unmatched: 'reject',
    });
    count -= ofUnit.length - 1;
  }
  const { charges, skus: taken } = fill(matrices, own);
  // A matrix without rates is dropped: its SKUs were not taken, such as a SKU with a second price.
  return {
    charges: charges?.filter((each) => each.model !== 'matrix' || each.rates.length > 0) ?? null,
    skus: taken,
  };
}

/** Adds SKUs to charges as far as they fit; a SKU that is already there gets its new price. */
function fill(before: readonly Charge[], skus: readonly SkuPrice[]): Placed {
  const charges = new Map(before.map((charge) => [charge.key, charge]));
  const placed = new Map<string, SkuPrice>();
  for (const sku of skus) {
    if (placed.has(sku.charge)) continue;
    const next = chargeWith(charges, sku);
    if (!next) continue;
    charges.set(next.key, next);
    placed.set(sku.charge, sku);
  }
  return { charges: [...charges.values()], skus: [...placed.values()] };
}

function chargeWith(charges: ReadonlyMap<string, Charge>, sku: SkuPrice): Charge | undefined {
  const { charge: key, name, unitPrice } = sku;
  const own = charges.get(key);
  if (own) return own.model === 'per_unit' ? { ...own, unitPrice } : undefined;
  const matrix = charges.get(sku.matrix);
  if (matrix?.model === 'matrix') {
    const rate = { when: { sku: sku.sku }, unitPrice };
    const place = matrix.rates.findIndex(({ when }) => when['sku'] === sku.sku);
    if (place >= 0) return { ...matrix, rates: matrix.rates.with(place, rate) };
    return matrix.rates.length < maxRates ? { ...matrix, rates: [...matrix.rates, rate] } : undefined;
  }
  return charges.size < maxCharges
    ? { key, name: { zhTW: name, enUS: name }, kind: 'usage', meter: key, model: 'per_unit', unitPrice }
    : undefined;
}

/** The price that charges give a SKU; undefined when they do not contain it. */
function priceIn(charges: readonly Charge[], sku: SkuPrice): string | undefined {
  const own = charges.find(({ key }) => key === sku.charge);
  if (own) return own.model === 'per_unit' ? own.unitPrice : undefined;
  const matrix = charges.find(({ key }) => key === sku.matrix);
  if (matrix?.model !== 'matrix') return undefined;
  const rate = matrix.rates.find(({ when }) => when['sku'] === sku.sku);
  return rate && 'unitPrice' in rate ? rate.unitPrice : undefined;
}
