// The sentences on a bill's document: what changed, quantities, and how an amount is computed.
import { decimal, roundToInteger } from '#kernel/decimal.ts';
import {
  formatDecimal,
  formatMoney,
  formatMoneyChange,
  formatQuantity,
  formatUnitPrice,
} from '#kernel/format-money.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { type Language, inLanguage } from '#kernel/language.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import { daysInMonth } from '#kernel/time.ts';
import type { FeeShare } from '#features/selling/rating/contract.ts';
import {
  chargeStepTexts,
  dimensionsText,
  isChargeStep,
  periodOfUnit,
  type RatingTextKey,
} from '#features/selling/rating/rules.ts';
import type { BillDetail, BillLine, LineStep, Reduction } from '../contract.ts';
import { isUncounted } from '../rules-priced-by.ts';
import type { DocumentLayout } from './document-layout.ts';
import type { enUS } from '../locales/enUS.ts';

/** Translates a text of billing or rating into the document's language. */
export type Translate = (key: keyof typeof enUS | RatingTextKey, params?: TextParams) => string;
/** A line with the steps of its price. */
export type PricedLine = BillLine & { readonly steps: readonly LineStep[] };

/** A change against a bill that is named, so that the sentence stays true whatever happens to that bill. */
export type ComparedChange = Pick<
  NonNullable<BillDetail['change']>,
  'difference' | 'percent' | 'direction' | 'movers'
> & { readonly against: string };

/** The bill's explanation: how much more or less than in the previous month, and what caused it. */
export function changeSentence(change: ComparedChange, translate: Translate, language: Language): string {
  const { against } = change;
  if (change.direction === 'flat') return translate('billing.pdf_change_flat', { against });
  const amount = formatMoneyChange(change.difference, language);
  const percent =
    change.percent === null
      ? null
      : `${change.percent > 0 ? '+' : ''}${formatDecimal(String(change.percent))}%`;
  const difference =
    percent === null ? amount : translate('billing.pdf_changed_by', { difference: amount, percent });
  const movers = change.movers.map((mover) =>
    translate('billing.pdf_mover', {
      service: mover.serviceName,
      difference: formatMoneyChange(mover.difference, language),
    }),
  );
  if (movers.length === 0) return translate('billing.pdf_change', { against, difference });
  return translate('billing.pdf_change_because', {
    against,
    difference,
    movers: movers.reduce((movers, next) => translate('billing.pdf_movers', { movers, next })),
  });
}

type Named = Pick<NonNullable<BillLine['term']>, 'name'> | undefined;

/**
 * What a line is for: its service, and the charge of its rate card or its term; only the term if there is no
 * service.
 */
export function lineName(
  {
    serviceName,
    charge,
    term,
  }: Pick<BillLine, 'serviceName'> & { readonly charge?: Named; readonly term?: Named },
  translate: (key: 'rating.of_service', params: TextParams) => string,
  language: Language,
): string {
  const part = inLanguage((charge ?? term)?.name, language);
  if (part === undefined) return serviceName;
  return serviceName === '' ? part : translate('rating.of_service', { service: serviceName, charge: part });
}

/** A fee is charged by days served: "16 of 31 days" says more than 0.516129032258 of a month. */
export function quantityWords(month: BillingMonth, line: BillLine, translate: Translate): string {
  if (line.kind === 'minimum' || line.kind === 'maximum' || (line.term && line.kind !== 'one_off'))
    return '—';
  if (isUncounted(line)) return '—';
  if (line.kind === 'one_time' || line.kind === 'one_off') return formatDecimal(line.quantity);
  if (line.kind !== 'base_fee' && line.kind !== 'credit') return formatQuantity(line.quantity, line.unit);
  // Tiers and packages of a charge depend on its quantity.
  if (line.charge && !line.share) return formatDecimal(line.quantity);
  return shareWords(line.share ?? daysOfQuantity(month, line), line.unit, translate);
}

