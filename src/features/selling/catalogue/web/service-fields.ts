// The flat form of a service, and its conversion to the contract.
import * as z from 'zod/mini';
import { decimal, zero } from '#kernel/decimal.ts';
import { currency, isDay, optionalText, text, unsignedDecimal } from '#kernel/shape.ts';
import type { Currency } from '#kernel/money.ts';
import { aggregations, NewMeter } from '#features/selling/meters/contract.ts';
import { schemaOf } from '#features/selling/meters/rules.ts';
import {
  billingCycles,
  Pricing,
  pricingModels,
  releaseStates,
  serviceStatuses,
  type Meter,
  type Quota,
  type Service,
} from '../contract.ts';
import { prorations } from '#features/selling/rating/contract.ts';
import { isMetered } from '../rules.ts';
import { pricingIssue } from '../rules-prices.ts';
import {
  ChargeFields,
  chargeIssues,
  chargeOf,
  emptyTier,
  fieldsOfCharge,
  ownPath,
  TierFields,
} from './charge-fields.ts';

/** The text of an input; whether it is a decimal is checked later. */
const typed = z.string().check(z.trim(), z.maxLength(40));
export const quotaTypes = ['unlimited', 'soft', 'hard'] as const;
/** One price of one meter, or a rate card of several charges. */
export const priceForms = ['single', 'card'] as const;

const shape = {
  name: text(160),
  type: text(80),
  category: text(80),
  description: optionalText(2000),
  status: z.enum(serviceStatuses),
  releaseState: z.enum(releaseStates),
  billingCycle: z.enum(billingCycles),
  proration: z.enum(prorations),
  trialDays: typed,
  family: optionalText(80),
  addOnTo: z.array(text(80)).check(z.maxLength(50)),
  popular: z.boolean(),
  recommended: z.boolean(),
  requiresPrepaidCredit: z.boolean(),
  features: optionalText(10_000),
  tags: optionalText(2000),
  currency,
  priceForm: z.enum(priceForms),
  charges: z.array(ChargeFields),
  model: z.enum(pricingModels),
  baseFee: typed,
  minimum: typed,
  maximum: typed,
  included: typed,
  unitPrice: typed,
  packageSize: typed,
  packagePrice: typed,
  freeUnits: typed,
  tiers: z.array(TierFields),
  eventType: optionalText(200),
  aggregation: z.enum(aggregations),
  property: optionalText(100),
  unit: optionalText(60),
  dataSchema: optionalText(20_000),
  quotaType: z.enum(quotaTypes),
  quotaLimit: typed,
  /** The key of the meter to which a new rate card's limit applies. */
  quotaMeter: optionalText(60),
  /** Whether the service already exists; its metering can then no longer be changed. */
  isMade: z.boolean(),
  /** Meters that are created with the service if its charges use them; they come from templates. */
  newMeters: z.array(NewMeter),
  /** The day on which a changed price starts; '' for immediately. */
  beginsOn: typed,
};
export const serviceFields = z.strictObject(shape).check((context) => {
  for (const { path, code } of wrongFields(context.value))
    context.issues.push({
      code: 'custom',
      input: valueAt(context.value, path),
      path: [...path],
      ...(code !== undefined && { message: code }),
    });
});
export type ServiceFields = z.output<typeof serviceFields>;
type Priced = Pick<
  ServiceFields,
  | 'currency'
  | 'priceForm'
  | 'charges'
  | 'model'
  | 'baseFee'
  | 'minimum'
  | 'maximum'
  | 'included'
  | 'unitPrice'
  | 'packageSize'
  | 'packagePrice'
  | 'freeUnits'
  | 'tiers'
>;

const isDecimal = (value: string): boolean => z.safeParse(unsignedDecimal, value).success;
const isPositive = (value: string): boolean => isDecimal(value) && decimal(value).gt(zero);
const isOptional = (value: string): boolean => value === '' || isDecimal(value);
const isBelow = (value: string, other: string): boolean =>
  isDecimal(value) && isDecimal(other) && decimal(value).lt(decimal(other));
const maxTrialDays = 730;

