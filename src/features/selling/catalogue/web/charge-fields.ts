// The form of one charge of a rate card, and its conversion from and to the contract.
import * as z from 'zod/mini';
import { unsignedDecimal } from '#kernel/shape.ts';
import {
  Charge,
  chargeAnchors,
  chargeCycles,
  chargeKinds,
  chargeProrations,
  chargeTimings,
  packageRoundings,
  tierScopes,
  unmatchedWays,
} from '#features/selling/rating/contract.ts';
import { chargePriceMistake, rateCardMistake } from '#features/selling/rating/rules.ts';
import { emptyRate, isForAll, rateFields, RateFields, ratesOf } from './rate-fields.ts';
import { SampleFields } from './samples.ts';

/** The text of an input; whether it is a decimal is checked later. */
const typed = z.string().check(z.trim(), z.maxLength(40));
const label = z.string().check(z.trim(), z.maxLength(120));

export const chargeModels = [
  'flat',
  'per_unit',
  'graduated',
  'volume',
  'package',
  'percentage',
  'graduated_percentage',
  'dynamic',
  'matrix',
] as const;
export type ChargeModel = (typeof chargeModels)[number];
const feeModels: readonly ChargeModel[] = ['flat', 'per_unit', 'graduated', 'volume', 'package'];
/** The models that a kind of charge may have. Fees have no events to price. */
export const modelsOf = (kind: Charge['kind']): readonly ChargeModel[] =>
  kind === 'usage' ? chargeModels : feeModels;

/** One row of the tier editor; `ratePercent` is for percentages only. */
export const TierFields = z.strictObject({
  upTo: typed,
  unitPrice: typed,
  flatFee: typed,
  ratePercent: z.optional(typed),
});
export const emptyTier = { upTo: '', unitPrice: '', flatFee: '', ratePercent: '' };

/**
 * `auto`: the key follows the English name; `own`: it was typed; `stored`: bills use it, so it never changes.
 */
const keyStates = ['auto', 'own', 'stored'] as const;

export const ChargeFields = z.strictObject({
  /** Identifies rows of the form; never sent. */
  uid: z.string(),
  key: typed.check(z.maxLength(60)),
  keyState: z.enum(keyStates),
  name: z.strictObject({ zhTW: label, enUS: label }),
  kind: z.enum(chargeKinds),
  meter: label,
  model: z.enum(chargeModels),
  /** '' is the default of the kind: fees in advance, usage in arrears. */
  timing: z.enum(['', ...chargeTimings]),
  cycle: z.enum(chargeCycles),
  prorate: z.enum(chargeProrations),
  anchor: z.enum(chargeAnchors),
  taxCategory: label,
  minimum: typed,
  maximum: typed,
  included: typed,
  amount: typed,
  unitPrice: typed,
  packageSize: typed,
  packagePrice: typed,
  freeUnits: typed,
  rounding: z.enum(packageRoundings),
  tiers: z.array(TierFields),
  tierScope: z.enum(tierScopes),
  ratePercent: typed,
  fixedPerEvent: typed,
  freeEvents: typed,
  freeAmount: typed,
  minPerEvent: typed,
  maxPerEvent: typed,
  rates: z.array(RateFields),
  /** What happens to events that match no row; '' while a row prices all others, or nothing is chosen yet. */
  unmatched: z.enum(['', ...unmatchedWays]),
  /** The calculator's initial values; never sent. */
  samples: z.array(SampleFields),
});
export type ChargeFields = z.output<typeof ChargeFields>;

let countOfUids = 0;
const nextUid = (): string => `charge-${++countOfUids}`;

/** A charge without any typed values. */
export function emptyCharge(kind: Charge['kind'] = 'recurring'): ChargeFields {
  return {
    uid: nextUid(),
    key: '',
    keyState: 'auto',
    name: { zhTW: '', enUS: '' },
    kind,
    meter: '',
    model: kind === 'usage' ? 'per_unit' : 'flat',
    timing: '',
    cycle: 'month',
    prorate: 'day',
    anchor: 'calendar',
    taxCategory: '',
    minimum: '',
    maximum: '',
    included: '',
    amount: '',
    unitPrice: '',
    packageSize: '',
    packagePrice: '',
    freeUnits: '',
    rounding: 'up',
    tiers: [{ ...emptyTier, upTo: kind === 'usage' ? '1000' : '10' }, emptyTier],
    tierScope: 'overall',
    ratePercent: '',
    fixedPerEvent: '',
    freeEvents: '',
    freeAmount: '',
    minPerEvent: '',
    maxPerEvent: '',
    rates: [emptyRate()],
    unmatched: '',
    samples: [],
  };
}

