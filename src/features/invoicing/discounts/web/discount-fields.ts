// The fields of a discount's forms, their validation, and the resulting requests.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay, currency, text } from '#kernel/shape.ts';
import {
  audiences,
  maxMonths,
  type Discount,
  type discounts,
  type Duration,
  type Terms,
} from '../contract.ts';
import { isCode, isPercent, normalizedCode, percentDigits } from '../rules.ts';

/** A service in scope, with its charges; `keys` are the chosen ones, null for all. */
export type ChosenScope = {
  readonly id: Id<'svc'>;
  readonly name: string;
  readonly charges: readonly { readonly key: string; readonly name: Terms['name'] }[];
  readonly keys: readonly string[] | null;
};
export type NamedOrganization = { readonly id: Id<'org'>; readonly name: string };

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;
const listOf = <T>() =>
  z.custom<readonly T[]>((value) => Array.isArray(value) && value.every((one) => isRecord(one)));

export const durationKinds = ['once', 'months', 'until', 'forever'] as const;
export const reductionKinds = ['percent', 'fixed'] as const;
const typed = z.string().check(z.trim());
const maxCount = 1_000_000;

/** Whom a discount is for, how often and until when: the fields that can be changed. */
const limitFields = {
  nameZh: text(80),
  nameEn: text(80),
  redeemableUntil: typed,
  maxRedemptions: typed,
  maxPerOrganization: typed,
  audience: z.enum(audiences),
  organizations: listOf<NamedOrganization>(),
};
type LimitFields = {
  nameZh: string;
  nameEn: string;
  redeemableUntil: string;
  maxRedemptions: string;
  maxPerOrganization: string;
  audience: (typeof audiences)[number];
  organizations: readonly NamedOrganization[];
};
const termFields = {
  kind: z.enum(reductionKinds),
  percent: typed,
  amount: typed,
  currency,
  maximum: typed,
  duration: z.enum(durationKinds),
  months: typed,
  until: typed,
  scope: listOf<ChosenScope>(),
  code: typed,
};
export type TermFields = {
  kind: (typeof reductionKinds)[number];
  percent: string;
  amount: string;
  currency: Currency;
  maximum: string;
  duration: (typeof durationKinds)[number];
  months: string;
  until: string;
  scope: readonly ChosenScope[];
  code: string;
};

type Fault<F> = { readonly path: keyof F & string; readonly message: string };
/** Adds the errors of several fields to a schema's own; a message is a text key with its parameters. */
const withFaults =
  <F>(faultsOf: (fields: F) => readonly Fault<F>[]) =>
  (context: { readonly value: F; readonly issues: unknown[] }): void => {
    for (const { path, message } of faultsOf(context.value))
      context.issues.push({ code: 'custom', input: context.value[path as keyof F], path: [path], message });
  };

/** Parses a whole number from 1 to `most`; undefined for anything else. */
export function wholeNumber(typedNumber: string, most: number): number | undefined {
  const number = /^\d{1,7}$/.test(typedNumber) ? Number.parseInt(typedNumber, 10) : 0;
  return number >= 1 && number <= most ? number : undefined;
}
// used as: 'discounts.whole_number'
const notWhole = (most: number): string => `discounts.whole_number?most=${most}`;

function limitFaults(fields: LimitFields): Fault<LimitFields>[] {
  const { redeemableUntil, maxRedemptions, maxPerOrganization, audience, organizations } = fields;
  return [
    ...(redeemableUntil !== '' && !isDay(redeemableUntil)
      ? [{ path: 'redeemableUntil', message: 'form.invalid' } as const]
      : []),
    ...(maxRedemptions !== '' && wholeNumber(maxRedemptions, maxCount) === undefined
      ? [{ path: 'maxRedemptions', message: notWhole(maxCount) } as const]
      : []),
    ...(wholeNumber(maxPerOrganization, maxCount) === undefined
      ? [{ path: 'maxPerOrganization', message: notWhole(maxCount) } as const]
      : []),
    ...(audience === 'named' && organizations.length === 0
      ? [{ path: 'organizations', message: 'discounts.organizations_needed' } as const]
      : []),
  ];
}

/** An amount above zero, with or without commas; undefined for anything else. */
export function amountOf(typedAmount: string, inCurrency: Currency): Money | undefined {
  const amount = parseMoney(typedAmount.replaceAll(',', ''), inCurrency);
  return amount && amount.minor > 0n ? amount : undefined;
}
const percentOf = (typedPercent: string): string | undefined => {
  const plain = typedPercent.replace(/[%％]$/, '').trim();
  return /^\d{1,3}(\.\d{1,12})?$/.test(plain) && isPercent(plain) ? plain : undefined;
};