type WrongField = { readonly path: readonly (string | number)[]; readonly code?: string };
type Need = (isRight: boolean, ...path: (string | number)[]) => void;

/** The fields that are invalid for the chosen price, quota and meter. */
function wrongFields(fields: ServiceFields): readonly WrongField[] {
  const wrong: WrongField[] = [];
  const need: Need = (isRight, ...path) => {
    if (!isRight) wrong.push({ path });
  };
  need(isOptional(fields.minimum), 'minimum');
  need(isOptional(fields.maximum) && !isBelow(fields.maximum, fields.minimum), 'maximum');
  need(/^\d{0,3}$/.test(fields.trialDays) && Number(fields.trialDays) <= maxTrialDays, 'trialDays');
  need(fields.beginsOn === '' || isDay(fields.beginsOn), 'beginsOn');
  if (hasLimit(fields)) need(isPositive(fields.quotaLimit), 'quotaLimit');
  if (hasLimit(fields) && choosesLimited(fields)) need(fields.quotaMeter !== '', 'quotaMeter');
  need(schemaOf(fields.dataSchema) !== undefined, 'dataSchema');
  if (fields.priceForm === 'card') return [...wrong, ...chargeIssues(fields.charges)];
  needSinglePrice(fields, need);
  return wrong;
}

/** The requirements of a single price and its meter. */
function needSinglePrice(fields: ServiceFields, need: Need): void {
  need(fields.eventType !== '', 'eventType');
  need(fields.unit !== '', 'unit');
  if (fields.aggregation === 'unique_count') need(fields.property !== '', 'property');
  need(fields.model === 'flat' ? isDecimal(fields.baseFee) : isOptional(fields.baseFee), 'baseFee');
  if (hasIncluded(fields.model)) need(isOptional(fields.included), 'included');
  if (fields.model === 'per_unit') need(isDecimal(fields.unitPrice), 'unitPrice');
  if (fields.model === 'package') {
    need(isPositive(fields.packageSize), 'packageSize');
    need(isDecimal(fields.packagePrice), 'packagePrice');
    need(isOptional(fields.freeUnits), 'freeUnits');
  }
  if (hasTiers(fields.model)) {
    let from = zero;
    for (const [index, tier] of fields.tiers.entries()) {
      const isLast = index === fields.tiers.length - 1;
      const rises = isDecimal(tier.upTo) && decimal(tier.upTo).gt(from);
      if (!isLast) need(rises, 'tiers', index, 'upTo');
      if (rises) from = decimal(tier.upTo);
      need(isDecimal(tier.unitPrice), 'tiers', index, 'unitPrice');
      need(isOptional(tier.flatFee), 'tiers', index, 'flatFee');
    }
  }
}

/** Whether a model is priced by tiers. */
export const hasTiers = (model: Pricing['model']): model is 'graduated' | 'volume' =>
  model === 'graduated' || model === 'volume';

/** Whether a base fee can include a quantity; packages have their own free units. */
export const hasIncluded = (model: Pricing['model']): boolean => model === 'per_unit' || hasTiers(model);

const optional = <K extends string>(name: K, value: string) =>
  value.trim() === '' ? {} : ({ [name]: value.trim() } as Record<K, string>);

/** The rate card for the form's charges; undefined while one of them is missing or invalid. */
function cardOf({ currency: inCurrency, charges, minimum, maximum }: Priced): Pricing | undefined {
  const read = z.safeParse(Pricing, {
    model: 'rate_card',
    currency: inCurrency,
    charges: charges.map(chargeOf),
    ...optional('minimum', minimum),
    ...optional('maximum', maximum),
  });
  return read.success ? read.data : undefined;
}

