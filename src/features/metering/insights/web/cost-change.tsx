// Costs beside those of the previous period: exact, with the direction as text.
import { decimal } from '#kernel/decimal.ts';
import type { Currency } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { costMoney } from '#features/metering/usage/web/parts.ts';

/** A cost rounded as on a bill; the exact value is in the chart's table and in the export. */
export function Cost({ cost, currency }: { cost: string | null; currency: Currency }) {
  return cost === null ? <>–</> : <Money amount={costMoney(cost, currency)} />;
}

/** The change between two figures, in percent. */
export function Change({ now, before }: { now: string | null; before: string | null }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  if (now === null || before === null) return <>–</>;
  const [after, was] = [decimal(now), decimal(before)];
  if (was.eq('0')) return <>{after.eq('0') ? '–' : t('insights.new')}</>;
  const difference = after.minus(was);
  if (difference.eq('0')) return <>{t('trend.flat')}</>;
  const direction = difference.gt('0') ? 'up' : 'down';
  // Only shown: the figures stay exact. used as: 'trend.*'
  return (
    <>
      <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>{' '}
      <VisuallyHidden>{t(`trend.${direction}`)}</VisuallyHidden>
      {format.percentChange(Number(difference.toFixed()) / Math.abs(Number(was.toFixed())))}
    </>
  );
}
