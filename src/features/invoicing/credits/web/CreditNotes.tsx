// The credit notes of all organizations, with search.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { creditsQueries } from './api.ts';
import { useNoteColumns } from './note-columns.tsx';

export function CreditNotes({ onBill }: { onBill: (billId: string) => void }) {
  const { t } = useTranslation('credits');
  const state = useTableState({ filters: {}, sort: '-issuedAt', prefix: 'credits-' });
  const query = usePagedQuery(creditsQueries.adminListCreditNotes(state.query));
  const columns = useNoteColumns([
    { key: 'organization', label: t('credits.organization'), render: (note) => note.organization },
  ]);
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
