// Describes the price steps that only rate card charges have: for screens, bills and their documents.
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { TextParams } from '#kernel/text.ts';
import { chargeCycles, type Dimensions, type PriceStep } from './contract.ts';
import type { Cycle } from './rules-cycles.ts';

/** What a fee's line counts: periods of a cycle, or one-time items. */
export type Period = Cycle | 'once';
/** The period of a line's unit; older lines have months and years as units. */
export const periodOfUnit = (unit: string): Period =>
  unit === 'once' ? 'once' : (chargeCycles.find((cycle) => cycle === unit) ?? 'month');

/** The texts of rating that are used on bill documents. */
export type RatingTextKey =
  | 'rating.step_percentage'
  | 'rating.step_percentage_note'
  | 'rating.step_free_events'
  | 'rating.step_event_fee'
  | 'rating.step_event_fee_note'
  | 'rating.step_event_minimum'
  | 'rating.step_event_maximum'
  | 'rating.step_event_limit_note'
  | 'rating.step_dynamic'
  | 'rating.step_sentence'
  | 'rating.step_sentence_plain'
  | 'rating.step_for'
  | 'rating.everything_else'
  | 'rating.of_service'
  | 'rating.price_per_cycle'
  | 'rating.price_once'
  | `rating.one_${Period}`
  | `rating.per_${Cycle}`;
type StepText = { readonly key: RatingTextKey; readonly params?: TextParams };
type StepTexts = { readonly label: StepText; readonly note?: StepText };
/** How the reader's language formats numbers. */
type StepFormat = {
  readonly number: (text: string) => string;
  readonly price: (text: string) => string;
};

/** The kinds of steps that {@link chargeStepTexts} describes. */
const chargeStepKinds = [
  'percentage',
  'free_events',
  'event_fee',
  'event_minimum',
  'event_maximum',
  'dynamic',
] as const satisfies readonly PriceStep['kind'][];
type ChargeStepKind = (typeof chargeStepKinds)[number];

/** Whether {@link chargeStepTexts} describes a step. */
export const isChargeStep = <S extends { readonly kind: string }>(
  step: S,
): step is S & { readonly kind: ChargeStepKind } => chargeStepKinds.some((kind) => kind === step.kind);

/** The name of a step, and its arithmetic. */
export function chargeStepTexts(
  {
    kind,
    quantity,
    unitPrice,
  }: Pick<PriceStep, 'quantity' | 'unitPrice'> & { readonly kind: ChargeStepKind },
  format: StepFormat,
): StepTexts {
  switch (kind) {
    case 'percentage':
      return {
        label: { key: 'rating.step_percentage' },
        note: {
          key: 'rating.step_percentage_note',
          params: {
            amount: format.price(quantity),
            percent: format.number(decimalText(decimal(unitPrice).times(decimal('100')))),
          },
        },
      };
    case 'free_events':
      return { label: { key: 'rating.step_free_events' } };
    case 'event_fee':
      return {
        label: { key: 'rating.step_event_fee' },
        note: {
          key: 'rating.step_event_fee_note',
          params: { events: format.number(quantity), price: format.price(unitPrice) },
        },
      };
    case 'event_minimum':
    case 'event_maximum':
      return {
        label: {
          key: kind === 'event_minimum' ? 'rating.step_event_minimum' : 'rating.step_event_maximum',
        },
        note: {
          key: 'rating.step_event_limit_note',
          params: { count: quantity, price: format.price(unitPrice) },
        },
      };
    case 'dynamic':
      return { label: { key: 'rating.step_dynamic' } };
  }
}

/** The values that a step or rate applies to, as a list: `tpe, m`; null for a rate without conditions. */
export function dimensionsText(when: Dimensions): string | null {
  const values = Object.values(when);
  return values.length === 0 ? null : values.join(', ');
}