/** A share of a fee's period: 3 × 18／31 天. */
function shareWords({ part, whole, unit, units }: FeeShare, period: string, translate: Translate): string {
  const text =
    part === whole
      ? translate(`rating.one_${periodOfUnit(period)}`)
      : translate(unit === 'day' ? 'billing.pdf_days' : 'billing.pdf_seconds', {
          days: part,
          inMonth: whole,
        });
  return units === '1' ? text : translate('billing.pdf_units', { units: formatDecimal(units), period: text });
}

/** Older bills state their days only as a fraction of the month. */
function daysOfQuantity(month: BillingMonth, line: BillLine): FeeShare {
  const whole = daysInMonth(month);
  return {
    part: Number(roundToInteger(decimal(line.quantity).times(decimal(BigInt(whole))))),
    whole,
    unit: 'day',
    units: '1',
  };
}

/** The name of the period that a fee's line counts. */
export function periodText(unit: string, translate: Translate): string {
  const period = periodOfUnit(unit);
  // used as: 'rating.per_*'
  return translate(period === 'once' ? 'rating.one_once' : `rating.per_${period}`);
}

/** What a line's price depends on if it has no unit price; empty if nothing. */
export const pricedByText = ({ pricedBy }: Pick<BillLine, 'pricedBy'>, translate: Translate): string =>
  // used as: 'billing.priced_by_*'
  pricedBy === undefined ? '' : translate(`billing.priced_by_${pricedBy}`);

/** The unit price, or how the line is priced if there is none. */
export function unitPriceWords(
  line: PricedLine,
  translate: Translate,
  language: Language,
  layout: DocumentLayout,
): string {
  if (line.kind === 'minimum' || line.kind === 'maximum' || line.kind === 'adjustment') return '—';
  if (line.term?.reduction?.kind === 'percent') return `${formatDecimal(line.term.reduction.percent)}%`;
  if (line.term?.percent !== undefined) return `${formatDecimal(line.term.percent)}%`;
  if (line.unitPrice === null) {
    // Older bills know these two texts only.
    const isOfPackages = line.steps.some((step) => step.kind === 'package');
    return layout === 1
      ? pricedByText({ pricedBy: isOfPackages ? 'packages' : 'tiers' }, translate)
      : pricedByText(line, translate) || '—';
  }
  const price = formatUnitPrice(line.unitPrice, line.total.currency, language);
  if (line.kind !== 'base_fee' && line.kind !== 'credit') return price;
  return periodOfUnit(line.unit) === 'once'
    ? price
    : translate('rating.price_per_cycle', { price, cycle: periodText(line.unit, translate) });
}

/** Explains a price without a single unit price, step by step. */
export function stepSentences(
  line: PricedLine,
  translate: Translate,
  language: Language,
  layout: DocumentLayout,
): string[] {
  if (line.term?.reduction) return [reductionSentence(line.term.reduction, translate, language)];
  if (line.term?.percent !== undefined)
    return [
      translate(line.kind === 'committed_rate' ? 'billing.pdf_rate_committed' : 'billing.pdf_rate_overage', {
        percent: formatDecimal(line.term.percent),
      }),
    ];
  return line.unitPrice === null
    ? line.steps.map((step) => stepSentence(line, step, translate, language, layout))
    : [];
}

/** The size of a discount. */
function reductionSentence(reduction: Reduction, translate: Translate, language: Language): string {
  if (reduction.kind === 'fixed')
    return translate('billing.pdf_reduction_fixed', { amount: formatMoney(reduction.amount, language) });
  const percent = formatDecimal(reduction.percent);
  return reduction.maximum === null
    ? translate('billing.pdf_reduction_percent', { percent })
    : translate('billing.pdf_reduction_maximum', {
        percent,
        maximum: formatMoney(reduction.maximum, language),
      });
}

