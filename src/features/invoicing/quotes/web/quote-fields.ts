// The form of a quote: its fields, their validation, and the resulting content.
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes, moneyText, type Currency, type Money } from '#kernel/money.ts';
import { isDay, text, type LocalDay } from '#kernel/shape.ts';
import { chosenOrganization } from '#features/access/identity/web/parts.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import {
  isRate,
  maxCommittedPercent,
  maxOveragePercent,
  percentDigits as rateDigits,
  periodCount,
} from '#features/invoicing/commitments/rules.ts';
import {
  chargesOf,
  chosenCharges,
  chosenServices,
  typedAmount,
} from '#features/invoicing/credit-grants/web/parts.ts';
import { isPercent, percentDigits } from '#features/invoicing/discounts/rules.ts';
import { priceDigits, quantityDigits } from '#features/invoicing/one-offs/contract.ts';
import { quantityOf, unitPriceOf } from '#features/invoicing/one-offs/rules.ts';
import { problem } from '#platform/web/form/problems.ts';
import { planQuantity } from '#features/selling/subscriptions/contract.ts';
import type { QuoteDetail, QuoteVersion } from '../contract.ts';
import { maxQuoteMonths, type QuoteContent, type QuoteItem } from '../contract-content.ts';

const names = z.strictObject({ zhTW: text(80), enUS: text(80) });
const chosenService = z.nullable(
  z.strictObject({ id: z.custom<Id<'svc'>>((value) => typeof value === 'string'), name: z.string() }),
);
/** A service of the quote; empty: no specific one. */
const ofItem = z.union([z.literal(''), z.custom<Id<'svc'>>((value) => typeof value === 'string')]);
export const durations = ['months', 'once'] as const;
export const recurrences = ['once', 'monthly', 'rollover'] as const;

const itemFields = z.strictObject({
  serviceId: chosenService,
  quantity: z.string(),
  /** The quantity for each charge, by key; empty: the quantity of the service. */
  quantities: z.record(z.string(), z.string()),
  /** The expected monthly usage, by charge. */
  usage: z.record(z.string(), z.string()),
});
export const contentFields = z.strictObject({
  months: z.string(),
  items: z.array(itemFields),
  oneOffs: z.array(
    z.strictObject({ name: names, quantity: z.string(), unitPrice: z.string(), serviceId: ofItem }),
  ),
  discounts: z.array(
    z.strictObject({
      name: names,
      kind: z.enum(['percent', 'fixed']),
      percent: z.string(),
      fixed: z.string(),
      maximum: z.string(),
      serviceId: ofItem,
      duration: z.enum(durations),
      months: z.string(),
    }),
  ),
  grants: z.array(
    z.strictObject({
      name: names,
      amount: z.string(),
      recurring: z.enum(recurrences),
      months: z.string(),
      usageOnly: z.boolean(),
    }),
  ),
  /** Empty: none. */
  minimumSpend: z.strictObject({ amount: z.string(), months: z.string() }),
  message: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
  commitments: z.array(
    z.strictObject({
      name: names,
      period: z.enum(commitmentPeriods),
      months: z.string(),
      /** One per line. */
      amounts: z.string(),
      committedPercent: z.string(),
      overagePercent: z.string(),
      /** Services of the quote; empty: all. */
      services: chosenServices,
      /** Empty: all charges of the services. */
      charges: chosenCharges,
      usageOnly: z.boolean(),
    }),
  ),
});
export const quoteFields = z
  .strictObject({
    organization: chosenOrganization,
    currency: z.enum(currencyCodes),
    validUntil: z.string(),
    content: contentFields,
  })
  .check(
    z.check((context) => {
      for (const { path, message } of mistakesOf(context.value))
        context.issues.push({ code: 'custom', input: context.value, path: [...path], message });
    }),
  );
export type QuoteFields = z.output<typeof quoteFields>;
export type ContentFields = QuoteFields['content'];

