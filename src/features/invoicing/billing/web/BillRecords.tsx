// All bills so far, and in further tabs, if provided, all payments and the statement of account.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { billStates, dueNext, type Bill } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PageViews } from '#platform/web/ui/PageViews.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { billingApi, billingQueries } from './api.ts';
import { useBillColumns } from './bill-columns.tsx';
import { BillsExport, filterOf } from './BillsExport.tsx';
import { BillStatus } from './BillStatus.tsx';
import { CoveredBills } from './CoveredBills.tsx';

const views = ['bills', 'covered', 'payments', 'credit-notes', 'einvoices', 'statement', 'packs'] as const;
type BillRecordsProps = {
  readonly payments: ReactNode;
  readonly creditNotes: ReactNode;
  readonly einvoices: ReactNode;
  readonly statement: ReactNode;
  readonly packs: ReactNode;
  /** The years that have bills, newest first. */
  readonly years: readonly string[];
  /** Whether other organizations paid bills for services that this organization used. */
  readonly hasCovered: boolean;
  readonly onOpen: (month: BillingMonth) => void;
};

export function BillRecords({
  payments,
  creditNotes,
  einvoices,
  statement,
  packs,
  years,
  hasCovered,
  onOpen,
}: BillRecordsProps) {
  const { t } = useTranslation('billing');
  const [wanted, setView] = useParam('view');
  const shown = {
    bills: <History years={years} onOpen={onOpen} />,
    covered: hasCovered ? <CoveredBills onOpen={onOpen} /> : undefined,
    payments,
    'credit-notes': creditNotes,
    einvoices,
    statement,
    packs,
  };
  const names = {
    bills: t('billing.history'),
    covered: t('billing.covered'),
    payments: t('billing.payments'),
    'credit-notes': t('billing.credit_notes'),
    einvoices: t('billing.einvoices'),
    statement: t('billing.statement'),
    packs: t('billing.packs'),
  };
  const possible = views.filter((one) => shown[one] !== undefined);
  const view = possible.find((one) => one === wanted) ?? 'bills';
  return (
    <Box component="section" data-screen-only aria-label={t('billing.records')}>
      <PageViews
        label={t('billing.records')}
        views={possible.map((one) => [one, names[one]])}
        open={view}
        onOpen={(next) => setView(next === 'bills' ? undefined : next)}
      >
        {shown[view]}
      </PageViews>
    </Box>
  );
}

function History({ years, onOpen }: Pick<BillRecordsProps, 'years' | 'onOpen'>) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const state = useTableState({ filters: { state: billStates }, sort: '-month', prefix: 'bills-' });
  const query = usePagedQuery(billingQueries.listBills(state.query));
  const { month, total } = useBillColumns(onOpen);
  const columns: readonly Column<Bill>[] = [
    month,
    {
      key: 'number',
      label: t('billing.number'),
      render: ({ number, usedBy }) =>
        usedBy ? t('billing.bill_for', { bill: number, organization: usedBy.organization }) : number,
    },
    {
      key: 'status',
      label: t('billing.status'),
      render: (bill) => <BillStatus status={bill.paymentStatus} instalment={bill.instalment} />,
    },
    {
      key: 'dueAt',
      label: t('billing.due_at'),
      show: 'wide',
      card: 'hidden',
      render: (bill) => (bill.instalment ? format.dayTable(bill.instalment.on) : <Moment at={bill.dueAt} />),
    },
    total,
    {
      key: 'credited',
      label: t('billing.credited'),
      align: 'right',
      show: 'wide',
      render: (bill) =>
        bill.credited.minor === 0n ? '–' : <Money amount={money(-bill.credited.minor, bill.currency)} />,
    },
    {
      key: 'due',
      label: t('billing.due'),
      align: 'right',
      render: (bill) => <Money amount={dueNext(bill)} strong={bill.due.minor > 0n} />,
    },
  ];
  return (
    <DataTable
      list="bills"
      label={t('billing.history')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(bill) => bill.id}
      rowName={(bill) => bill.number}
      // used as: 'billing.state_*'
      filters={{
        state: {
          label: t('billing.status'),
          options: billStates.map((one) => ({ value: one, label: t(`billing.state_${one}`) })),
        },
      }}
      toolbar={
        <BillsExport
          years={years}
          call={(chosen, options) => billingApi.exportBills({ ...filterOf(state.query), ...chosen }, options)}
        />
      }
      empty={<EmptyState title={t('billing.history_empty')} hint={t('billing.history_empty_hint')} />}
    />
  );
}
