// The Admin's list of meters, a panel with one of them, and the form to create one.
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { brokenAtParts, MachineName } from '#platform/web/ui/MachineName.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Meter } from '../contract.ts';
import { useAggregationWords } from './aggregation-words.ts';
import { metersQueries } from './api.ts';
import { MeterPanel, newMeter } from './MeterPanel.tsx';

/** `services` lists the services that use a meter, with links to them. */
export function MetersScreen({ services }: { services: (meter: Meter) => ReactNode }) {
  const { t } = useTranslation('meters');
  const [open, setOpen] = useParam('meter');
  const state = useTableState({ filters: {}, sort: 'name' });
  const query = usePagedQuery(metersQueries.listMeters(state.query));
  const add = <AddButton onClick={() => setOpen(newMeter)}>{t('meters.add')}</AddButton>;
  return (
    <Page title={t('meters.title')} lead={t('meters.lead')} actions={add}>
      <DataTable
        list="meters"
        label={t('meters.title')}
        columns={useMeterColumns()}
        query={query}
        state={state}
        rowKey={(meter) => meter.id}
        rowName={(meter) => meter.name}
        rowDetail={(meter) => meter.key}
        searchLabel={t('meters.search')}
        empty={<EmptyState title={t('meters.empty')} hint={t('meters.empty_hint')} action={add} />}
        onRowClick={(meter) => setOpen(meter.id)}
      />
      <MeterPanel open={open} onClose={() => setOpen(undefined)} services={services} />
    </Page>
  );
}

function useMeterColumns(): readonly Column<Meter>[] {
  const { t } = useTranslation('meters');
  const format = useFormat();
  const { describe } = useAggregationWords();
  return [
    {
      key: 'name',
      label: t('meters.name'),
      sortable: true,
      card: 'title',
      render: (meter) => meter.name,
    },
    {
      key: 'key',
      label: t('meters.key'),
      sortable: true,
      // Imported meters have long keys, which would wrap to six lines below 900 px.
      show: 'wide',
      render: ({ key }) => <MachineName>{brokenAtParts(key)}</MachineName>,
    },
    {
      key: 'eventType',
      label: t('meters.event_type'),
      sortable: true,
      render: ({ eventType }) => <MachineName>{brokenAtParts(eventType)}</MachineName>,
    },
    { key: 'aggregation', label: t('meters.aggregation'), render: describe },
    { key: 'unit', label: t('meters.unit'), sortable: true, render: ({ unit }) => brokenAtParts(unit) },
    {
      key: 'dimensions',
      label: t('meters.dimensions'),
      show: 'wide',
      render: ({ dimensions }) =>
        dimensions.length === 0 ? '–' : <MachineName>{dimensions.join(', ')}</MachineName>,
    },
    {
      key: 'usedBy',
      label: t('meters.used_by'),
      align: 'right',
      sortable: true,
      render: ({ usedBy }) => (
        <Typography component="span" variant="inherit" color={usedBy === 0 ? 'textSecondary' : 'inherit'}>
          {usedBy === 0 ? t('meters.unused') : t('meters.used_count', { count: format.number(usedBy) })}
        </Typography>
      ),
    },
    {
      key: 'createdAt',
      label: t('meters.created'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
}
