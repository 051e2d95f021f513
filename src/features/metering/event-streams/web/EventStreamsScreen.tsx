// The Admin's list of event streams, and a panel with one of them or the form to create one.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { EventStream } from '../contract.ts';
import { eventStreamsKey, eventStreamsQueries } from './api.ts';
import { EventStreamPanel, newStream } from './EventStreamPanel.tsx';
import { shownState, stateTones, useFailureText } from './stream-words.ts';

export function EventStreamsScreen() {
  const { t } = useTranslation('eventstreams');
  const [open, setOpen] = useParam('stream');
  const state = useTableState({ filters: {}, sort: 'name' });
  useLive('event-streams', [eventStreamsKey()]);
  const query = usePagedQuery(eventStreamsQueries.listEventStreams(state.query));
  const add = <AddButton onClick={() => setOpen(newStream)}>{t('eventstreams.add')}</AddButton>;
  return (
    <Page title={t('eventstreams.title')} lead={t('eventstreams.lead')} actions={add}>
      <DataTable
        list="event-streams"
        label={t('eventstreams.title')}
        columns={useStreamColumns()}
        query={query}
        state={state}
        rowKey={(stream) => stream.id}
        rowName={(stream) => stream.name}
        searchLabel={t('eventstreams.search')}
        empty={
          <EmptyState title={t('eventstreams.empty')} hint={t('eventstreams.empty_hint')} action={add} />
        }
        onRowClick={(stream) => setOpen(stream.id)}
        isMarked={(stream) => stream.failure !== null}
      />
      <EventStreamPanel open={open} onOpen={setOpen} />
    </Page>
  );
}

function useStreamColumns(): readonly Column<EventStream>[] {
  const { t } = useTranslation('eventstreams');
  const format = useFormat();
  const failureText = useFailureText();
  return [
    {
      key: 'name',
      label: t('eventstreams.name'),
      sortable: true,
      card: 'title',
      render: ({ name }) => name,
    },
    {
      key: 'state',
      label: t('eventstreams.state'),
      // used as: 'eventstreams.state_*'
      render: (stream) => {
        const shown = shownState(stream);
        return <StatusBadge tone={stateTones[shown]} label={t(`eventstreams.state_${shown}`)} />;
      },
    },
    {
      key: 'kind',
      label: t('eventstreams.kind'),
      show: 'wide',
      // used as: 'eventstreams.kind_*'
      render: ({ options }) => t(`eventstreams.kind_${options.kind}`),
    },
    {
      key: 'lag',
      label: t('eventstreams.lag'),
      align: 'right',
      render: ({ lag }) => (lag === null ? '–' : format.number(lag)),
    },
    {
      key: 'rate',
      label: t('eventstreams.rate'),
      align: 'right',
      show: 'wide',
      render: ({ eventsPerMinute }) => format.number(eventsPerMinute),
    },
    {
      key: 'events',
      label: t('eventstreams.events'),
      align: 'right',
      render: ({ events }) => format.number(events),
    },
    {
      key: 'rejected',
      label: t('eventstreams.rejected'),
      align: 'right',
      render: ({ rejected }) => (
        <Typography component="span" variant="inherit" color={rejected === 0 ? 'textSecondary' : 'inherit'}>
          {rejected === 0 ? t('eventstreams.none') : format.number(rejected)}
        </Typography>
      ),
    },
    {
      key: 'failure',
      label: t('eventstreams.last_error'),
      show: 'wide',
      render: ({ failure }) =>
        failure ? (
          <Typography component="span" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
            {failureText(failure)}
          </Typography>
        ) : (
          '–'
        ),
    },
  ];
}
