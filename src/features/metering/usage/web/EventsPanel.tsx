// The events behind a figure, newest first: of a service's month, or of a day, an hour or a group.
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { firstDayOf, lastDayOf } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Statistics, usage, UsageEvent } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money, Quantity } from '#platform/web/ui/Money.tsx';
import { PathName } from '#platform/web/ui/PathName.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usageQueries } from './api.ts';
import { ChargeList } from './ChargeUsage.tsx';
import type { EventsFigure, EventsGroup } from './events-figure.ts';

type Event = z.output<typeof UsageEvent>;
/** Everything that the organization has ever metered, to choose from. */
export type MeteredName = {
  readonly id: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  readonly serviceName: string;
  readonly unit: string;
};
export type EventsPanelProps = {
  readonly subscriptionId: Id<'sub'> | undefined;
  readonly month: BillingMonth;
  /** The figure that was opened, instead of the month. */
  readonly figure: EventsFigure | undefined;
  readonly figures: Statistics | undefined;
  readonly metered: readonly MeteredName[];
  readonly onChoose: (subscriptionId: string) => void;
  readonly onClose: () => void;
};

export function EventsPanel({ subscriptionId, onClose, ...open }: EventsPanelProps) {
  const { t } = useTranslation('usage');
  return (
    <SidePanel
      open={subscriptionId !== undefined}
      title={t('usage.events_behind')}
      onClose={onClose}
      width={760}
    >
      {subscriptionId !== undefined && <Events subscriptionId={subscriptionId} {...open} />}
    </SidePanel>
  );
}

type Open = Omit<EventsPanelProps, 'subscriptionId' | 'onClose'> & { readonly subscriptionId: Id<'sub'> };

function Events({ subscriptionId, month, figure, figures, metered, onChoose }: Open) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const state = useTableState({ prefix: 'events-' });
  const { limit, cursor } = state.query;
  const query = usePagedQuery(
    usageQueries.events({
      subscriptionId,
      ...rangeOf(month, figure),
      limit,
      ...(cursor !== undefined && { cursor }),
    }),
  );
  const one = metered.find((each) => each.id === subscriptionId);
  const choices = metered.filter((each) => figure?.among.includes(each.id));
  const service = figure
    ? undefined
    : figures?.services.find((each) => each.subscriptionId === subscriptionId);
  const columns: readonly Column<Event>[] = [
    {
      key: 'time',
      label: t('usage.event_time'),
      card: 'title',
      render: (event) => <Moment at={event.time} as="dateTime" />,
    },
    {
      key: 'value',
      label: t('usage.event_value'),
      align: 'right',
      render: (event) => <Value event={event} unit={one?.unit ?? ''} />,
    },
    { key: 'id', label: t('usage.event_id'), render: (event) => <Source event={event} /> },
    {
      key: 'receivedAt',
      label: t('usage.event_received'),
      show: 'wide',
      render: (event) => <Moment at={event.receivedAt} as="dateTime" />,
    },
  ];
  return (
    <Stack sx={{ gap: 3 }}>
      {choices.length > 1 && (
        <SelectBox
          label={t('usage.service')}
          value={subscriptionId}
          options={choices.map((each) => ({ value: each.id, label: each.serviceName }))}
          onChange={onChoose}
          fullWidth
        />
      )}
      {one && (
        <Box>
          {/* The field above shows the name already. */}
          {choices.length <= 1 && (
            <Typography variant="h3" component="p" sx={{ marginBottom: 1.5, overflowWrap: 'anywhere' }}>
              {one.serviceName}
            </Typography>
          )}
          {figure ? (
            <FigureFacts figure={figure} />
          ) : (
            service && <MonthFacts month={month} service={service} />
          )}
          {!figure && service?.charges && (
            <Box sx={{ marginTop: 2 }}>
              <ChargeList
                charges={service.charges}
                label={t('usage.charges_of', { month: format.month(month) })}
              />
            </Box>
          )}
        </Box>
      )}
      <DataTable
        list="usage-events"
        label={t('usage.events_behind')}
        title={t('usage.event_list')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(event) => `${event.source} ${event.id}`}
        rowName={(event) => event.id}
        // Shown for events that were dropped; their rollups still exist.
        empty={
          (query.data?.total ?? 0) > 0 ? (
            <EmptyState compact title={t('usage.events_gone')} hint={t('usage.events_gone_hint')} />
          ) : (
            <EmptyState compact title={t('usage.empty')} hint={t('usage.events_empty_hint')} />
          )
        }
      />
    </Stack>
  );
}

