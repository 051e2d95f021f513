// The organization's endpoints: address, events, state.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { webhooksQueries } from './api.ts';
import { useEndpointActions } from './endpoint-actions.tsx';
import { EndpointPanel } from './EndpointPanel.tsx';
import { EndpointState } from './EndpointState.tsx';

export function EndpointList({ onOpen }: { onOpen: (endpointId: string) => void }) {
  const { t } = useTranslation('webhooks');
  const [isAdding, setAdding] = useState(false);
  const { actions, opened } = useEndpointActions();
  const state = useTableState({ prefix: 'hook-' });
  const query = usePagedQuery(webhooksQueries.listEndpoints(state.query));
  const add = (
    <AddButton variant="outlined" onClick={() => setAdding(true)}>
      {t('webhooks.add')}
    </AddButton>
  );
  const columns: readonly Column<Endpoint>[] = [
    {
      key: 'url',
      label: t('webhooks.url'),
      card: 'title',
      render: (endpoint) => <Where endpoint={endpoint} />,
    },
    {
      key: 'events',
      label: t('webhooks.events'),
      render: ({ eventTypes }) =>
        eventTypes === null
          ? t('webhooks.events_all')
          : t('webhooks.events_count', { count: eventTypes.length }),
    },
    { key: 'state', label: t('webhooks.state'), render: (endpoint) => <EndpointState endpoint={endpoint} /> },
    {
      key: 'lastDeliveredAt',
      label: t('webhooks.last_delivered'),
      show: 'wide',
      render: ({ lastDeliveredAt }) =>
        lastDeliveredAt ? <Moment at={lastDeliveredAt} as="relative" /> : t('webhooks.never'),
    },
    {
      key: 'queue',
      label: t('webhooks.queue'),
      align: 'right',
      render: ({ waiting, parked }) => (
        <span className="tabular">{t('webhooks.queue_value', { waiting, parked })}</span>
      ),
    },
  ];
  return (
    <>
      <DataTable
        list="webhook-endpoints"
        label={t('webhooks.title')}
        title={t('webhooks.title')}
        lead={t('webhooks.lead')}
        {...(query.data !== undefined && query.data.total > 0 && { actions: add })}
        columns={columns}
        query={query}
        state={state}
        rowKey={(endpoint) => endpoint.id}
        rowName={(endpoint) => endpoint.url}
        onRowClick={(endpoint) => onOpen(endpoint.id)}
        isPanel={false}
        rowActions={actions}
        empty={<EmptyState title={t('webhooks.empty')} hint={t('webhooks.empty_hint')} action={add} />}
      />
      {opened}
      {isAdding && <EndpointPanel onClose={() => setAdding(false)} />}
    </>
  );
}

function Where({ endpoint: { url, description } }: { endpoint: Endpoint }) {
  return (
    <Box component="span" sx={{ display: 'block', minWidth: 0, maxWidth: 420, overflowWrap: 'anywhere' }}>
      <Typography variant="body2" component="span" sx={{ display: 'block' }}>
        {url}
      </Typography>
      {description !== '' && (
        <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
          {description}
        </Typography>
      )}
    </Box>
  );
}
