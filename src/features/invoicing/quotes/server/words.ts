// Describes a version in a language, shared by the seller's panel, the customer's page and the document.
import { scopeOf, wholeScope } from '#features/invoicing/credit-grants/rules.ts';
import { decimal, decimalText, isZero, zero } from '#kernel/decimal.ts';
import { formatDecimal, formatMoney, formatQuantity, formatUnitPrice } from '#kernel/format-money.ts';
import { type Language, inLanguage } from '#kernel/language.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { pricedOneOff } from '#features/invoicing/one-offs/rules.ts';
import {
  lineName,
  newestLayout,
  quantityWords,
  stepSentences,
  unitPriceWords,
  type PricedLine,
} from '#features/invoicing/billing/server/index.ts';
import { chargeDetails, chargeWords, namesUnit } from '#features/selling/rating/rules.ts';
import type {
  OfferedService,
  QuoteCommitment,
  QuoteContent,
  QuoteDiscount,
  QuoteGrant,
  QuoteItem,
  ShownEstimate,
  ShownItem,
  ShownLine,
  ShownTerm,
  StoredEstimate,
} from '../contract-content.ts';

type Say = (key: string, params?: TextParams) => string;
const sayIn =
  (ctx: Ctx, language: Language): Say =>
  (key, params) =>
    ctx.text(key, params, language);

/** The estimate with its lines as text. */
export function shownEstimate(ctx: Ctx, estimate: StoredEstimate, language: Language): ShownEstimate {
  const month = ({ lines, ...of }: StoredEstimate['first']) => ({
    ...of,
    lines: lines.map((line) => shownLine(ctx, of.month, line, language)),
  });
  return { ...estimate, first: month(estimate.first), full: month(estimate.full) };
}

function shownLine(
  ctx: Ctx,
  month: StoredEstimate['first']['month'],
  line: PricedLine,
  language: Language,
): ShownLine {
  const say = sayIn(ctx, language);
  const name = lineName(line, say, language);
  // used as: 'billing.pdf_kind_*'
  const kind = say(`billing.pdf_kind_${line.kind}`);
  return {
    name,
    kind: kind === name ? '' : kind,
    quantity: quantityWords(month, line, say),
    unitPrice: unitPriceWords(line, say, language, newestLayout),
    amount: line.total,
    steps: stepSentences(line, say, language, newestLayout),
  };
}

/** The services with their prices. */
export function shownItems(
  ctx: Ctx,
  { items }: QuoteContent,
  offered: readonly OfferedService[],
  currency: Currency,
  language: Language,
): ShownItem[] {
  return offered.flatMap((service) => {
    const item = items.find(({ serviceId }) => serviceId === service.serviceId);
    return item ? [shownItem(ctx, item, service, currency, language)] : [];
  });
}

function shownItem(
  ctx: Ctx,
  item: QuoteItem,
  service: OfferedService,
  currency: Currency,
  language: Language,
): ShownItem {
  const say = sayIn(ctx, language);
  const writer = {
    unitPrice: (amount: string) => formatUnitPrice(amount, currency, language),
    number: formatDecimal,
    quantity: formatQuantity,
    list: (names: readonly string[]) => names.join(say('discounts.terms_separator')),
  };
  const quantity = item.quantity ?? '1';
  const limits = (['minimum', 'maximum'] as const).flatMap((limit) => {
    const amount = service[limit];
    // used as: 'quotes.month_minimum', 'quotes.month_maximum'
    return amount === undefined
      ? []
      : [
          {
            name: say(`quotes.month_${limit}`),
            quantity: '',
            price: writer.unitPrice(amount),
            details: [],
            usage: '',
          },
        ];
  });
  return {
    name: service.name,
    quantity: formatDecimal(quantity),
    trialDays: service.trialDays,
    charges: [
      ...service.charges.map((charge) => {
        const unit = service.units[charge.key] ?? '';
        const words = chargeWords(charge, unit, currency, language, say, writer);
        const isCounted = charge.kind !== 'usage' && charge.model !== 'flat';
        // A single price has the name of its service; used as: 'quotes.charge_*'
        const name = words.name === service.name ? say(`quotes.charge_${charge.kind}`) : words.name;
        return {
          name: unit === '' || namesUnit(charge) ? name : say('quotes.charge_in_unit', { name, unit }),
          quantity: isCounted ? formatDecimal(item.quantities?.[charge.key] ?? quantity) : '',
          price: words.price,
          details: chargeDetails(charge, unit, currency, say, writer),
          usage: usageWords(item.usage?.[charge.key], unit),
        };
      }),
      ...limits,
    ],
  };
}

/** Describes the expected monthly usage of a charge. */
function usageWords(usage: NonNullable<QuoteItem['usage']>[string] | undefined, unit: string): string {
  if (usage === undefined) return '';
  const quantity =
    typeof usage === 'string'
      ? decimal(usage)
      : usage.reduce((sum, { value }) => sum.plus(decimal(value)), zero);
  return isZero(quantity) ? '' : formatQuantity(decimalText(quantity), unit);
}

