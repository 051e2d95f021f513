// Who ignored what and why, including decisions that were withdrawn.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { IgnoredEntry } from '../contract.ts';
import { reconciliationQueries } from './api.ts';

export function Ignored({ onOpen }: { onOpen: (finding: string) => void }) {
  const { t } = useTranslation('reconciliation');
  const state = useTableState({ filters: {}, sort: '-ignoredAt', prefix: 'i' });
  const query = usePagedQuery(reconciliationQueries.listIgnored(state.query));
  return (
    <DataTable
      label={t('reconciliation.ignored_list')}
      title={t('reconciliation.ignored_list')}
      columns={useIgnoredColumns()}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ resource }) => resource}
      onRowClick={({ findingId }) => findingId && onOpen(findingId)}
      empty={<EmptyState compact title={t('reconciliation.no_ignored')} />}
    />
  );
}

function useIgnoredColumns(): readonly Column<IgnoredEntry>[] {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  return [
    {
      key: 'ignoredAt',
      label: t('reconciliation.run_at'),
      sortable: true,
      render: ({ ignoredAt }) => <Moment at={ignoredAt} as="dateTime" />,
    },
    {
      key: 'resource',
      label: t('reconciliation.resource'),
      card: 'title',
      // used as: 'reconciliation.kind_*'
      render: ({ resource, kind }) => (
        <>
          <Typography component="div" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
            {resource}
          </Typography>
          <Typography component="div" variant="caption" color="textSecondary">
            {t(`reconciliation.kind_${kind}`)}
          </Typography>
        </>
      ),
    },
    {
      key: 'by',
      label: t('reconciliation.run_by'),
      render: ({ ignoredBy }) => (
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {ignoredBy}
        </Box>
      ),
    },
    {
      key: 'reason',
      label: t('reconciliation.reason'),
      render: ({ reason, undoneBy, undoneAt }) => (
        <>
          <Typography component="div" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Typography>
          {undoneAt && (
            <Typography component="div" variant="caption" color="textSecondary">
              {t('reconciliation.undone_by', { who: undoneBy ?? '–', time: format.dateTime(undoneAt) })}
            </Typography>
          )}
        </>
      ),
    },
  ];
}