const noName = { zhTW: '', enUS: '' };
export const emptyItem: ContentFields['items'][number] = {
  serviceId: null,
  quantity: '1',
  quantities: {},
  usage: {},
};
export const emptyOneOff: ContentFields['oneOffs'][number] = {
  name: noName,
  quantity: '1',
  unitPrice: '',
  serviceId: '',
};
export const emptyDiscount: ContentFields['discounts'][number] = {
  name: noName,
  kind: 'percent',
  percent: '',
  fixed: '',
  maximum: '',
  serviceId: '',
  duration: 'months',
  months: '12',
};
export const emptyGrant: ContentFields['grants'][number] = {
  name: noName,
  amount: '',
  recurring: 'once',
  months: '12',
  usageOnly: false,
};
export const emptyCommitment: ContentFields['commitments'][number] = {
  name: noName,
  period: 'year',
  months: '12',
  amounts: '',
  committedPercent: '100',
  overagePercent: '100',
  services: [],
  charges: [],
  usageOnly: false,
};
export const emptyQuote = (currency: Currency, validUntil: LocalDay): QuoteFields => ({
  organization: null,
  currency,
  validUntil,
  content: {
    months: '12',
    items: [emptyItem],
    oneOffs: [],
    discounts: [],
    grants: [],
    minimumSpend: { amount: '', months: '' },
    message: noName,
    commitments: [],
  },
});

type Wrong = { readonly path: readonly (string | number)[]; readonly message: string };
const needed = (path: Wrong['path']): Wrong => ({ path, message: problem('form.required') });
const isEmpty = (typed: string): boolean => typed.trim() === '';
/** Thousands may be separated by commas. */
const plain = (typed: string): string => typed.replaceAll(',', '').trim();

function mistakesOf({ organization, currency, validUntil, content }: QuoteFields): Wrong[] {
  const at = (...path: (string | number)[]): Wrong['path'] => ['content', ...path];
  const amount = (path: Wrong['path'], typed: string, isNeeded: boolean): Wrong[] => {
    if (isEmpty(typed)) return isNeeded ? [needed(path)] : [];
    return typedAmount(typed, currency) ? [] : [{ path, message: 'quotes.amount_wrong' }];
  };
  const months = (path: Wrong['path'], typed: string, isNeeded: boolean): Wrong[] => {
    if (isEmpty(typed)) return isNeeded ? [needed(path)] : [];
    return monthsOf(typed) === undefined
      ? [{ path, message: `quotes.months_wrong?most=${maxQuoteMonths}` }]
      : [];
  };
  return [
    ...(organization ? [] : [needed(['organization'])]),
    ...(isDay(validUntil) ? [] : [needed(['validUntil'])]),
    ...months(at('months'), content.months, true),
    ...content.items.flatMap((item, index) => [
      ...(item.serviceId ? [] : [needed(at('items', index, 'serviceId'))]),
      ...(planQuantity.safeParse(plain(item.quantity)).success
        ? []
        : [{ path: at('items', index, 'quantity'), message: 'quotes.plan_quantity_wrong' }]),
    ]),
    ...content.oneOffs.flatMap(({ quantity, unitPrice }, index) => [
      ...(quantityOf(plain(quantity))
        ? []
        : [
            {
              path: at('oneOffs', index, 'quantity'),
              message: `quotes.quantity_wrong?digits=${quantityDigits}`,
            },
          ]),
      ...(unitPriceOf(plain(unitPrice))
        ? []
        : [
            {
              path: at('oneOffs', index, 'unitPrice'),
              message: `quotes.price_wrong?digits=${priceDigits}`,
            },
          ]),
    ]),
    ...content.discounts.flatMap((discount, index) => [
      ...(discount.kind === 'fixed'
        ? amount(at('discounts', index, 'fixed'), discount.fixed, true)
        : [
            ...(/^\d{1,3}(\.\d{1,4})?$/.test(discount.percent.trim()) && isPercent(discount.percent.trim())
              ? []
              : [
                  {
                    path: at('discounts', index, 'percent'),
                    message: `quotes.percent_wrong?digits=${percentDigits}`,
                  },
                ]),
            ...amount(at('discounts', index, 'maximum'), discount.maximum, false),
          ]),
      ...(discount.duration === 'months'
        ? months(at('discounts', index, 'months'), discount.months, true)
        : []),
    ]),
    ...content.grants.flatMap((grant, index) => [
      ...amount(at('grants', index, 'amount'), grant.amount, true),
      ...months(at('grants', index, 'months'), grant.months, false),
    ]),
    ...amount(at('minimumSpend', 'amount'), content.minimumSpend.amount, false),
    ...months(at('minimumSpend', 'months'), content.minimumSpend.months, false),
    ...content.commitments.flatMap((commitment, index) =>
      commitmentMistakes(commitment, currency, content.items, (...path) => at('commitments', index, ...path)),
    ),
  ];
}