/** The pricing for the form's fields; undefined while a field is missing or invalid. */
export function pricingOf(fields: Priced): Pricing | undefined {
  if (fields.priceForm === 'card') return cardOf(fields);
  const common = {
    currency: fields.currency,
    ...optional('baseFee', fields.baseFee),
    ...optional('minimum', fields.minimum),
    ...optional('maximum', fields.maximum),
  };
  const included = optional('included', fields.included);
  const last = fields.tiers.length - 1;
  const tiers = fields.tiers.map((tier, index) => ({
    upTo: index === last ? null : tier.upTo.trim(),
    unitPrice: tier.unitPrice.trim(),
    ...optional('flatFee', tier.flatFee),
  }));
  const own = {
    flat: {},
    per_unit: { ...included, unitPrice: fields.unitPrice.trim() },
    graduated: { ...included, tiers },
    volume: { ...included, tiers },
    package: {
      packageSize: fields.packageSize.trim(),
      packagePrice: fields.packagePrice.trim(),
      ...optional('freeUnits', fields.freeUnits),
    },
  }[fields.model];
  const read = z.safeParse(Pricing, { model: fields.model, ...common, ...own });
  if (!read.success || pricingIssue(read.data)) return undefined;
  return read.data.model === 'flat' && read.data.baseFee === undefined ? undefined : read.data;
}

type Limited = Pick<ServiceFields, 'quotaType' | 'priceForm' | 'isMade' | 'charges'>;
/** Whether a service can have a limit; a new rate card with only fees counts no usage. */
export const mayHaveLimit = ({ priceForm, isMade, charges }: Omit<Limited, 'quotaType'>): boolean =>
  priceForm === 'single' || isMade || charges.some(({ kind }) => kind === 'usage');
const hasLimit = (fields: Limited): boolean => fields.quotaType !== 'unlimited' && mayHaveLimit(fields);

/**
 * Whether the meter of a limit is chosen in the form: for a rate card, unless the service was created with
 * its own.
 */
export const choosesLimited = ({
  priceForm,
  isMade,
  eventType,
  quotaMeter,
}: Pick<ServiceFields, 'priceForm' | 'isMade' | 'eventType' | 'quotaMeter'>): boolean =>
  priceForm === 'card' && (!isMade || quotaMeter !== '' || !isMetered({ eventType }));

/** The quota for the form's fields; `isNamed` means that its meter is not the service's own. */
export const quotaOf = (
  fields: Limited & Pick<ServiceFields, 'quotaLimit' | 'quotaMeter'>,
  isNamed = fields.isMade,
): Quota =>
  fields.quotaType === 'unlimited' || !mayHaveLimit(fields)
    ? { type: 'unlimited' }
    : {
        type: fields.quotaType,
        limit: fields.quotaLimit,
        ...(fields.priceForm === 'card' &&
          isNamed &&
          fields.quotaMeter !== '' && { meter: fields.quotaMeter }),
      };

/**
 * The meters that are created with the service: those of {@link ServiceFields.newMeters} that a usage charge
 * or the limit uses.
 */
export const metersToMake = (
  fields: Pick<ServiceFields, 'newMeters' | 'quotaMeter'> & Limited,
): readonly NewMeter[] =>
  fields.priceForm === 'single'
    ? []
    : fields.newMeters.filter(
        ({ key }) =>
          fields.charges.some(({ kind, meter }) => kind === 'usage' && meter === key) ||
          (hasLimit(fields) && fields.quotaMeter === key),
      );

/** The meter for the form's fields. */
export function meterOf({
  eventType,
  aggregation,
  property,
  unit,
  dataSchema,
}: Pick<ServiceFields, 'eventType' | 'aggregation' | 'property' | 'unit' | 'dataSchema'>): Meter {
  const schema = schemaOf(dataSchema);
  return {
    eventType,
    aggregation,
    unit,
    ...(aggregation === 'unique_count' && { property }),
    ...(schema && { dataSchema: schema }),
  };
}

