// The user's organization's credit notes.
import PictureAsPdfOutlined from '~icons/ic/outline-picture-as-pdf';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { CreditNote } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { creditsApi, creditsQueries } from './api.ts';
import { useNoteColumns } from './note-columns.tsx';
import { useNoteFiles } from './use-note-files.ts';

export function OwnCreditNotes() {
  const { t } = useTranslation('credits');
  const take = useNoteFiles();
  const state = useTableState({ filters: {}, sort: '-issuedAt', prefix: 'credits-' });
  const query = usePagedQuery(creditsQueries.listCreditNotes(state.query));
  const columns: readonly Column<CreditNote>[] = [
    ...useNoteColumns(),
    {
      key: 'file',
      label: 'PDF',
      align: 'right',
      render: (note) => (
        <IconAction
          size="small"
          label={t('credits.download_pdf', { number: note.number })}
          onClick={() => take(creditsApi.creditNotePdf, note.id)}
        >
          <PictureAsPdfOutlined fontSize="small" />
        </IconAction>
      ),
    },
  ];
  return (
    <DataTable
      list="own-credit-notes"
      label={t('credits.list')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(note) => note.id}
      rowName={(note) => note.number}
      empty={<EmptyState title={t('credits.empty')} hint={t('credits.empty_hint')} />}
    />
  );
}