const linesOf = (typed: string): string[] => typed.split('\n').filter((line) => !isEmpty(line));

function commitmentMistakes(
  {
    period,
    months,
    amounts,
    committedPercent,
    overagePercent,
    services,
  }: ContentFields['commitments'][number],
  currency: Currency,
  items: ContentFields['items'],
  at: (...path: string[]) => Wrong['path'],
): Wrong[] {
  const lines = linesOf(amounts);
  const term = monthsOf(months);
  const count = term === undefined ? undefined : periodCount({ period, months: term });
  const rate = (field: 'committedPercent' | 'overagePercent', typed: string, max: string): Wrong[] =>
    /^\d{1,4}(\.\d{1,4})?$/.test(typed.trim()) && isRate(typed.trim(), max)
      ? []
      : [{ path: at(field), message: `commitments.percent_out_of_range?max=${max}&digits=${rateDigits}` }];
  return [
    ...(term === undefined
      ? [{ path: at('months'), message: `quotes.months_wrong?most=${maxQuoteMonths}` }]
      : count === undefined
        ? [
            {
              path: at('months'),
              message: `commitments.months_not_whole_periods?count=${monthsOfPeriod(period)}`,
            },
          ]
        : []),
    ...(lines.length === 0
      ? [needed(at('amounts'))]
      : lines.some((line) => !typedAmount(line, currency))
        ? [{ path: at('amounts'), message: 'quotes.amount_wrong' }]
        : count !== undefined && lines.length !== 1 && lines.length !== count
          ? [{ path: at('amounts'), message: `commitments.amounts_wrong_number?count=${count}` }]
          : []),
    ...rate('committedPercent', committedPercent, maxCommittedPercent),
    ...rate('overagePercent', overagePercent, maxOveragePercent),
    // A chosen service may have been removed from the quote since then.
    ...(services.every(({ id }) => items.some(({ serviceId }) => serviceId?.id === id))
      ? []
      : [{ path: at('services'), message: 'quotes.not_offered' }]),
  ];
}

const monthsOfPeriod = (period: ContentFields['commitments'][number]['period']): number =>
  period === 'year' ? 12 : period === 'quarter' ? 3 : 1;

/** A valid number of months for a term; undefined for other text. */
function monthsOf(typed: string): number | undefined {
  if (!/^\d{1,3}$/.test(typed.trim())) return undefined;
  const months = Number.parseInt(typed, 10);
  return months >= 1 && months <= maxQuoteMonths ? months : undefined;
}

const filled = (typed: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([key, value]) => (isEmpty(value) ? [] : [[key, plain(value)]])),
  );

/** The content of a valid form. */
export function contentOf({ currency, content }: QuoteFields): QuoteContent {
  const amount = (typed: string): Money =>
    required(typedAmount(typed, currency), 'the form checked the amount');
  const ofService = (serviceId: '' | Id<'svc'>) => (serviceId === '' ? {} : { serviceId });
  const until = (typed: string): number | null => monthsOf(typed) ?? null;
  const { zhTW, enUS } = content.message;
  return {
    months: required(monthsOf(content.months), 'the form checked the months'),
    items: content.items.map(({ serviceId, quantity, quantities, usage }): QuoteItem => {
      const [chosen, expected] = [filled(quantities), filled(usage)];
      return {
        serviceId: required(serviceId, 'the form checked the service').id,
        quantity: plain(quantity),
        ...(Object.keys(chosen).length > 0 && { quantities: chosen }),
        ...(Object.keys(expected).length > 0 && { usage: expected }),
      };
    }),
    oneOffs: content.oneOffs.map(({ name, quantity, unitPrice, serviceId }) => ({
      name,
      quantity: plain(quantity),
      unitPrice: plain(unitPrice),
      ...ofService(serviceId),
    })),
    discounts: content.discounts.map(
      ({ name, kind, percent, fixed, maximum, serviceId, duration, months }) => ({
        name,
        ...(kind === 'fixed'
          ? { fixed: amount(fixed) }
          : { percent: percent.trim(), ...(!isEmpty(maximum) && { maximum: amount(maximum) }) }),
        ...ofService(serviceId),
        months: duration === 'once' ? null : until(months),
      }),
    ),
    grants: content.grants.map(({ name, amount: given, recurring, months, usageOnly }) => ({
      name,
      amount: amount(given),
      months: until(months),
      ...(usageOnly && { usageOnly }),
      ...(recurring !== 'once' && { monthly: { rollover: recurring === 'rollover' } }),
    })),
    minimumSpend: isEmpty(content.minimumSpend.amount)
      ? null
      : { amount: amount(content.minimumSpend.amount), months: until(content.minimumSpend.months) },
    ...(content.commitments.length > 0 && {
      commitments: content.commitments.map((commitment) => ({
        name: commitment.name,
        period: commitment.period,
        months: required(monthsOf(commitment.months), 'the form checked the months'),
        amounts: linesOf(commitment.amounts).map(amount),
        committedPercent: commitment.committedPercent.trim(),
        overagePercent: commitment.overagePercent.trim(),
        scope: {
          services: commitment.services.length === 0 ? null : commitment.services.map(({ id }) => id),
          charges: chargesOf(commitment.services, commitment.charges),
          usageOnly: commitment.usageOnly,
        },
      })),
    }),
    ...((zhTW.trim() !== '' || enUS.trim() !== '') && { message: { zhTW: zhTW.trim(), enUS: enUS.trim() } }),
  };
}

