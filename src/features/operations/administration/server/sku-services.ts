// The services of an import: one per service of a provider, with a charge for each SKU. They are created
// before the first row is imported, so that a file adds one price version a month, however its rows are
// ordered.
import { createHash } from 'node:crypto';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { byKey } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { NewMeter } from '#features/selling/meters/contract.ts';
import { ensureMeters } from '#features/selling/meters/server/index.ts';
import { unmetered } from '#features/selling/catalogue/rules.ts';
import { addService, withDefaults, importedServices } from '#features/selling/catalogue/server/index.ts';
import { isRowRejection, readFocusRow, type FocusRow, type FocusUsage } from '../rules.ts';
import { placeSkus, type CardVersion, type PlacedSkus, type SkuPrice } from '../rules-sku-cards.ts';

/** The type of events from imported rows, and of live events for imported services. */
export const focusEventType = 'org.finops.focus.usage';

type ScannedSku = SkuPrice & { readonly singleRef: string };
type ProviderService = {
  readonly ref: string;
  readonly name: string;
  readonly provider: string;
  /** The categories of its rows, with the number of rows in each. */
  readonly types: Map<string, number>;
  readonly months: Map<BillingMonth, Map<string, ScannedSku>>;
};

/** A summary of a file, collected before its rows are imported. */
export type FocusScan = {
  rows: number;
  readonly services: Map<string, ProviderService>;
  /** The references of services for single SKUs, which imports created before rate cards. */
  readonly singleRefs: Set<string>;
  /** The start of an organization's first row of a provider's service, by {@link pairOf}. */
  readonly starts: Map<string, Date>;
};
export const emptyScan = (): FocusScan => ({
  rows: 0,
  services: new Map(),
  singleRefs: new Set(),
  starts: new Map(),
});

/** The key of the organization and the service to which a row subscribes it. */
export const pairOf = (usage: FocusUsage): string => `${usage.organizationRef}\n${usage.providerServiceRef}`;

/** The services of a file's rows. */
export type SkuServices = {
  /** The references of single-SKU services from earlier imports: their rows continue to use them. */
  readonly single: ReadonlySet<string>;
  readonly serviceOf: (usage: FocusUsage) => Id<'svc'>;
  readonly created: number;
  readonly existing: number;
  readonly pricesCreated: number;
};

/** Adds a row to the summary of a file. Rows that are not usage are only counted. */
export function scanRow(scan: FocusScan, fields: FocusRow): void {
  scan.rows++;
  const usage = readFocusRow(fields);
  if (isRowRejection(usage)) return;
  scan.singleRefs.add(usage.serviceRef);
  const pair = pairOf(usage);
  const start = scan.starts.get(pair);
  if (!start || usage.periodStart < start) scan.starts.set(pair, usage.periodStart);
  const service = scan.services.get(usage.providerServiceRef) ?? {
    ref: usage.providerServiceRef,
    name: usage.providerService,
    provider: usage.serviceCategory,
    types: new Map<string, number>(),
    months: new Map<BillingMonth, Map<string, ScannedSku>>(),
  };
  scan.services.set(service.ref, service);
  service.types.set(usage.serviceType, (service.types.get(usage.serviceType) ?? 0) + 1);
  const skus = service.months.get(usage.month) ?? new Map<string, ScannedSku>();
  service.months.set(usage.month, skus);
  const name = nameOf(usage);
  if (!skus.has(name)) skus.set(name, { ...skuOf(usage), singleRef: usage.serviceRef });
}

const nameOf = ({ sku, unit, unitPrice, currency }: FocusUsage): string =>
  [sku, unit, unitPrice, currency].join('\n');
const skuOf = ({ sku, skuName, unit, unitPrice, currency }: FocusUsage): SkuPrice => ({
  sku,
  name: skuName,
  unit,
  unitPrice,
  currency,
  charge: keyOf(sku, unit),
  matrix: keyOf(null, unit),
});

/** The key of the charge and meter of a SKU, or of a unit: readable, and the same in every import. */
function keyOf(sku: string | null, unit: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([sku, unit]))
    .digest('hex')
    .slice(0, 8);
  const readable = `${sku ?? `by-sku-${unit}`}`.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  return `focus-${readable.slice(0, 45)}-${digest}`;
}

const meterOf = (charge: Charge, skus: ReadonlyMap<string, SkuPrice>): NewMeter | undefined => {
  const sku = skus.get(charge.key);
  if (!sku) return undefined;
  const common = { key: charge.key, eventType: focusEventType, aggregation: 'sum', unit: sku.unit } as const;
  return charge.model === 'matrix'
    ? { ...common, name: charge.name.enUS, dimensions: ['sku'], filter: { unit: [sku.unit] } }
    : { ...common, name: sku.name, filter: { sku: [sku.sku], unit: [sku.unit] } };
};

/** The properties of an imported row's event by which its charge matches it. */
export const skuProperties = ({ sku, unit }: FocusUsage): Readonly<Record<string, string>> => ({ sku, unit });

type Sibling = { readonly id: Id<'svc'>; readonly number: number; versions: CardVersion[] };

