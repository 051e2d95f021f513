// Steps and their days as text.
import type { DunningAction, DunningStep } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** The name of an action. */
export function useActionName(): (action: DunningAction) => string {
  const { t } = useTranslation('dunning');
  // used as: 'dunning.action_*'
  return (action) => t(`dunning.action_${action}`);
}

/** "7 days after the due date". */
export function useDayWords(): (day: DunningStep['day']) => string {
  const { t } = useTranslation('dunning');
  return (day) =>
    day === 0
      ? t('dunning.day_on')
      : t(day < 0 ? 'dunning.day_before' : 'dunning.day_after', { count: Math.abs(day) });
}
