// The windows that a connector has read, and the result of each.
import Typography from '@mui/material/Typography';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Pull } from '../contract.ts';
import { connectorsQueries } from './api.ts';
import { useFailureText } from './connector-words.ts';

export function Pulls({ connectorId }: { connectorId: Id<'con'> }) {
  const { t } = useTranslation('connectors');
  const state = useTableState({ filters: {}, sort: '-endedAt', prefix: 'p' });
  const query = usePagedQuery(connectorsQueries.listPulls({ connectorId, ...state.query }));
  return (
    <DataTable
      label={t('connectors.pulls')}
      title={t('connectors.pulls')}
      columns={usePullColumns()}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ start }) => start.toISOString()}
      empty={<EmptyState title={t('connectors.no_pulls')} />}
      isMarked={({ failure, differing }) => failure !== null || differing > 0}
    />
  );
}

function usePullColumns(): readonly Column<Pull>[] {
  const { t } = useTranslation('connectors');
  const format = useFormat();
  const failureText = useFailureText();
  const figure = (key: 'readings' | 'accepted' | 'duplicates' | 'differing' | 'waiting'): Column<Pull> => ({
    key,
    // used as: 'connectors.readings', 'connectors.accepted', 'connectors.duplicates', 'connectors.differing', 'connectors.waiting'
    label: t(`connectors.${key}`),
    align: 'right',
    render: (pull) => format.number(pull[key]),
  });
  return [
    {
      key: 'start',
      label: t('connectors.pull_window'),
      sortable: true,
      card: 'title',
      render: ({ start }) => <Moment at={start} as="dateTime" />,
    },
    {
      key: 'result',
      label: t('connectors.result'),
      render: ({ failure, kind }) => (
        // used as: 'connectors.pull_*'
        <Typography component="span" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
          {failure ? failureText(failure) : t(`connectors.pull_${kind}`)}
        </Typography>
      ),
    },
    figure('readings'),
    figure('accepted'),
    figure('duplicates'),
    figure('differing'),
    figure('waiting'),
  ];
}