/** The form for an existing version. */
export function fieldsOf(quote: QuoteDetail, { validUntil, content, items }: QuoteVersion): QuoteFields {
  const months = (count: number | null): string => (count === null ? '' : String(count));
  const amount = (of: Money | null | undefined): string => (of ? moneyText(of) : '');
  // Items are shown in the order of the content.
  const nameOf = (id: string): string =>
    items[content.items.findIndex(({ serviceId }) => serviceId === id)]?.name ?? id;
  /** The services that are named, and those whose charges are. */
  const namedServices = (scope: NonNullable<QuoteContent['commitments']>[number]['scope']) =>
    [...new Set(scope?.services ?? (scope?.charges ?? []).map(({ serviceId }) => serviceId))].map((id) => ({
      id,
      name: nameOf(id),
    }));
  return {
    organization: { id: quote.organizationId, name: quote.organization },
    currency: quote.currency,
    validUntil,
    content: {
      months: String(content.months),
      items: content.items.map(({ serviceId, quantity = '1', quantities = {}, usage = {} }) => ({
        serviceId: { id: serviceId, name: nameOf(serviceId) },
        quantity,
        quantities,
        usage: Object.fromEntries(
          Object.entries(usage).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
        ),
      })),
      oneOffs: content.oneOffs.map(({ name, quantity = '1', unitPrice, serviceId }) => ({
        name,
        quantity,
        unitPrice,
        serviceId: serviceId ?? '',
      })),
      discounts: content.discounts.map((discount) => ({
        name: discount.name,
        kind: discount.fixed ? 'fixed' : 'percent',
        percent: discount.percent ?? '',
        fixed: amount(discount.fixed),
        maximum: amount(discount.maximum),
        serviceId: discount.serviceId ?? '',
        duration: discount.months === null ? 'once' : 'months',
        months: months(discount.months ?? 12),
      })),
      grants: content.grants.map(({ name, amount: given, months: count, usageOnly = false, monthly }) => ({
        name,
        amount: amount(given),
        recurring: !monthly ? 'once' : monthly.rollover ? 'rollover' : 'monthly',
        months: months(count),
        usageOnly,
      })),
      minimumSpend: {
        amount: amount(content.minimumSpend?.amount),
        months: months(content.minimumSpend?.months ?? null),
      },
      message: { zhTW: content.message?.zhTW ?? '', enUS: content.message?.enUS ?? '' },
      commitments: (content.commitments ?? []).map((commitment) => ({
        name: commitment.name,
        period: commitment.period,
        months: String(commitment.months),
        amounts: commitment.amounts.map(moneyText).join('\n'),
        committedPercent: commitment.committedPercent ?? '100',
        overagePercent: commitment.overagePercent ?? '100',
        services: namedServices(commitment.scope),
        charges: [...(commitment.scope?.charges ?? [])],
        usageOnly: commitment.scope?.usageOnly ?? false,
      })),
    },
  };
}
