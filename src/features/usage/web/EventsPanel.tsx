// The events behind a service's figures of a month, the newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Statistics, UsageEvent } from '#features/usage/contract.ts';
import { daysOf } from '#platform/web/calendar.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money, Quantity } from '#platform/web/ui/Money.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { usageQueries } from './api.ts';
import { costMoney } from './cost-texts.ts';
import { useUsageTexts } from './texts.ts';

type Event = z.output<typeof UsageEvent>;
export type EventsPanelProps = { readonly subscriptionId: Id<'sub'> | undefined; readonly month: BillingMonth; readonly figures: Statistics | undefined; readonly onClose: () => void };

export function EventsPanel({ subscriptionId, month, figures, onClose }: EventsPanelProps) {
  const t = useUsageTexts();
  return (
    <SidePanel open={subscriptionId !== undefined} title={t('usage.events_behind')} onClose={onClose} width={760}>
      {subscriptionId !== undefined && <Events subscriptionId={subscriptionId} month={month} service={figures?.services.find((one) => one.subscriptionId === subscriptionId)} />}
    </SidePanel>
  );
}

function Events({ subscriptionId, month, service }: { subscriptionId: Id<'sub'>; month: BillingMonth; service: Statistics['services'][number] | undefined }) {
  const t = useUsageTexts();
  const format = useFormat();
  const state = useTableState({ prefix: 'events-' });
  const { first, last } = daysOf(month);
  const { limit, cursor } = state.query;
  // Days of a calendar month, made of a valid month.
  const period = { from: first as LocalDay, to: last as LocalDay };
  const query = useQuery({ ...usageQueries.events({ subscriptionId, ...period, limit, ...(cursor !== undefined && { cursor }) }), placeholderData: keepPreviousData });
  const columns: readonly Column<Event>[] = [
    { key: 'time', label: t('usage.event_time'), card: 'title', render: (event) => <Moment at={event.time} as="dateTime" /> },
    { key: 'value', label: t('usage.event_value'), align: 'right', render: (event) => <Quantity value={event.value} unit={service?.unit ?? ''} /> },
    { key: 'id', label: t('usage.event_id'), render: (event) => <Source event={event} /> },
    { key: 'receivedAt', label: t('usage.event_received'), show: 'wide', render: (event) => <Moment at={event.receivedAt} as="dateTime" /> },
  ];
  return (
    <Stack sx={{ gap: 3 }}>
      {service && (
        <Box>
          <Typography variant="h3" component="p" sx={{ marginBottom: 1.5, overflowWrap: 'anywhere' }}>{service.serviceName}</Typography>
          <Facts
            items={[
              [t('usage.month'), format.month(month)],
              [t('usage.quantity'), <Quantity key="quantity" value={service.quantity} unit={service.unit} />],
              [t('usage.previous_quantity'), <Quantity key="previous" value={service.previousQuantity} unit={service.unit} />],
              [t('usage.cost'), <Money key="cost" amount={costMoney(service.cost.amount, service.cost.currency)} strong />],
              [t('usage.exact_cost'), <span key="exact" className="tabular">{format.unitPrice(service.cost.amount, service.cost.currency)}</span>],
            ]}
          />
        </Box>
      )}
      <DataTable
        label={t('usage.events_behind')}
        title={t('usage.event_list')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(event) => `${event.source} ${event.id}`}
        rowName={(event) => event.id}
        empty={<EmptyState compact title={t('usage.empty')} hint={t('usage.events_empty_hint')} />}
      />
    </Stack>
  );
}

/** An event is named by its source and its id together. */
function Source({ event }: { event: Event }) {
  const t = useUsageTexts();
  return (
    <Box sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center' }}>
        <Typography variant="mono" component="span" sx={{ overflowWrap: 'anywhere' }}>{event.id}</Typography>
        <CopyButton text={event.id} label={t('usage.copy_id', { id: event.id })} />
      </Stack>
      <Typography variant="caption" component="span" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{event.source}</Typography>
    </Box>
  );
}