/** One entry per line (features) or between commas (tags), without empty ones and duplicates. */
export const listOf = (typedText: string, between: RegExp): string[] => [
  ...new Set(
    typedText
      .split(between)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
export const lines = /\n/;
export const commas = /[,，、]/;

const emptyTiers = [{ ...emptyTier, upTo: '1000' }, emptyTier];

/** An empty form. */
export function emptyFields(inCurrency: Currency): ServiceFields {
  return {
    name: '',
    type: '',
    category: '',
    description: '',
    status: 'active',
    releaseState: 'Active',
    billingCycle: 'monthly',
    proration: 'day',
    trialDays: '',
    family: '',
    addOnTo: [],
    popular: false,
    recommended: false,
    requiresPrepaidCredit: false,
    features: '',
    tags: '',
    currency: inCurrency,
    priceForm: 'single',
    charges: [],
    model: 'per_unit',
    baseFee: '',
    minimum: '',
    maximum: '',
    included: '',
    unitPrice: '',
    packageSize: '',
    packagePrice: '',
    freeUnits: '',
    tiers: emptyTiers,
    eventType: '',
    aggregation: 'sum',
    property: '',
    unit: '',
    dataSchema: '',
    quotaType: 'unlimited',
    quotaLimit: '',
    quotaMeter: '',
    isMade: false,
    newMeters: [],
    beginsOn: '',
  };
}

/** A service as form values. */
export function fieldsOf(service: Service): ServiceFields {
  const { pricing, meter, quota } = service;
  return {
    ...emptyFields(pricing.currency),
    name: service.name,
    type: service.type,
    category: service.category,
    description: service.description,
    status: service.status,
    releaseState: service.releaseState,
    billingCycle: service.billingCycle,
    proration: service.proration,
    trialDays: service.trialDays === 0 ? '' : String(service.trialDays),
    family: service.family,
    addOnTo: [...service.addOnTo],
    popular: service.popular,
    recommended: service.recommended,
    requiresPrepaidCredit: service.requiresPrepaidCredit,
    features: service.features.join('\n'),
    tags: service.tags.join(', '),
    ...pricedFields(pricing),
    eventType: meter.eventType,
    aggregation: meter.aggregation,
    property: meter.property ?? '',
    unit: meter.unit,
    dataSchema: meter.dataSchema ? JSON.stringify(meter.dataSchema, null, 2) : '',
    quotaType: quota.type,
    quotaLimit: quota.type === 'unlimited' ? '' : quota.limit,
    quotaMeter: quota.type === 'unlimited' ? '' : (quota.meter ?? ''),
    isMade: true,
  };
}

/** A pricing as form values. */
export function pricedFields(pricing: Pricing): Partial<ServiceFields> {
  if (pricing.model === 'rate_card')
    return {
      currency: pricing.currency,
      priceForm: 'card',
      charges: pricing.charges.map(fieldsOfCharge),
      minimum: pricing.minimum ?? '',
      maximum: pricing.maximum ?? '',
    };
  return {
    currency: pricing.currency,
    model: pricing.model,
    baseFee: pricing.baseFee ?? '',
    minimum: pricing.minimum ?? '',
    maximum: pricing.maximum ?? '',
    ...('included' in pricing && { included: pricing.included ?? '' }),
    ...(pricing.model === 'per_unit' && { unitPrice: pricing.unitPrice }),
    ...(pricing.model === 'package' && {
      packageSize: pricing.packageSize,
      packagePrice: pricing.packagePrice,
      freeUnits: pricing.freeUnits ?? '',
    }),
    ...('tiers' in pricing && {
      tiers: pricing.tiers.map((tier) => ({
        ...emptyTier,
        upTo: tier.upTo ?? '',
        unitPrice: tier.unitPrice,
        flatFee: tier.flatFee ?? '',
      })),
    }),
  };
}

/** Whether two forms have the same price. */
export const samePrice = (a: ServiceFields, b: ServiceFields): boolean =>
  JSON.stringify(pricingOf(a)) === JSON.stringify(pricingOf(b));

/**
 * The form's field for a field named by the server: 'pricing.tiers.2.upTo' is 'tiers.2.upTo' in the form, and
 * the conditions of a rate are the values of its row.
 */
export function fieldNamed(field: string): string {
  if (field === 'quota.limit') return 'quotaLimit';
  if (field === 'quota.meter') return 'quotaMeter';
  if (field === 'quota') return 'quotaType';
  if (field === 'effectiveFrom') return 'beginsOn';
  const own = field.replace(/^(pricing|meter)\./, '');
  return own.startsWith('charges.') ? ownPath(own.split('.')).join('.') : own;
}

/** The value at a path: the error text depends on whether the field is empty. */
const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    values,
  );
