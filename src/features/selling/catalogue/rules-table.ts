// Converts services to table rows and back: the import reads exactly what the export writes.
import { decimalPattern, trimDecimal } from '#kernel/decimal.ts';
import { readJson } from '#kernel/parse-json.ts';
import type { Tier } from '#features/selling/rating/contract.ts';
import type { Service } from './contract.ts';

/** The columns of a service's row, in order; prices and quantities are numbers, everything else is text. */
export const serviceColumns = [
  'externalRef',
  'name',
  'type',
  'category',
  'description',
  'status',
  'releaseState',
  'billingCycle',
  'proration',
  'trialDays',
  'family',
  'eventType',
  'aggregation',
  'property',
  'unit',
  'dataSchema',
  'currency',
  'model',
  'baseFee',
  'minimum',
  'maximum',
  'included',
  'unitPrice',
  'tiers',
  'packageSize',
  'packagePrice',
  'freeUnits',
  'quotaType',
  'quotaLimit',
  'features',
  'tags',
  'popular',
  'recommended',
  'requiresPrepaidCredit',
  'quotaMeter',
  'addOnTo',
] as const;
export type ServiceColumn = (typeof serviceColumns)[number];
/** A row as texts; an empty text means no value. */
export type ServiceCells = Readonly<Record<ServiceColumn, string>>;

const figures: readonly ServiceColumn[] = [
  'trialDays',
  'baseFee',
  'minimum',
  'maximum',
  'included',
  'unitPrice',
  'packageSize',
  'packagePrice',
  'freeUnits',
  'quotaLimit',
];
/** Whether a column holds numbers. */
export const isFigure = (column: ServiceColumn): boolean => figures.includes(column);
/** Columns that form a pricing. */
const pricingColumns = [
  'currency',
  'model',
  'baseFee',
  'minimum',
  'maximum',
  'included',
  'unitPrice',
  'tiers',
  'packageSize',
  'packagePrice',
  'freeUnits',
] as const satisfies readonly ServiceColumn[];
/** Columns that define how usage is counted; they never change. */
export const meterColumns = [
  'eventType',
  'aggregation',
  'property',
  'unit',
] as const satisfies readonly ServiceColumn[];

const blank = Object.fromEntries(serviceColumns.map((column) => [column, ''])) as ServiceCells;

/** A service as a row. */
export function cellsOf(
  service: Omit<Service, 'id' | 'priceVersionId' | 'priceEffectiveFrom' | 'version' | 'createdAt'> & {
    externalRef: string | null;
  },
): ServiceCells {
  const { pricing, meter, quota } = service;
  const priced: Partial<Record<ServiceColumn, string>> = Object.fromEntries(
    Object.entries(pricing).filter(([, value]) => typeof value === 'string'),
  );
  return {
    ...blank,
    ...priced,
    ...('tiers' in pricing ? { tiers: tiersText(pricing.tiers) } : {}),
    externalRef: service.externalRef ?? '',
    name: service.name,
    type: service.type,
    category: service.category,
    description: service.description,
    status: service.status,
    releaseState: service.releaseState,
    billingCycle: service.billingCycle,
    proration: service.proration,
    trialDays: String(service.trialDays),
    family: service.family,
    eventType: meter.eventType,
    aggregation: meter.aggregation,
    property: meter.property ?? '',
    unit: meter.unit,
    dataSchema: meter.dataSchema ? JSON.stringify(meter.dataSchema) : '',
    quotaType: quota.type,
    quotaLimit: quota.type === 'unlimited' ? '' : quota.limit,
    quotaMeter: quota.type === 'unlimited' ? '' : (quota.meter ?? ''),
    features: joined(service.features),
    tags: joined(service.tags),
    popular: String(service.popular),
    recommended: String(service.recommended),
    requiresPrepaidCredit: String(service.requiresPrepaidCredit),
    addOnTo: joined(service.addOnTo),
  };
}

