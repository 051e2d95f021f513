// The catalogue as a file: what it says of a service, and in which fields the file and the console differ.
import { decimalPattern, trimDecimal } from '#kernel/decimal.ts';
import { canonical as canonicalText, type PlannedChange } from '#kernel/file-plan.ts';
import type { Meter, NewMeter } from '#features/selling/meters/contract.ts';
import { differingFields, normalized } from '#features/selling/meters/rules.ts';
import type { CatalogueFileService, Pricing, Service } from './contract.ts';

/** The fields of a service that a file says, apart from its name for the file, its price and its meter. */
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

/** Values of fields that a file may leave out: for new services, and so that files stay short. */
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

/** A value as one text, the same for equal values: keys in order, and decimals without trailing zeros. */
export const canonical = (value: unknown): string =>
  canonicalText(value, (text) => (decimalPattern.test(text) ? trimDecimal(text) : text));

type Price = Pick<CatalogueFileService, 'pricing' | 'charges' | 'currency' | 'minimum' | 'maximum'>;
/** A price as a file says it: a rate card by its charges. */
function priceFields(pricing: Pricing): Price {
  if (pricing.model !== 'rate_card') return { pricing };
  const { model: _model, ...card } = pricing;
  return card;
}

/** What a file says of a service's field: of a limit, without the unit that its meter says. */
function saidOf(service: Service, field: PlainField): unknown {
  if (field !== 'quota' || service.quota.type === 'unlimited') return service[field];
  const { unit: _unit, ...quota } = service.quota;
  return quota;
}

/** A service as a file says it, without the fields that have their usual values. */
export function fileServiceOf(
  service: Service & { readonly externalRef: string | null },
): CatalogueFileService {
  const said = plainFields.filter(
    (field) => !(field in usual) || canonical(saidOf(service, field)) !== canonical(usual[field]),
  );
  return {
    ...(service.externalRef === null ? { id: service.id } : { ref: service.externalRef }),
    ...(Object.fromEntries(said.map((field) => [field, saidOf(service, field)])) as Pick<
      Service,
      PlainField
    >),
    meter: service.meter,
    ...priceFields(service.pricing),
  };
}

/** The fields in which a service differs from what a file says; what the file leaves out, and a new service, has its usual values. */
export function plainChanges(service: Service | undefined, said: CatalogueFileService): PlannedChange[] {
  return plainFields.flatMap((field): PlannedChange[] => {
    const after = canonical(said[field] ?? usual[field]);
    const before = canonical(service ? saidOf(service, field) : usual[field]);
    return before === after ? [] : [{ field, before: service ? before : null, after }];
  });
}

/** The difference of two prices, charge by charge where both are rate cards. */
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

/** A meter as a file says it. */
export function fileMeterOf({
  id: _id,
  usedBy: _used,
  version: _version,
  createdAt: _at,
  ...meter
}: Meter): NewMeter {
  const { dimensions, ...said } = meter;
  return { ...said, ...(dimensions.length > 0 && { dimensions }) };
}

/** Whether a file's meter measures the same as the one with its key. The names may differ. */
export const isSameMeter = (meter: Meter, said: NewMeter): boolean =>
  differingFields(normalized(meter), normalized({ ...said, dimensions: said.dimensions ?? [] })).length === 0;
