// The words of a price's steps that only charges of rate cards have: for screens, bills and their documents.
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Dimensions, PriceStep } from './contract.ts';

/** The sentences of steps. */
export type StepTextKey =
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
  | 'rating.everything_else';
type StepText = { readonly key: StepTextKey; readonly params?: TextParams };
type StepTexts = { readonly label: StepText; readonly note?: StepText };
/** How the reader's language writes figures. */
type StepFormat = {
  readonly number: (text: string) => string;
  readonly price: (text: string) => string;
};

/** The kinds of steps that {@link chargeStepTexts} has words for. */
const chargeStepKinds = [
  'percentage',
  'free_events',
  'event_fee',
  'event_minimum',
  'event_maximum',
  'dynamic',
] as const satisfies readonly PriceStep['kind'][];
type ChargeStepKind = (typeof chargeStepKinds)[number];

/** Whether {@link chargeStepTexts} has words for a step. */
export const isChargeStep = <S extends { readonly kind: string }>(
  step: S,
): step is S & { readonly kind: ChargeStepKind } => chargeStepKinds.some((kind) => kind === step.kind);

/** What a step is called, and the arithmetic beside it. */
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

/** The values that a step or rate is for, as a reader lists them: `tpe, m`; null for a rate without conditions. */
export function dimensionsText(when: Dimensions): string | null {
  const values = Object.values(when);
  return values.length === 0 ? null : values.join(', ');
}