/** The input of createService; invalid values are passed through, so that the contract reports them. */
export function serviceInputOf(cells: ServiceCells): Readonly<Record<string, unknown>> {
  const given = (columns: readonly ServiceColumn[]): Record<string, unknown> =>
    Object.fromEntries(
      columns.filter((column) => cells[column] !== '').map((column) => [column, cells[column]]),
    );
  const flag = (text: string): unknown =>
    ({ '': false, false: false, true: true })[text.toLowerCase()] ?? text;
  const { tiers, ...priced } = given(pricingColumns);
  const { trialDays, quotaType, quotaLimit, quotaMeter } = cells;
  return {
    ...given([
      'name',
      'type',
      'category',
      'description',
      'status',
      'releaseState',
      'billingCycle',
      'proration',
      'family',
    ]),
    trialDays:
      trialDays === '' ? 0 : /^\d{1,9}$/.test(trialDays) ? Number.parseInt(trialDays, 10) : trialDays,
    pricing: { ...priced, ...(tiers === undefined ? {} : { tiers: readTiers(cells.tiers) }) },
    meter: {
      ...given(meterColumns),
      ...(cells.dataSchema === '' ? {} : { dataSchema: jsonOrText(cells.dataSchema) }),
    },
    quota: {
      type: quotaType === '' ? 'unlimited' : quotaType,
      ...(quotaLimit === '' ? {} : { limit: quotaLimit }),
      ...(quotaMeter === '' ? {} : { meter: quotaMeter }),
    },
    features: split(cells.features),
    tags: split(cells.tags),
    popular: flag(cells.popular),
    recommended: flag(cells.recommended),
    requiresPrepaidCredit: flag(cells.requiresPrepaidCredit),
    addOnTo: split(cells.addOnTo),
  };
}

/** The column that a field of {@link serviceInputOf} came from. */
export function columnOfField(field: string): ServiceColumn | undefined {
  const [first = '', second] = field.split('.');
  if (first === 'quota')
    return second === 'limit' ? 'quotaLimit' : second === 'meter' ? 'quotaMeter' : 'quotaType';
  // Without a known model no other column of a price can be interpreted.
  const name = first === 'meter' ? second : first === 'pricing' ? (second ?? 'model') : first;
  return serviceColumns.find((column) => column === name);
}

/**
 * Merges a row into an existing one: columns missing from the file are kept. A different model starts with an
 * empty price. An empty cell keeps the meter of a limit, as in any change of a limit; without a limit there
 * is none.
 */
export function mergedCells(existing: ServiceCells | undefined, given: Partial<ServiceCells>): ServiceCells {
  const below = existing ?? blank;
  const isOtherModel = existing !== undefined && given.model !== undefined && given.model !== existing.model;
  const emptied = isOtherModel
    ? Object.fromEntries(
        pricingColumns.filter((column) => column !== 'currency').map((column) => [column, '']),
      )
    : {};
  const cells = { ...below, ...emptied, ...given };
  const isUnlimited = cells.quotaType === '' || cells.quotaType === 'unlimited';
  return { ...cells, quotaMeter: given.quotaMeter || (isUnlimited ? '' : below.quotaMeter) };
}

/** Returns the columns in which two rows differ; 1.50 and 1.5 are the same price. */
export function differences(a: ServiceCells, b: ServiceCells): ServiceColumn[] {
  return serviceColumns.filter((column) => plain(column, a[column]) !== plain(column, b[column]));
}

/** Whether any of these columns belongs to the price. */
export const hasPriceColumns = (columns: readonly ServiceColumn[]): boolean =>
  pricingColumns.some((column) => columns.includes(column));

function plain(column: ServiceColumn, text: string): string {
  if (column === 'tiers')
    return text === ''
      ? ''
      : readTiers(text)
          .map((tier) =>
            Object.values(tier)
              .map((part) => (part !== null && decimalPattern.test(part) ? trimDecimal(part) : String(part)))
              .join(':'),
          )
          .join(';');
  if (column === 'dataSchema') return JSON.stringify(jsonOrText(text));
  return isFigure(column) && decimalPattern.test(text) ? trimDecimal(text) : text;
}

/** Parses a text as JSON; an invalid text is returned unchanged, so that the contract rejects it. */
function jsonOrText(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : text;
}

/** `1000:0.5:10; *:0.2`: upper bound, unit price and, if any, the tier's own fee. */
const tiersText = (tiers: readonly Tier[]): string =>
  tiers
    .map(({ upTo, unitPrice, flatFee }) =>
      [upTo ?? '*', unitPrice, ...(flatFee === undefined ? [] : [flatFee])].join(':'),
    )
    .join('; ');

function readTiers(text: string): Tier[] {
  return text.split(';').map((tier): Tier => {
    const [upTo = '', unitPrice = '', flatFee, ...more] = tier.split(':').map((part) => part.trim());
    return {
      upTo: upTo === '*' ? null : upTo,
      unitPrice: [unitPrice, ...more].join(':'),
      ...(flatFee === undefined ? {} : { flatFee }),
    };
  });
}

/** One entry per line; a line break or backslash within an entry is escaped with a backslash. */
const joined = (entries: readonly string[]): string =>
  entries
    .map((entry) => entry.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n'))
    .join('\n');
const split = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .map((line) =>
          line.replaceAll(/\\([\\rn])/g, (_all, sign: string) => ({ r: '\r', n: '\n' })[sign] ?? '\\'),
        );
