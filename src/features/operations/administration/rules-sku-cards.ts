// Rules of imports: how the SKUs of a provider's service become the charges of rate cards.
import { assert } from '#kernel/assert.ts';
import type { Currency } from '#kernel/money.ts';
import { maxCharges, type Charge } from '#features/selling/rating/contract.ts';

/** A SKU at a price in one month. Texts are those of the file; `charge` and `matrix` are the keys of its own charge and of its unit's matrix. */
export type SkuPrice = {
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly unitPrice: string;
  readonly currency: Currency;
  readonly charge: string;
  readonly matrix: string;
};

/** A price version of a service; without charges when somebody has given the service a single price. */
export type CardVersion = {
  readonly effectiveFrom: Date;
  readonly currency: Currency;
  readonly charges: readonly Charge[] | null;
};

/** What one service takes of the SKUs of a month: `charges` of a new price version, or null when it has them all already. */
export type PlacedSkus = {
  /** The place of the service among those of the provider's service. */
  readonly place: number;
  readonly charges: readonly Charge[] | null;
  readonly skus: readonly SkuPrice[];
};

/** A new card leaves room for SKUs that come later. */
const roomyCharges = 40;
/** The most rates of a matrix, as the contract of charges has it. */
export const maxRates = 500;

/** The name of a unit's matrix in both languages. */
export type MatrixName = (unit: string) => Charge['name'];

/**
 * Which service takes which SKUs of a month that begins at `start`: the first of the services that has the SKU at this price
 * in that month, or can still take it; a SKU stays with the service that has had it. What none of them can take gets a further one. Each SKU has a charge of its own, because a
 * customer reads its name; in a new service with more than {@link roomyCharges} the units with the most SKUs get one matrix each.
 * A price version that begins at `start` is never changed, so that SKUs that come after it, or at a second price in the same month, go to
 * the next service.
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
  compare(a.unit, b.unit) || compare(a.name, b.name) || compare(a.sku, b.sku);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a service has or had a SKU, at whatever price. */
const knows = (versions: readonly CardVersion[], sku: SkuPrice): boolean =>
  versions.some(
    ({ charges, currency }) => currency === sku.currency && charges && priceIn(charges, sku) !== undefined,
  );

type Placed = Omit<PlacedSkus, 'place'>;
const nothing: Placed = { charges: null, skus: [] };

function placeInto(versions: readonly CardVersion[], skus: readonly SkuPrice[], start: Date): Placed {
  // Before the first price begins, it applies already.
  const inForce = versions.findLast(({ effectiveFrom }) => effectiveFrom <= start) ?? versions[0];
  if (!inForce?.charges) return nothing;
  const { charges, currency } = inForce;
  const own = skus.filter((sku) => sku.currency === currency);
  const there = own.filter((sku) => priceIn(charges, sku) === sku.unitPrice);
  if (there.length === own.length || versions.some(({ effectiveFrom }) => +effectiveFrom === +start))
    return { charges: null, skus: there };
  const filled = fill(charges, own);
  return filled.skus.length > there.length ? filled : { charges: null, skus: there };
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
  // Another SKU at a second price may have been meant for a matrix that got none.
  return {
    charges: charges?.filter((each) => each.model !== 'matrix' || each.rates.length > 0) ?? null,
    skus: taken,
  };
}

/** Adds SKUs to charges as far as they can take them; a SKU that is there gets its new price. */
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

/** What charges ask for a SKU; undefined when they do not have it. */
function priceIn(charges: readonly Charge[], sku: SkuPrice): string | undefined {
  const own = charges.find(({ key }) => key === sku.charge);
  if (own) return own.model === 'per_unit' ? own.unitPrice : undefined;
  const matrix = charges.find(({ key }) => key === sku.matrix);
  if (matrix?.model !== 'matrix') return undefined;
  const rate = matrix.rates.find(({ when }) => when['sku'] === sku.sku);
  return rate && 'unitPrice' in rate ? rate.unitPrice : undefined;
}
