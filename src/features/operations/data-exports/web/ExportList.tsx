// All exports with their results.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { runStates, type DataExport, type Failure } from '../contract.ts';
import { dataExportsQueries } from './api.ts';

const tones = {
  waiting: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
  stopped: 'neutral',
  interrupted: 'warning',
} as const;

/** The message of a failure. */
export function useFailureText(): (failure: Failure) => string {
  const { t } = useTranslation('dataexports');
  // used as: 'dataexports.failure_*'
  return ({ code, detail }) => t(`dataexports.failure_${code}`, { detail });
}

export function ExportList() {
  const { t } = useTranslation('dataexports');
  const format = useFormat();
  const state = useTableState({ filters: { state: runStates }, sort: '-askedAt' });
  const query = usePagedQuery(dataExportsQueries.listDataExports(state.query));
  return (
    <DataTable
      list="data-exports"
      label={t('dataexports.list')}
      title={t('dataexports.list')}
      columns={useExportColumns()}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ askedAt }) => format.dateTimeTable(askedAt)}
      searchLabel={t('dataexports.search')}
      filters={{
        state: {
          label: t('dataexports.state'),
          // used as: 'dataexports.state_*'
          options: runStates.map((each) => ({ value: each, label: t(`dataexports.state_${each}`) })),
        },
      }}
      isMarked={({ failure }) => failure !== null}
      empty={<EmptyState title={t('dataexports.empty')} hint={t('dataexports.empty_hint')} />}
    />
  );
}

function useExportColumns(): readonly Column<DataExport>[] {
  const { t } = useTranslation('dataexports');
  const format = useFormat();
  const failureText = useFailureText();
  return [
    {
      key: 'askedAt',
      label: t('dataexports.asked'),
      card: 'title',
      sortable: true,
      render: ({ askedAt }) => format.dateTimeTable(askedAt),
    },
    {
      key: 'cause',
      label: t('dataexports.cause'),
      render: ({ cause, askedBy }) => (cause === 'schedule' ? t('dataexports.cause_schedule') : askedBy),
    },
    {
      key: 'state',
      label: t('dataexports.state'),
      render: ({ state, removedAt, failure }) => (
        <>
          <StatusBadge
            tone={state === 'done' && removedAt ? 'neutral' : tones[state]}
            label={t(
              state === 'done' && removedAt ? 'dataexports.state_removed' : `dataexports.state_${state}`,
            )}
          />
          {failure && (
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {failureText(failure)}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'rows',
      label: t('dataexports.rows'),
      align: 'right',
      render: ({ rowsDone }) => format.number(rowsDone),
    },
    {
      key: 'sizeBytes',
      label: t('dataexports.size'),
      align: 'right',
      sortable: true,
      render: ({ sizeBytes }) => (sizeBytes === null ? '–' : format.bytes(sizeBytes)),
    },
    {
      key: 'readFrom',
      label: t('dataexports.read_from'),
      show: 'wide',
      // used as: 'dataexports.read_from_*'
      render: ({ readFrom }) => (readFrom === null ? '–' : t(`dataexports.read_from_${readFrom}`)),
    },
    {
      key: 'folder',
      label: t('dataexports.folder'),
      show: 'wide',
      render: ({ folder }) => folder ?? '–',
    },
  ];
}