/** Explains one step of a price, with the values it applies to. */
function stepSentence(
  line: BillLine,
  step: LineStep,
  translate: Translate,
  language: Language,
  layout: DocumentLayout,
): string {
  const sentence =
    layout === 1 || (step.kind !== 'unit' && step.kind !== 'base')
      ? partSentence(line, step, translate, language)
      : productSentence(line, step, translate, language);
  if (step.when === undefined) return sentence;
  const values = dimensionsText(step.when) ?? translate('rating.everything_else');
  return translate('rating.step_for', { step: sentence, values });
}

/** A unit price, or a share of a fee whose price covers all units together: 15/30 days × $90 = $45. */
function productSentence(line: BillLine, step: LineStep, translate: Translate, language: Language): string {
  const price = (value: string): string => formatUnitPrice(value, line.total.currency, language);
  return translate('billing.pdf_step_unit', {
    quantity: step.share
      ? shareWords({ ...step.share, units: '1' }, line.unit, translate)
      : formatDecimal(step.quantity),
    unitPrice: price(step.unitPrice),
    amount: price(step.amount),
  });
}

/**
 * The amount charged before: late usage of its month, the drawn part of a commitment, or usage on interim
 * bills.
 */
function billedKey({ kind }: BillLine) {
  if (kind === 'true_up') return 'billing.pdf_step_true_up_billed';
  return kind === 'adjustment' ? 'billing.pdf_step_billed' : 'billing.pdf_step_interim_billed';
}

function partSentence(line: BillLine, step: LineStep, translate: Translate, language: Language): string {
  const price = (value: string): string => formatUnitPrice(value, line.total.currency, language);
  const params = {
    quantity: formatDecimal(step.quantity),
    unitPrice: price(step.unitPrice),
    amount: price(step.amount),
    from: formatDecimal(step.from ?? '0'),
    upTo: formatQuantity(step.upTo ?? '0', line.unit),
  };
  if (step.kind === 'recounted')
    return translate('billing.pdf_step_recounted', {
      month: dayFormat(language).month(line.forMonth ?? ''),
      amount: price(step.amount),
    });
  if (step.kind === 'billed')
    return translate(billedKey(line), { amount: price(step.amount.replace(/^-/, '')) });
  if (step.kind === 'agreed') return translate('billing.pdf_step_agreed', params);
  if (step.kind === 'used') return translate('billing.pdf_step_used', params);
  if (step.kind === 'covered')
    return translate('billing.pdf_step_covered', { amount: price(step.amount.replace(/^-/, '')) });
  if (step.kind === 'committed') return translate('billing.pdf_step_committed', params);
  if (step.kind === 'drawn')
    return translate('billing.pdf_step_drawn', { amount: price(step.amount.replace(/^-/, '')) });
  if (step.kind === 'charged')
    return translate('billing.pdf_step_charged', { amount: price(step.amount.replace(/^-/, '')) });
  if (step.kind === 'minimum') return translate('billing.pdf_step_minimum', params);
  if (step.kind === 'maximum') return translate('billing.pdf_step_maximum', params);
  if (step.kind === 'included')
    return translate('billing.pdf_step_included', { quantity: formatQuantity(step.quantity, line.unit) });
  if (step.kind === 'package') return translate('billing.pdf_step_package', params);
  if (step.kind === 'flat_fee') return translate('billing.pdf_step_flat_fee', params);
  if (isChargeStep(step)) {
    const { label, note } = chargeStepTexts(step, { number: formatDecimal, price });
    const words = { step: translate(label.key, label.params), amount: price(step.amount) };
    return note
      ? translate('rating.step_sentence', { ...words, note: translate(note.key, note.params) })
      : translate('rating.step_sentence_plain', words);
  }
  return step.upTo === null
    ? translate('billing.pdf_step_tier_open', {
        ...params,
        from: formatQuantity(step.from ?? '0', line.unit),
      })
    : translate('billing.pdf_step_tier', params);
}