function termFaults(fields: TermFields): Fault<TermFields>[] {
  const { kind, percent, amount, maximum, duration, months, until, code } = fields;
  const isWrongAmount = (text_: string): boolean => amountOf(text_, fields.currency) === undefined;
  return [
    ...(kind === 'percent' && percentOf(percent) === undefined
      ? [{ path: 'percent', message: `discounts.percent_out_of_range?digits=${percentDigits}` } as const]
      : []),
    ...(kind === 'fixed' && isWrongAmount(amount)
      ? [{ path: 'amount', message: 'discounts.amount_not_positive' } as const]
      : []),
    ...(kind === 'percent' && maximum !== '' && isWrongAmount(maximum)
      ? [{ path: 'maximum', message: 'discounts.amount_not_positive' } as const]
      : []),
    ...(duration === 'months' && wholeNumber(months, maxMonths) === undefined
      ? [{ path: 'months', message: notWhole(maxMonths) } as const]
      : []),
    ...(duration === 'until' && !isDay(until) ? [{ path: 'until', message: 'form.required' } as const] : []),
    ...(code !== '' && !isCode(normalizedCode(code))
      ? [{ path: 'code', message: 'discounts.code_wrong' } as const]
      : []),
  ];
}

export const newDiscountFields = z
  .strictObject({ ...termFields, ...limitFields })
  .check(withFaults<TermFields & LimitFields>((fields) => [...termFaults(fields), ...limitFaults(fields)]));
export type NewDiscountFields = z.output<typeof newDiscountFields>;
export const limitsFields = z.strictObject(limitFields).check(withFaults<LimitFields>(limitFaults));
export type LimitsFields = z.output<typeof limitsFields>;

/** The initial values of the form: ten percent off, for everyone, until further notice. */
export const emptyFields = (inCurrency: Currency): NewDiscountFields => ({
  nameZh: '',
  nameEn: '',
  kind: 'percent',
  percent: '10',
  amount: '',
  currency: inCurrency,
  maximum: '',
  duration: 'months',
  months: '3',
  until: '',
  scope: [],
  code: '',
  redeemableUntil: '',
  maxRedemptions: '',
  maxPerOrganization: '1',
  audience: 'anyone',
  organizations: [],
});
export const limitsOf = (discount: Discount): LimitsFields => ({
  nameZh: discount.name.zhTW,
  nameEn: discount.name.enUS,
  redeemableUntil: discount.redeemableUntil ?? '',
  maxRedemptions: discount.maxRedemptions === null ? '' : String(discount.maxRedemptions),
  maxPerOrganization: String(discount.maxPerOrganization),
  audience: discount.audience,
  organizations: discount.organizations,
});

function durationOf({ duration, months, until }: TermFields): Duration | undefined {
  if (duration === 'months') {
    const count = wholeNumber(months, maxMonths);
    return count === undefined ? undefined : { kind: 'months', months: count };
  }
  if (duration === 'until') return isDay(until) ? { kind: 'until', until } : undefined;
  return { kind: duration };
}

/** The typed terms, as far as they can be described; undefined while one of them is missing or invalid. */
export function typedTerms(
  fields: TermFields,
): Pick<Terms, 'reduction' | 'maximum' | 'duration' | 'scope'> | undefined {
  const percent = percentOf(fields.percent);
  const amount = amountOf(fields.amount, fields.currency);
  const maximum = fields.maximum === '' ? null : amountOf(fields.maximum, fields.currency);
  const duration = durationOf(fields);
  const reduction =
    fields.kind === 'percent'
      ? percent !== undefined && ({ kind: 'percent', percent } as const)
      : amount && ({ kind: 'fixed', amount } as const);
  if (!reduction || !duration || (fields.kind === 'percent' && maximum === undefined)) return undefined;
  return {
    reduction,
    maximum: fields.kind === 'percent' ? (maximum ?? null) : null,
    duration,
    scope:
      fields.scope.length === 0
        ? null
        : fields.scope.map(({ id, name, charges, keys }) => ({
            serviceId: id,
            serviceName: name,
            chargeKeys: keys && [...keys],
            charges: keys && charges.filter(({ key }) => keys.includes(key)),
          })),
  };
}

/** The limits of a valid form. */
export const limitsInput = (fields: LimitsFields) => ({
  name: { zhTW: fields.nameZh, enUS: fields.nameEn },
  redeemableUntil: fields.redeemableUntil === '' ? null : (fields.redeemableUntil as LocalDay),
  maxRedemptions: wholeNumber(fields.maxRedemptions, maxCount) ?? null,
  maxPerOrganization: wholeNumber(fields.maxPerOrganization, maxCount) ?? 1,
  audience: fields.audience,
  organizationIds: fields.audience === 'named' ? fields.organizations.map(({ id }) => id) : [],
});

/** The request for a valid form; undefined if its terms are incomplete, which validation rules out. */
export function newDiscountInput(fields: NewDiscountFields): In<typeof discounts.createDiscount> | undefined {
  const terms = typedTerms(fields);
  if (!terms) return undefined;
  return {
    ...limitsInput(fields),
    reduction: terms.reduction,
    maximum: terms.maximum,
    duration: terms.duration,
    scope: terms.scope?.map(({ serviceId, chargeKeys }) => ({ serviceId, chargeKeys })) ?? null,
    code: fields.code === '' ? null : normalizedCode(fields.code),
  };
}
