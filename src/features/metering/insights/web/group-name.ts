// The display names of groups.
import { inLanguage } from '#kernel/language.ts';
import type { Explored, ExploredSeries } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';

/** Special groups have translated names; charges have their service's name before their own. */
export function useGroupName(): (
  group: Pick<ExploredSeries | Explored['movers'][number], 'label' | 'special' | 'charge'>,
) => string {
  const { t } = useTranslation('insights');
  const language = useLanguage();
  // used as: 'insights.group_*'
  return ({ label, special, charge }) =>
    special !== null
      ? t(`insights.group_${special}`)
      : charge
        ? t('insights.charge_of', { service: label, charge: inLanguage(charge, language) })
        : label;
}
