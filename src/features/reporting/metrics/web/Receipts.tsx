// Cash movements by payment method, compared with the ledger's cash movement.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { metricsQueries } from './api.ts';
import { ledgerPath } from './LedgerLink.tsx';
import { LedgerReport } from './LedgerReport.tsx';
import { useMethodName } from './use-method-name.ts';
import { usePeriod } from './use-period.tsx';

export function Receipts({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const days = usePeriod();
  const methodName = useMethodName();
  const [by, setBy] = useParam('by');
  const isDaily = by === 'day';
  const query = usePagedQuery(
    metricsQueries.receipts({ currency, ...days.period, ...(isDaily && { daily: true }) }),
  );
  return (
    <LedgerReport
      report="receipts"
      title={t('metrics.receipts')}
      lead={t('metrics.receipts_lead')}
      currency={currency}
      days={days}
      choices={
        <SelectBox
          label={t('metrics.receipts_by')}
          value={isDaily ? 'day' : 'method'}
          options={[
            { value: 'method', label: t('metrics.receipts_by_method') },
            { value: 'day', label: t('metrics.receipts_by_day') },
          ]}
          onChange={(next) => setBy(next === 'day' ? next : undefined)}
        />
      }
      query={query}
      empty={{ title: t('metrics.receipts_empty'), hint: t('metrics.receipts_empty_hint') }}
      words={isDaily ? 3 : 2}
      heads={[
        ...(isDaily ? [t('metrics.day')] : []),
        t('metrics.method'),
        t('metrics.kind'),
        t('metrics.count'),
        t('metrics.fee'),
        t('metrics.amount'),
      ]}
      row={(one) => ({
        key: `${one.day ?? ''}-${one.method}-${one.kind}`,
        cells: [
          ...(isDaily
            ? [
                one.day === null ? (
                  ''
                ) : (
                  <Link key="day" component={RouterLink} to={ledgerPath('cash', one.day, one.day)}>
                    {format.dayTable(one.day)}
                  </Link>
                ),
              ]
            : []),
          methodName(one.method),
          t(`metrics.kind_${one.kind}`),
          format.number(one.count),
          <Money key="fee" amount={one.fee} />,
          <Money key="amount" amount={one.amount} />,
        ],
      })}
      account="cash"
    />
  );
}
