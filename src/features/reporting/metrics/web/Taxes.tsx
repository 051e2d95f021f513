// Tax by rate over a period, compared with the movement of the ledger's tax account.
import type { Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { metricsQueries } from './api.ts';
import { LedgerReport } from './LedgerReport.tsx';
import { usePeriod } from './use-period.tsx';

export function Taxes({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const days = usePeriod();
  const query = usePagedQuery(metricsQueries.taxes({ currency, ...days.period }));
  return (
    <LedgerReport
      report="taxes"
      title={t('metrics.taxes')}
      lead={t('metrics.taxes_lead')}
      currency={currency}
      days={days}
      query={query}
      empty={{ title: t('metrics.taxes_empty'), hint: t('metrics.taxes_empty_hint') }}
      heads={[
        t('metrics.rate'),
        t('metrics.net'),
        t('metrics.tax'),
        t('metrics.credited_net'),
        t('metrics.credited_tax'),
        t('metrics.total'),
      ]}
      row={(one) => ({
        key: `${one.category}-${one.rate}`,
        cells: [
          `${format.number(one.rate)}%${one.category === '' ? '' : format.aside(one.category)}`,
          <Money key="net" amount={one.net} />,
          <Money key="tax" amount={one.tax} />,
          <Money key="creditedNet" amount={one.creditedNet} />,
          <Money key="creditedTax" amount={one.creditedTax} />,
          <Money key="total" amount={one.total} />,
        ],
      })}
      account="tax"
    />
  );
}
