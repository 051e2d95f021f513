// The user's organization's e-invoices.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Einvoice } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { einvoicesKey, einvoicesQueries } from './api.ts';
import { EinvoiceState } from './EinvoiceState.tsx';

/** Whether the customer has e-invoices, or gets them with the next bills. */
export function useEinvoicesOn(): boolean {
  const allows = useAllows();
  const { data } = useQuery({
    ...einvoicesQueries.listEinvoices({ limit: 25, sort: '-createdAt' }),
    enabled: allows('payments:read'),
  });
  return data !== undefined && (data.isOn || data.total > 0);
}

export function OwnEinvoices() {
  const { t } = useTranslation('einvoices');
  useLive('bills', [einvoicesKey('listEinvoices')]);
  const state = useTableState({ filters: {}, sort: '-createdAt', prefix: 'einvoices-' });
  const query = usePagedQuery(einvoicesQueries.listEinvoices(state.query));
  const columns: readonly Column<Einvoice>[] = [
    {
      key: 'number',
      label: t('einvoices.number'),
      sortable: true,
      card: 'title',
      render: (one) => (
        <Box component="span" className="tabular">
          {one.number ?? t('einvoices.no_number_yet')}
        </Box>
      ),
    },
    { key: 'bill', label: t('einvoices.bill'), render: (one) => one.billNumber },
    { key: 'state', label: t('einvoices.state'), render: (one) => <EinvoiceState state={one.state} /> },
    {
      key: 'createdAt',
      label: t('einvoices.issued_at'),
      sortable: true,
      render: (one) => (one.issuedAt ? <Moment at={one.issuedAt} /> : '–'),
    },
    {
      key: 'total',
      label: t('einvoices.total'),
      align: 'right',
      sortable: true,
      render: (one) => <Money amount={one.total} />,
    },
  ];
  return (
    <DataTable
      list="own-einvoices"
      label={t('einvoices.own_title')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(one) => one.id}
      rowName={(one) => one.number ?? one.billNumber}
      empty={<EmptyState title={t('einvoices.own_empty')} hint={t('einvoices.own_empty_hint')} />}
    />
  );
}
