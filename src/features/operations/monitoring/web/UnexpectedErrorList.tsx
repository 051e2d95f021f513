// Unexpected errors of the console, searched by the request id that users see in error messages.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { errorSources, type UnexpectedError } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { monitoringQueries } from './api.ts';

export function UnexpectedErrorList() {
  const { t } = useTranslation('monitoring');
  const state = useTableState({ filters: { source: errorSources }, sort: '-at' });
  const query = usePagedQuery(monitoringQueries.listFaults(state.query));
  // used as: 'monitoring.source_*'
  const columns: readonly Column<UnexpectedError>[] = [
    {
      key: 'place',
      label: t('monitoring.place'),
      card: 'title',
      render: ({ place }) => <code>{place}</code>,
    },
    {
      key: 'source',
      label: t('monitoring.source'),
      render: ({ source }) => t(`monitoring.source_${source}`),
    },
    { key: 'message', label: t('monitoring.message'), render: ({ message }) => message },
    {
      key: 'requestId',
      label: t('monitoring.request_id'),
      show: 'wide',
      render: ({ requestId }) =>
        requestId === null ? (
          '–'
        ) : (
          <>
            <code>{requestId}</code>
            <CopyButton text={requestId} />
          </>
        ),
    },
    {
      key: 'at',
      label: t('monitoring.when'),
      sortable: true,
      width: 160,
      render: ({ at }) => <Moment at={at} as="dateTime" />,
    },
  ];
  return (
    <DataTable
      list="faults"
      title={t('monitoring.unexpected_errors_title')}
      label={t('monitoring.unexpected_errors_title')}
      columns={columns}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ place }) => place}
      searchLabel={t('monitoring.unexpected_errors_search')}
      filters={{
        source: {
          label: t('monitoring.source'),
          options: errorSources.map((one) => ({ value: one, label: t(`monitoring.source_${one}`) })),
        },
      }}
      empty={
        <EmptyState
          title={t('monitoring.unexpected_errors_empty')}
          hint={t('monitoring.unexpected_errors_empty_hint')}
        />
      }
    />
  );
}