type EventsInput = Omit<In<typeof usage.events>, 'subscriptionId'>;

function rangeOf(month: BillingMonth, figure: EventsFigure | undefined): EventsInput {
  if (!figure) return { from: firstDayOf(month), to: lastDayOf(month) };
  const { start, end, group } = figure;
  switch (group?.by) {
    case undefined:
      return { start, end };
    case 'key':
      return { start, end, apiKeyId: group.apiKeyId };
    case 'member':
      return { start, end, memberId: group.memberId };
    case 'property':
      return { start, end, property: group.property, value: group.value };
    case 'dimension':
      return { start, end, dimension: group.dimension, value: group.value };
  }
}

const nameOfGroup = (group: EventsGroup): string | undefined =>
  group.by === 'property' ? group.property : group.by === 'dimension' ? group.dimension : undefined;

function FigureFacts({ figure: { start, end, group } }: { figure: EventsFigure }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  return (
    <Facts
      items={[
        [t('usage.period'), `${format.dateTimeTable(start)} – ${format.dateTimeTable(end)}`],
        ...(group ? [[nameOfGroup(group) ?? t('usage.group'), group.label] as const] : []),
      ]}
    />
  );
}

function MonthFacts({ month, service }: { month: BillingMonth; service: Statistics['services'][number] }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const exact = format.unitPrice(service.cost.amount, service.cost.currency);
  return (
    <Facts
      items={[
        [t('usage.month'), format.month(month)],
        ...(service.charges
          ? []
          : [
              [
                t('usage.quantity'),
                <Quantity key="quantity" value={service.quantity} unit={service.unit} />,
              ] as const,
              [
                t('usage.previous_quantity'),
                <Quantity key="previous" value={service.previousQuantity} unit={service.unit} />,
              ] as const,
            ]),
        [t('usage.cost'), <Money key="cost" amount={service.billed} strong />],
        ...(exact === format.money(service.billed)
          ? []
          : [
              [
                t('usage.exact_cost'),
                <span key="exact" className="tabular">
                  {exact}
                </span>,
              ] as const,
            ]),
      ]}
    />
  );
}

/** A correction and the event that it canceled stay in the list; neither counts any more. */
function Value({ event, unit }: { event: Event; unit: string }) {
  const { t } = useTranslation('usage');
  return (
    <>
      <Quantity value={event.value} unit={unit} />
      {(event.voided || event.voids !== null) && (
        <Box sx={{ marginTop: 0.5 }}>
          <Chip
            size="small"
            label={event.voided ? t('usage.event_voided') : t('usage.event_voids', { id: event.voids ?? '' })}
          />
        </Box>
      )}
    </>
  );
}

/** An event is identified by its source and its id. */
function Source({ event }: { event: Event }) {
  const { t } = useTranslation('usage');
  return (
    <Box sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center' }}>
        <Typography variant="mono" component="span" sx={{ overflowWrap: 'anywhere' }}>
          {event.id}
        </Typography>
        <CopyButton text={event.id} label={t('usage.copy_id', { id: event.id })} />
      </Stack>
      <Typography variant="caption" component="span" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        <PathName>{event.source}</PathName>
      </Typography>
      {event.properties && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {Object.entries(event.properties)
            .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' · ')}
        </Typography>
      )}
    </Box>
  );
}
