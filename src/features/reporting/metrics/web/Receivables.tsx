// What customers owe by days overdue, at the end of any day, compared with the ledger.
import Button from '@mui/material/Button';
import { useNavigate } from 'react-router';
import type { Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { Day, useDayParam } from '#platform/web/ui/Day.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { agingBuckets, type AgedCustomer } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';

export function Receivables({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const navigate = useNavigate();
  const [day, setDay] = useDayParam('day');
  const state = useTableState({ prefix: 'aged-', sort: '-total' });
  const query = usePagedQuery(metricsQueries.receivables({ currency, ...(day && { day }), ...state.query }));
  const open = (one: AgedCustomer) =>
    void navigate(`${billingPaths.admin}?bills-state=open&bills-q=${encodeURIComponent(one.organization)}`);
  // used as: 'metrics.bucket_*'
  const columns: readonly Column<AgedCustomer>[] = [
    {
      key: 'organization',
      label: t('metrics.organization'),
      sortable: true,
      card: 'title',
      render: (one) => one.organization,
    },
    ...agingBuckets.map((bucket): Column<AgedCustomer> => ({
      key: bucket,
      label: t(`metrics.bucket_${bucket}`),
      align: 'right',
      sortable: bucket === 'older',
      render: (one) => (one[bucket].minor === 0n ? '–' : <Money amount={one[bucket]} />),
    })),
    {
      key: 'total',
      label: t('metrics.total'),
      align: 'right',
      sortable: true,
      render: (one) => <Money amount={one.total} strong />,
    },
  ];
  const found = query.data;
  return (
    <>
      <Section title={t('metrics.aging')} lead={t('metrics.aging_lead')} flush>
        {found && (
          <>
            <PlainTable
              label={t('metrics.aging_sums')}
              words={0}
              heads={[...agingBuckets.map((bucket) => t(`metrics.bucket_${bucket}`)), t('metrics.total')]}
              rows={[
                {
                  key: 'totals',
                  cells: [
                    ...agingBuckets.map((bucket) => <Money key={bucket} amount={found.totals[bucket]} />),
                    <Money key="total" amount={found.totals.total} strong />,
                  ],
                },
              ]}
            />
            <ProofLine proof={found.proof} about="aging" />
          </>
        )}
      </Section>
      <DataTable
        list="finance-receivables"
        label={t('metrics.aging')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(one) => one.organizationId}
        rowName={(one) => one.organization}
        onRowClick={open}
        isPanel={false}
        searchLabel={t('metrics.search')}
        moreFilters={
          <>
            <Day label={t('metrics.at_end_of')} value={day} onChange={setDay} />
            {day && (
              <Button size="small" onClick={() => setDay(undefined)}>
                {t('metrics.today')}
              </Button>
            )}
          </>
        }
        toolbar={<ReportFiles report="receivables" currency={currency} day={day} />}
        empty={<EmptyState compact title={t('metrics.aging_empty')} hint={t('metrics.aging_empty_hint')} />}
      />
    </>
  );
}
