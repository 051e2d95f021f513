// The kind of a bill's line as text.
import type { CreditableLine } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function useLineKind(): (line: Pick<CreditableLine, 'kind' | 'forMonth'>) => string {
  const { t } = useTranslation('credits');
  const format = useFormat();
  // used as: 'credits.kind_*'
  return (line) =>
    line.forMonth === undefined
      ? t(`credits.kind_${line.kind}`)
      : t('credits.kind_adjustment_of', { month: format.month(line.forMonth) });
}
