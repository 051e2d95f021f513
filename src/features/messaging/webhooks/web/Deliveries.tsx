// An endpoint's deliveries: filtered, page by page; each can be opened and resent.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { isId } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { deliveryStates, eventTypes, testType, type Delivery, type Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { webhooksApi, webhooksKey, webhooksQueries } from './api.ts';
import { stateTones } from './delivery-tones.ts';
import { DeliveryPanel } from './DeliveryPanel.tsx';

const types = [...eventTypes, testType] as const;
const lookMs = 3000;

export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const [open, setOpen] = useParam('delivery');
  const state = useTableState({
    prefix: 'sent-',
    filters: { state: deliveryStates, type: types },
    sort: '-createdAt',
  });
  const query = usePagedQuery({
    ...webhooksQueries.listDeliveries({ endpointId: endpoint.id, ...state.query }),
    refetchInterval: (own) =>
      own.state.data?.items.some((each) => each.state === 'waiting') ? lookMs : false,
  });
  const replay = useCall(webhooksApi.replayDelivery, {
    invalidates: [webhooksKey()],
    onSuccess: () => toast.success(t('webhooks.replayed')),
    onError: (error) => toast.error(error.message),
  });
  // used as: 'webhooks.state_*'
  const columns: readonly Column<Delivery>[] = [
    {
      key: 'type',
      label: t('webhooks.type'),
      card: 'title',
      render: ({ type }) => (
        <Box
          component="span"
          sx={{ fontFamily: 'monospace', fontSize: '0.8125rem', overflowWrap: 'anywhere' }}
        >
          {type}
        </Box>
      ),
    },
    {
      key: 'createdAt',
      label: t('webhooks.created_at'),
      sortable: true,
      render: ({ createdAt }) => <Moment at={createdAt} as="dateTime" />,
    },
    {
      key: 'state',
      label: t('webhooks.state'),
      render: (delivery) => (
        <StatusBadge tone={stateTones[delivery.state]} label={t(`webhooks.state_${delivery.state}`)} />
      ),
    },
    { key: 'result', label: t('webhooks.result'), render: (delivery) => <Result delivery={delivery} /> },
    {
      key: 'attempts',
      label: t('webhooks.attempts'),
      align: 'right',
      show: 'wide',
      render: ({ attempts }) => <span className="tabular">{attempts}</span>,
    },
  ];
  return (
    <>
      <DataTable
        list="webhook-deliveries"
        label={t('webhooks.deliveries')}
        title={t('webhooks.deliveries')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(delivery) => delivery.id}
        rowName={(delivery) => `${delivery.type} ${format.dateTimeTable(delivery.createdAt)}`}
        searchLabel={t('webhooks.deliveries_search')}
        filters={{
          state: {
            label: t('webhooks.state'),
            options: deliveryStates.map((one) => ({ value: one, label: t(`webhooks.state_${one}`) })),
          },
          type: { label: t('webhooks.type'), options: types.map((one) => ({ value: one, label: one })) },
        }}
        onRowClick={(delivery) => setOpen(delivery.id)}
        rowActions={(delivery) => [
          {
            label: t('webhooks.replay'),
            refused: endpoint.isOn ? undefined : t('webhooks.is_off'),
            onClick: () => replay.mutate({ endpointId: endpoint.id, deliveryId: delivery.id }),
          },
        ]}
        empty={
          <EmptyState title={t('webhooks.deliveries_empty')} hint={t('webhooks.deliveries_empty_hint')} />
        }
      />
      {isId('whd', open) && (
        <DeliveryPanel endpoint={endpoint} deliveryId={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function Result({ delivery: { lastStatus, lastFailure, nextAttemptAt, attempts } }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  if (attempts === 0) return '–';
  const words = [
    ...(lastStatus === null ? [] : [t('webhooks.status', { status: lastStatus })]),
    ...(lastFailure === null || lastFailure === 'status' ? [] : [t(`webhooks.failure_${lastFailure}`)]),
  ];
  return (
    <>
      {words.join(' · ')}
      {nextAttemptAt && (
        <Typography variant="caption" component="div" color="textSecondary">
          <NoWrap text={t('webhooks.next_at', { at: format.dateTime(nextAttemptAt) })} />
        </Typography>
      )}
    </>
  );
}
