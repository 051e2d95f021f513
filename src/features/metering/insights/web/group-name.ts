// What a group is called on screens.
import type { Explored, ExploredSeries } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** Special groups have translated names. */
export function useGroupName(): (
  group: Pick<ExploredSeries | Explored['movers'][number], 'label' | 'special'>,
) => string {
  const { t } = useTranslation('insights');
  // used as: 'insights.group_*'
  return ({ label, special }) => (special === null ? label : t(`insights.group_${special}`));
}