/** A copy of a charge as a separate charge, with an unused key. */
export const copyOf = (charge: ChargeFields, taken: readonly string[]): ChargeFields => ({
  ...structuredClone(charge),
  uid: nextUid(),
  keyState: 'own',
  key: freeKey(charge.key, taken),
});

const maxKeyLength = 60;

/** The first unused key like `wanted`: `seats`, `seats_2` … */
export function freeKey(wanted: string, taken: readonly string[]): string {
  const base = wanted === '' ? 'charge' : wanted;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `_${number}`;
    const key = base.slice(0, maxKeyLength - ending.length) + ending;
    if (!taken.includes(key)) return key;
  }
}

/** The key for a charge's English name: `Set-up fee` becomes `set_up_fee`. '' for a name without letters. */
export const keyOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, maxKeyLength);

const optional = (name: string, value: string): Record<string, string> =>
  value.trim() === '' ? {} : { [name]: value.trim() };
/** The API's defaults are left out, so that a price does not differ from itself. */
const unlessDefault = (name: string, value: string, usual: string): Record<string, string> =>
  value === usual ? {} : { [name]: value };

function priceOf(fields: ChargeFields): Record<string, unknown> {
  const isUsage = fields.kind === 'usage';
  const last = fields.tiers.length - 1;
  const tiersWith = (price: 'unitPrice' | 'ratePercent') =>
    fields.tiers.map((tier, index) => ({
      upTo: index === last ? null : tier.upTo.trim(),
      [price]: tier[price]?.trim() ?? '',
      ...optional('flatFee', tier.flatFee),
    }));
  const scope = isUsage ? unlessDefault('tierScope', fields.tierScope, 'overall') : {};
  const included = optional('included', fields.included);
  switch (fields.model) {
    case 'flat':
      return { amount: fields.amount.trim() };
    case 'per_unit':
      return { ...included, unitPrice: fields.unitPrice.trim() };
    case 'graduated':
    case 'volume':
      return { ...included, tiers: tiersWith('unitPrice'), ...scope };
    case 'package':
      return {
        packageSize: fields.packageSize.trim(),
        packagePrice: fields.packagePrice.trim(),
        ...optional('freeUnits', fields.freeUnits),
        ...unlessDefault('rounding', fields.rounding, 'up'),
      };
    case 'percentage':
      return {
        ratePercent: fields.ratePercent.trim(),
        ...optional('fixedPerEvent', fields.fixedPerEvent),
        ...optional('freeEvents', fields.freeEvents),
        ...optional('freeAmount', fields.freeAmount),
        ...optional('minPerEvent', fields.minPerEvent),
        ...optional('maxPerEvent', fields.maxPerEvent),
      };
    case 'graduated_percentage':
      return { tiers: tiersWith('ratePercent') };
    case 'dynamic':
      return {};
    case 'matrix':
      return {
        rates: ratesOf(fields.rates),
        // With a row that prices all others, nothing can be rejected.
        ...unlessDefault('unmatched', fields.rates.some(isForAll) ? '' : fields.unmatched, ''),
        ...scope,
      };
  }
}

/** A charge in the contract's form, as far as it is typed; the contract decides whether it is valid. */
function wireOf(fields: ChargeFields): Record<string, unknown> {
  const { kind } = fields;
  const timing = fields.timing === '' || fields.timing === 'advance' ? 'advance' : 'arrears';
  return {
    key: fields.key.trim(),
    name: { zhTW: fields.name.zhTW.trim(), enUS: fields.name.enUS.trim() },
    kind,
    ...(kind === 'usage' ? { meter: fields.meter.trim() } : unlessDefault('timing', timing, 'advance')),
    ...unlessDefault('cycle', fields.cycle, 'month'),
    ...unlessDefault('prorate', fields.prorate, 'day'),
    ...unlessDefault('anchor', fields.anchor, 'calendar'),
    ...optional('taxCategory', fields.taxCategory),
    model: fields.model,
    ...priceOf(fields),
    ...optional('minimum', fields.minimum),
    ...optional('maximum', fields.maximum),
  };
}

/** The charge for the form's fields; undefined while a field is missing or invalid. */
export function chargeOf(fields: ChargeFields): Charge | undefined {
  const read = z.safeParse(Charge, wireOf(fields));
  return read.success && chargePriceMistake(read.data) === undefined ? read.data : undefined;
}

/** The charge for the calculator, which only needs its price: names, key and meter may still be missing. */
export const pricedCharge = (fields: ChargeFields, key: string): Charge | undefined =>
  chargeOf({ ...fields, key, name: { zhTW: key, enUS: key }, meter: key, taxCategory: '' });