/**
 * Creates what a file needs and does not exist: meters, services and a price version for each month. Rows of
 * single-SKU services from before rate cards keep those.
 */
export async function prepareServices(ctx: Ctx, scan: FocusScan): Promise<SkuServices> {
  const single = new Set(
    (await importedServices(ctx, [...scan.singleRefs])).map(({ externalRef }) => externalRef),
  );
  const siblings = await siblingsOf(ctx, [...scan.services.keys()]);
  const services = new Map<string, Id<'svc'>>();
  const made = { single, created: 0, existing: 0, pricesCreated: 0 };
  const seen = new Set<Id<'svc'>>();
  for (const service of scan.services.values()) {
    const own = siblings.get(service.ref) ?? [];
    for (const [month, bySku] of [...service.months].toSorted(byKey)) {
      const skus = [...bySku.values()].filter(({ singleRef }) => !single.has(singleRef));
      const { start } = monthPeriod(month, 'UTC');
      const placed = placeSkus(
        skus,
        own.map(({ versions }) => versions),
        start,
        (unit) => matrixName(ctx, unit),
      );
      for (const each of placed) {
        const before = own[each.place];
        const number = before?.number ?? (own.at(-1)?.number ?? 0) + 1;
        const { id, created, priceCreated } =
          before && !each.charges
            ? { id: before.id, created: false, priceCreated: false }
            : await publish(ctx, service, number, each, start);
        if (!before) own.push({ id, number, versions: [] });
        if (each.charges)
          required(own[each.place], 'a service of the import').versions = withVersion(
            before?.versions ?? [],
            {
              effectiveFrom: start,
              currency: currencyOf(each),
              charges: each.charges,
            },
          );
        if (!seen.has(id)) made[created ? 'created' : 'existing']++;
        if (priceCreated) made.pricesCreated++;
        seen.add(id);
        for (const sku of each.skus) services.set(placeName(service.ref, month, sku), id);
      }
    }
  }
  return {
    ...made,
    serviceOf: (usage) =>
      required(
        services.get(placeName(usage.providerServiceRef, usage.month, usage)),
        'a service of an imported row',
      ),
  };
}

const placeName = (
  ref: string,
  month: BillingMonth,
  { sku, unit, unitPrice, currency }: Pick<SkuPrice, 'sku' | 'unit' | 'unitPrice' | 'currency'>,
): string => [ref, month, sku, unit, unitPrice, currency].join('\n');
const currencyOf = ({ skus }: PlacedSkus) => required(skus[0], 'a SKU of a service').currency;
const withVersion = (versions: readonly CardVersion[], added: CardVersion): CardVersion[] =>
  [...versions, added].toSorted((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime());
const matrixName = (ctx: Ctx, unit: string): Charge['name'] => ({
  zhTW: ctx.text('administration.by_sku', { unit }, 'zhTW'),
  enUS: ctx.text('administration.by_sku', { unit }, 'enUS'),
});

/**
 * Returns the services that earlier imports created for each of the provider's services, in order: `ref`,
 * `ref#2` …
 */
async function siblingsOf(ctx: Ctx, refs: readonly string[]): Promise<Map<string, Sibling[]>> {
  const numbered = (await importedServices(ctx, refs)).map(({ id, externalRef, prices }) => {
    const [, ref = externalRef, number = '1'] = /^(.*?)(?:#(\d+))?$/s.exec(externalRef) ?? [];
    return { id, ref, number: Number(number), prices };
  });
  return new Map(
    [...Map.groupBy(numbered, ({ ref }) => ref)].map(([ref, own]) => [
      ref,
      own
        .toSorted((a, b) => a.number - b.number)
        .map(({ id, number, prices }) => ({
          id,
          number,
          versions: prices.map(({ effectiveFrom, pricing }): CardVersion => ({
            effectiveFrom,
            currency: pricing.currency,
            charges: pricing.model === 'rate_card' ? pricing.charges : null,
          })),
        })),
    ]),
  );
}

/** Creates a service or its next price version, with the meters of its charges. */
async function publish(
  ctx: Ctx,
  service: ProviderService,
  number: number,
  placed: PlacedSkus,
  start: Date,
): Promise<{ id: Id<'svc'>; created: boolean; priceCreated: boolean }> {
  const charges = required(placed.charges, 'the charges of a price version');
  // A charge's key belongs either to its SKU or to its unit.
  const byKey = new Map(
    placed.skus.flatMap((sku) => [[sku.charge, sku] as const, [sku.matrix, sku] as const]),
  );
  await ensureMeters(
    ctx,
    charges.flatMap((charge) => meterOf(charge, byKey) ?? []),
  );
  return addService(
    ctx,
    {
      ...withDefaults({
        name: number === 1 ? service.name : `${service.name} (${number})`,
        type: [...service.types].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'Other',
        category: service.provider,
        description: [...new Set(placed.skus.map(({ unit }) => unit))].join(', '),
        meter: unmetered,
      }),
      externalRef: number === 1 ? service.ref : `${service.ref}#${number}`,
    },
    { model: 'rate_card', currency: currencyOf(placed), charges: [...charges] },
    start,
  );
}
