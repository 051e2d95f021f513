// The resources that a source has reported, each with who pays for it; resources with waiting readings come
// first.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { resourceStates, type Resource } from '../contract.ts';
import { connectorsQueries } from './api.ts';
import { AssignDialog } from './AssignDialog.tsx';

const tones: Readonly<Record<Resource['state'], BadgeTone>> = {
  waiting: 'warning',
  mapped: 'success',
  ignored: 'neutral',
};

export function Resources({ connectorId }: { connectorId: Id<'con'> }) {
  const { t } = useTranslation('connectors');
  const [assigned, setAssigned] = useState<Resource>();
  const state = useTableState({ filters: { state: resourceStates }, sort: 'state', prefix: 'r' });
  const query = usePagedQuery(connectorsQueries.listResources({ connectorId, ...state.query }));
  return (
    <>
      <DataTable
        label={t('connectors.resources')}
        title={t('connectors.resources')}
        columns={useResourceColumns(setAssigned)}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ id }) => id}
        searchLabel={t('connectors.search_resources')}
        // used as: 'connectors.resource_*'
        filters={{
          state: {
            label: t('connectors.state'),
            options: resourceStates.map((value) => ({ value, label: t(`connectors.resource_${value}`) })),
          },
        }}
        empty={<EmptyState title={t('connectors.no_resources')} />}
      />
      {assigned && (
        <AssignDialog connectorId={connectorId} resource={assigned} onClose={() => setAssigned(undefined)} />
      )}
    </>
  );
}

function useResourceColumns(onAssign: (resource: Resource) => void): readonly Column<Resource>[] {
  const { t } = useTranslation('connectors');
  return [
    {
      key: 'id',
      label: t('connectors.resource'),
      sortable: true,
      card: 'title',
      render: ({ id }) => (
        <Typography component="span" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
          {id}
        </Typography>
      ),
    },
    {
      key: 'state',
      label: t('connectors.state'),
      sortable: true,
      render: ({ state }) => <StatusBadge tone={tones[state]} label={t(`connectors.resource_${state}`)} />,
    },
    {
      key: 'subscription',
      label: t('connectors.subscription'),
      render: (resource) => <Payer resource={resource} />,
    },
    {
      key: 'lastSeenAt',
      label: t('connectors.last_seen'),
      sortable: true,
      show: 'wide',
      render: ({ lastSeenAt }) => <Moment at={lastSeenAt} />,
    },
    {
      key: 'assign',
      label: t('connectors.assign'),
      align: 'right',
      render: (resource) => (
        <Button
          aria-haspopup="dialog"
          size="small"
          aria-label={t('connectors.assign_of', { resource: resource.id })}
          onClick={() => onAssign(resource)}
        >
          {t('connectors.assign')}
        </Button>
      ),
    },
  ];
}

/** Who pays, or why nobody does. */
function Payer({ resource: { subscription, reason, message, waiting } }: { resource: Resource }) {
  const { t } = useTranslation('connectors');
  return (
    <>
      {subscription && (
        <Typography component="div" variant="inherit">
          {`${subscription.organization} · ${subscription.name}`}
        </Typography>
      )}
      {reason && (
        // used as: 'connectors.reason_*'
        <Typography component="div" variant="caption" color="textSecondary">
          {`${message ?? t(`connectors.reason_${reason}`)} · ${t('connectors.readings_waiting', { count: waiting })}`}
        </Typography>
      )}
      {!subscription && !reason && '–'}
    </>
  );
}
