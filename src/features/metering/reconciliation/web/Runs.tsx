// The comparisons of the last months: who started them, with which sources, and their results.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { FindingKind, Run } from '../contract.ts';
import { reconciliationQueries } from './api.ts';
import { runTones } from './finding-words.tsx';

export function Runs() {
  const { t } = useTranslation('reconciliation');
  const state = useTableState({ filters: {}, sort: '-askedAt', prefix: 'h' });
  const query = usePagedQuery(reconciliationQueries.listReconciliations(state.query));
  return (
    <DataTable
      label={t('reconciliation.runs')}
      title={t('reconciliation.runs')}
      columns={useRunColumns()}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ askedAt }) => askedAt.toISOString()}
      empty={<EmptyState title={t('reconciliation.no_runs')} />}
    />
  );
}

function useRunColumns(): readonly Column<Run>[] {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  const sum = (key: FindingKind, countOf: (run: Run) => number): Column<Run> => ({
    key,
    // used as: 'reconciliation.kind_*'
    label: t(`reconciliation.kind_${key}`),
    align: 'right',
    render: (run) => {
      const own = run.totals.filter(({ kind }) => kind === key);
      return (
        <>
          {own.map(({ amount }) => (
            <div key={amount.currency}>{format.money(amount)}</div>
          ))}
          <Typography component="div" variant="caption" color="textSecondary">
            {t('reconciliation.count', { count: countOf(run) })}
          </Typography>
        </>
      );
    },
  });
  return [
    {
      key: 'askedAt',
      label: t('reconciliation.run_at'),
      sortable: true,
      card: 'title',
      render: ({ askedAt }) => <Moment at={askedAt} as="dateTime" />,
    },
    {
      key: 'state',
      label: t('reconciliation.run_state'),
      // used as: 'reconciliation.run_*'
      render: ({ state }) => <StatusBadge tone={runTones[state]} label={t(`reconciliation.run_${state}`)} />,
    },
    {
      key: 'askedBy',
      label: t('reconciliation.run_by'),
      show: 'wide',
      render: ({ askedBy }) => askedBy ?? t('reconciliation.run_clock'),
    },
    {
      key: 'sources',
      label: t('reconciliation.run_sources'),
      render: ({ sources }) =>
        t('reconciliation.run_source_count', {
          read: sources.filter(({ failure }) => !failure).length,
          all: sources.length,
        }),
    },
    sum('unbilled', ({ unbilled }) => unbilled),
    sum('ghost', ({ ghosts }) => ghosts),
    sum('differs', ({ differs }) => differs),
  ];
}
