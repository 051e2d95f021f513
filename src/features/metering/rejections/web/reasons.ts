// The names of reasons and states of rejected events, and how to fix each reason.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Rejected } from '../contract.ts';

const known = [
  'event_malformed',
  'subscription_unknown',
  'subscription_not_running',
  'sent_to_add_on',
  'event_type_unknown',
  'time_in_future',
  'value_no_decimal',
  'value_inexact',
  'value_too_large',
  'value_negative',
  'only_adds',
  'property_too_long',
  'data_not_json',
  'data_schema',
  'conflict',
  'too_old',
  'credit_used_up',
  'void_unnamed',
  'void_unknown',
  'voided_already',
] as const;
const knownOf = (code: string): (typeof known)[number] | undefined =>
  known.find((name) => `usage.${name}` === code);

/** A short name of a reason; an unknown reason shows its code. */
export function useReasonName(): (code: string) => string {
  const { t } = useTranslation('rejections');
  // used as: 'rejections.reason_*'
  return (code) => {
    const name = knownOf(code);
    return name ? t(`rejections.reason_${name}`) : code;
  };
}

/** How to fix a reason; undefined for an unknown one. */
export function useFixHint(): (code: string) => string | undefined {
  const { t } = useTranslation('rejections');
  // used as: 'rejections.mend_*'
  return (code) => {
    const name = knownOf(code);
    return name && t(`rejections.mend_${name}`);
  };
}

export const stateTones: Record<Rejected['state'], BadgeTone> = {
  open: 'warning',
  replayed: 'success',
  dismissed: 'neutral',
};