/** The other terms, in the order in which they appear on bills. */
export function shownTerms(
  ctx: Ctx,
  content: QuoteContent,
  offered: readonly OfferedService[],
  currency: Currency,
  language: Language,
): ShownTerm[] {
  const say = sayIn(ctx, language);
  const { oneOffs, discounts, grants, minimumSpend, commitments = [] } = content;
  const serviceName = (serviceId: string | null | undefined): string =>
    offered.find((service) => service.serviceId === serviceId)?.name ?? '';
  return [
    ...oneOffs.map(({ name, quantity = '1', unitPrice, serviceId }): ShownTerm => {
      const priced = pricedOneOff({ kind: 'charge', quantity, unitPrice, currency });
      const amount = 'code' in priced ? money(0n, currency) : priced.amount;
      const service = serviceName(serviceId);
      const params = {
        quantity: formatDecimal(quantity),
        price: formatUnitPrice(unitPrice, currency, language),
        amount: formatMoney(amount, language),
      };
      return {
        kind: 'one_off',
        name:
          service === ''
            ? inLanguage(name, language)
            : say('rating.of_service', { service, charge: inLanguage(name, language) }),
        terms: decimal(quantity).eq(decimal('1'))
          ? say('quotes.term_once', params)
          : say('quotes.term_once_many', params),
      };
    }),
    ...discounts.map((discount): ShownTerm => ({
      kind: 'discount',
      name: inLanguage(discount.name, language),
      terms: discountWords(discount, serviceName(discount.serviceId), language, say),
    })),
    ...(minimumSpend
      ? [
          {
            kind: 'minimum_spend',
            name: say('quotes.kind_minimum_spend'),
            terms: lasting(
              say('quotes.term_minimum', { amount: formatMoney(minimumSpend.amount, language) }),
              minimumSpend.months,
              say,
            ),
          } as const,
        ]
      : []),
    ...grants.map((grant): ShownTerm => ({
      kind: 'grant',
      name: inLanguage(grant.name, language),
      terms: grantWords(grant, language, say),
    })),
    ...commitments.map((commitment): ShownTerm => ({
      kind: 'commitment',
      name: inLanguage(commitment.name, language),
      terms: commitmentWords(commitment, scopeNames(commitment.scope, offered, language, say), language, say),
    })),
  ];
}

/**
 * Describes what a commitment covers, service by service: "Storage", "Machines (Disk, Traffic)"; empty if it
 * covers everything.
 */
function scopeNames(
  scope: QuoteCommitment['scope'],
  offered: readonly OfferedService[],
  language: Language,
  say: Say,
): string[] {
  const { services, charges } = scopeOf(scope ?? wholeScope);
  return (services ?? []).flatMap((serviceId) => {
    const service = offered.find((each) => each.serviceId === serviceId);
    if (!service) return [];
    const own = (charges ?? []).filter((charge) => charge.serviceId === serviceId);
    if (own.length === 0) return [service.name];
    const nameOf = (key: string): string =>
      inLanguage(service.charges.find((charge) => charge.key === key)?.name, language) ?? key;
    return [
      say('creditgrants.service_charges', {
        service: service.name,
        charges: own.map(({ chargeKey }) => nameOf(chargeKey)).join(say('discounts.terms_separator')),
      }),
    ];
  });
}

/** "NT$300,000 committed each quarter for 12 months, at 80% of the price and 90% beyond". */
function commitmentWords(
  { amounts, period, months, committedPercent = '100', overagePercent = '100', scope }: QuoteCommitment,
  services: readonly string[],
  language: Language,
  say: Say,
): string {
  const separator = say('discounts.terms_separator');
  // used as: 'quotes.commitment_*'
  const what = say(`quotes.commitment_${period}`, {
    amounts: amounts.map((amount) => formatMoney(amount, language)).join(separator),
  });
  const termed = lasting(what, months, say);
  const [committed, overage] = [formatDecimal(committedPercent), formatDecimal(overagePercent)];
  const rated =
    committed === '100' && overage === '100'
      ? termed
      : say('quotes.commitment_rates', { what: termed, committed, overage });
  const only = scope?.usageOnly ? say('quotes.commitment_usage_only', { what: rated }) : rated;
  return services.length === 0
    ? only
    : say('quotes.term_of', { what: only, service: services.join(separator) });
}

/** "… for 3 months", or without an end. */
const lasting = (what: string, months: number | null, say: Say): string =>
  months === null ? what : say('quotes.term_months', { what, count: months });

function discountWords(
  { percent, fixed, maximum, months }: QuoteDiscount,
  service: string,
  language: Language,
  say: Say,
): string {
  const what = fixed
    ? say('quotes.term_fixed', { amount: formatMoney(fixed, language) })
    : maximum
      ? say('quotes.term_percent_maximum', {
          percent: formatDecimal(percent ?? '0'),
          maximum: formatMoney(maximum, language),
        })
      : say('quotes.term_percent', { percent: formatDecimal(percent ?? '0') });
  const of = service === '' ? what : say('quotes.term_of', { what, service });
  return months === null ? say('quotes.term_one_bill', { what: of }) : lasting(of, months, say);
}

function grantWords(
  { amount, months, usageOnly, monthly }: QuoteGrant,
  language: Language,
  say: Say,
): string {
  const params = { amount: formatMoney(amount, language) };
  const what = !monthly
    ? say('quotes.term_credit', params)
    : say(monthly.rollover ? 'quotes.term_credit_rollover' : 'quotes.term_credit_monthly', params);
  const of = usageOnly ? say('quotes.term_usage_only', { what }) : what;
  return months === null ? of : say('quotes.term_within', { what: of, count: months });
}
