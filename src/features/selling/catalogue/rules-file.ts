// The catalogue as a file: its representation of a service, and the fields in which file and console differ.
import { decimalPattern, trimDecimal } from '#kernel/decimal.ts';
import { canonical as canonicalText, type PlannedChange } from '#kernel/file-plan.ts';
import type { Meter, NewMeter } from '#features/selling/meters/contract.ts';
import { differingFields, normalized } from '#features/selling/meters/rules.ts';
import type { CatalogueFileService, Pricing, Service } from './contract.ts';

/** The fields of a service in a file, apart from its reference, its price and its meter. */
const plainFields = [
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
  'addOnTo',
  'quota',
  'features',
  'tags',
  'popular',
  'recommended',
  'requiresPrepaidCredit',
] as const;
export type PlainField = (typeof plainFields)[number];

/** Defaults of fields that a file may leave out: for new services, and to keep files short. */
const usual: Readonly<Partial<Record<PlainField, unknown>>> = {
  description: '',
  status: 'active',
  releaseState: 'Active',
  billingCycle: 'monthly',
  proration: 'day',
  trialDays: 0,
  family: '',
  addOnTo: [],
  quota: { type: 'unlimited' },
  features: [],
  tags: [],
  popular: false,
  recommended: false,
  requiresPrepaidCredit: false,
};

/**
 * Serializes a value so that equal values give the same text: keys in order, and decimals without trailing
 * zeros.
 */
export const canonical = (value: unknown): string =>
  canonicalText(value, (text) => (decimalPattern.test(text) ? trimDecimal(text) : text));

type Price = Pick<CatalogueFileService, 'pricing' | 'charges' | 'currency' | 'minimum' | 'maximum'>;
/** A price in file form: a rate card as its charges. */
function priceFields(pricing: Pricing): Price {
  if (pricing.model !== 'rate_card') return { pricing };
  const { model: _model, ...card } = pricing;
  return card;
}

/** The file form of a service's field: for a limit, without the unit, which its meter determines. */
function fileValueOf(service: Service, field: PlainField): unknown {
  if (field !== 'quota' || service.quota.type === 'unlimited') return service[field];
  const { unit: _unit, ...quota } = service.quota;
  return quota;
}

/** A service in file form, without fields that have default values. */
export function fileServiceOf(
  service: Service & { readonly externalRef: string | null },
): CatalogueFileService {
  const changed = plainFields.filter(
    (field) => !(field in usual) || canonical(fileValueOf(service, field)) !== canonical(usual[field]),
  );
  return {
    ...(service.externalRef === null ? { id: service.id } : { ref: service.externalRef }),
    ...(Object.fromEntries(changed.map((field) => [field, fileValueOf(service, field)])) as Pick<
      Service,
      PlainField
    >),
    meter: service.meter,
    ...priceFields(service.pricing),
  };
}

/**
 * Returns the fields in which a service differs from a file; missing fields, and those of a new service, have
 * default values.
 */
export function plainChanges(service: Service | undefined, entry: CatalogueFileService): PlannedChange[] {
  return plainFields.flatMap((field): PlannedChange[] => {
    const after = canonical(entry[field] ?? usual[field]);
    const before = canonical(service ? fileValueOf(service, field) : usual[field]);
    return before === after ? [] : [{ field, before: service ? before : null, after }];
  });
}

/** Returns the difference of two prices, charge by charge if both are rate cards. */
export function priceChanges(before: Pricing | undefined, after: Pricing): PlannedChange[] {
  if (before && canonical(before) === canonical(after)) return [];
  if (before?.model !== 'rate_card' || after.model !== 'rate_card')
    return [{ field: 'pricing', before: before ? canonical(before) : null, after: canonical(after) }];
  const keys = [...new Set([...before.charges, ...after.charges].map(({ key }) => key))];
  const textOf = (card: typeof before, key: string): string | null => {
    const charge = card.charges.find((each) => each.key === key);
    return charge ? canonical(charge) : null;
  };
  const order = (card: typeof before): string => card.charges.map(({ key }) => key).join(', ');
  const pairs: [field: string, before: string | null, after: string | null][] = [
    ...keys.map((key): [string, string | null, string | null] => [
      `charges.${key}`,
      textOf(before, key),
      textOf(after, key),
    ]),
    ['charges', order(before), order(after)],
    ['currency', before.currency, after.currency],
    ['minimum', before.minimum ?? null, after.minimum ?? null],
    ['maximum', before.maximum ?? null, after.maximum ?? null],
  ];
  return pairs.flatMap(([field, was, is]) => (was === is ? [] : [{ field, before: was, after: is }]));
}

/** A meter in file form. */
export function fileMeterOf({
  id: _id,
  usedBy: _used,
  version: _version,
  createdAt: _at,
  ...meter
}: Meter): NewMeter {
  const { dimensions, ...fields } = meter;
  return { ...fields, ...(dimensions.length > 0 && { dimensions }) };
}

/** Whether a file's meter measures the same as the one with its key. The names may differ. */
export const isSameMeter = (meter: Meter, entry: NewMeter): boolean =>
  differingFields(normalized(meter), normalized({ ...entry, dimensions: entry.dimensions ?? [] })).length ===
  0;
