// The credit notes of all organizations, with search.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CreditNote } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { creditsQueries } from './api.ts';

export function CreditNotes({ onBill }: { onBill: (billId: string) => void }) {
  const { t } = useTranslation('credits');
  const state = useTableState({ filters: {}, sort: '-issuedAt', prefix: 'credits-' });
  const query = useQuery({
    ...creditsQueries.adminListCreditNotes(state.query),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<CreditNote>[] = [
    {
      key: 'number',
      label: t('credits.number'),
      sortable: true,
      card: 'title',
      render: (note) => note.number,
    },
    { key: 'bill', label: t('credits.bill'), render: (note) => note.billNumber },
    { key: 'organization', label: t('credits.organization'), render: (note) => note.organization },
    {
      key: 'issuedAt',
      label: t('credits.issued_at'),
      sortable: true,
      render: (note) => <Moment at={note.issuedAt} />,
    },
    { key: 'reason', label: t('credits.reason'), show: 'wide', render: (note) => note.reason },
    {
      key: 'total',
      label: t('credits.total'),
      align: 'right',
      sortable: true,
      render: (note) => <Money amount={note.total} />,
    },
  ];
  return (
    <DataTable
      list="credit-notes"
      label={t('credits.list')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(note) => note.id}
      rowName={(note) => note.number}
      searchLabel={t('credits.search')}
      empty={<EmptyState title={t('credits.empty')} hint={t('credits.empty_hint')} />}
      onRowClick={(note) => onBill(note.billId)}
    />
  );
}