/** An invalid field of the charges, starting with `charges`; `code` is the text of the rule it violates. */
export type ChargeIssue = { readonly path: readonly (string | number)[]; readonly code?: string };

const steps = (field: string): readonly (string | number)[] =>
  field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/**
 * The form's field for a field of the contract: a rate's price is one cell, and so are its conditions in
 * errors.
 */
export function ownPath(path: readonly PropertyKey[]): readonly (string | number)[] {
  const known = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const rate = known.indexOf('rates');
  if (rate < 0 || known.length < rate + 2) return known;
  const [row, what] = [known.slice(0, rate + 2), known[rate + 2]];
  return [...row, what === 'when' ? 'when' : 'unitPrice'];
}

function issuesOf(fields: ChargeFields): readonly ChargeIssue[] {
  const read = z.safeParse(Charge, wireOf(fields));
  if (!read.success) return read.error.issues.map(({ path }) => ({ path: ownPath(path) }));
  const mistake = rateCardMistake({ currency: 'TWD', charges: [read.data] });
  return mistake ? [{ path: ownPath(steps(mistake.field).slice(2)), code: mistake.code }] : [];
}

/** All errors in the charges of a form. */
export function chargeIssues(charges: readonly ChargeFields[]): readonly ChargeIssue[] {
  if (charges.length === 0) return [{ path: ['charges'], code: 'catalogue.charges_none' }];
  const keys = charges.map(({ key }) => key.trim());
  return charges.flatMap((fields, index): readonly ChargeIssue[] => [
    ...issuesOf(fields).map(({ path, ...rest }) => ({ path: ['charges', index, ...path], ...rest })),
    ...(keys.indexOf(keys[index] ?? '') < index
      ? [{ path: ['charges', index, 'key'], code: 'rating.key_twice' }]
      : []),
  ]);
}

function priceFields(charge: Charge): Partial<ChargeFields> {
  switch (charge.model) {
    case 'flat':
      return { amount: charge.amount };
    case 'per_unit':
      return { unitPrice: charge.unitPrice, included: charge.included ?? '' };
    case 'graduated':
    case 'volume':
      return {
        included: charge.included ?? '',
        tiers: charge.tiers.map(({ upTo, unitPrice, flatFee }) => ({
          ...emptyTier,
          upTo: upTo ?? '',
          unitPrice,
          flatFee: flatFee ?? '',
        })),
        tierScope: charge.tierScope ?? 'overall',
      };
    case 'package':
      return {
        packageSize: charge.packageSize,
        packagePrice: charge.packagePrice,
        freeUnits: charge.freeUnits ?? '',
        rounding: charge.rounding ?? 'up',
      };
    case 'percentage':
      return {
        ratePercent: charge.ratePercent,
        fixedPerEvent: charge.fixedPerEvent ?? '',
        freeEvents: String(charge.freeEvents ?? ''),
        freeAmount: charge.freeAmount ?? '',
        minPerEvent: charge.minPerEvent ?? '',
        maxPerEvent: charge.maxPerEvent ?? '',
      };
    case 'graduated_percentage':
      return {
        tiers: charge.tiers.map(({ upTo, ratePercent, flatFee }) => ({
          ...emptyTier,
          upTo: upTo ?? '',
          ratePercent,
          flatFee: flatFee ?? '',
        })),
      };
    case 'dynamic':
      return {};
    case 'matrix':
      return {
        rates: rateFields(charge.rates),
        // A price that was stored before this choice was required rejects events without a rate.
        unmatched: charge.rates.some(({ when }) => Object.keys(when).length === 0) ? '' : 'reject',
        tierScope: charge.tierScope ?? 'overall',
      };
  }
}

/** A stored charge as form values. */
export function fieldsOfCharge(charge: Charge): ChargeFields {
  return {
    ...emptyCharge(charge.kind),
    key: charge.key,
    keyState: 'stored',
    name: charge.name,
    meter: charge.meter ?? '',
    model: charge.model,
    timing: charge.timing ?? '',
    cycle: charge.cycle ?? 'month',
    prorate: charge.prorate ?? 'day',
    anchor: charge.anchor ?? 'calendar',
    taxCategory: charge.taxCategory ?? '',
    minimum: charge.minimum ?? '',
    maximum: charge.maximum ?? '',
    ...priceFields(charge),
  };
}

/** Whether a text is an amount or quantity that the API accepts. */
export const isAmount = (text: string): boolean => z.safeParse(unsignedDecimal, text.trim()).success;
