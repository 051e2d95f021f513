// The Admin's list of connectors, and a panel with one of them or the form to create one.
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
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Connector } from '../contract.ts';
import { connectorsKey, connectorsQueries } from './api.ts';
import { shownState, stateTones, useFailureText, useLagText } from './connector-words.ts';
import { ConnectorPanel, newConnector } from './ConnectorPanel.tsx';

export function ConnectorsScreen() {
  const { t } = useTranslation('connectors');
  const [open, setOpen] = useParam('connector');
  const state = useTableState({ filters: {}, sort: 'name' });
  useLive('connectors', [connectorsKey()]);
  const query = usePagedQuery(connectorsQueries.listConnectors(state.query));
  const add = <AddButton onClick={() => setOpen(newConnector)}>{t('connectors.add')}</AddButton>;
  return (
    <Page title={t('connectors.title')} lead={t('connectors.lead')} actions={add}>
      <DataTable
        list="connectors"
        label={t('connectors.title')}
        columns={useConnectorColumns()}
        query={query}
        state={state}
        rowKey={(connector) => connector.id}
        rowName={(connector) => connector.name}
        searchLabel={t('connectors.search')}
        empty={<EmptyState title={t('connectors.empty')} hint={t('connectors.empty_hint')} action={add} />}
        onRowClick={(connector) => setOpen(connector.id)}
        isMarked={(connector) => connector.failure !== null}
      />
      <ConnectorPanel open={open} onOpen={setOpen} />
    </Page>
  );
}

function useConnectorColumns(): readonly Column<Connector>[] {
  const { t } = useTranslation('connectors');
  const format = useFormat();
  const failureText = useFailureText();
  const lagText = useLagText();
  return [
    { key: 'name', label: t('connectors.name'), sortable: true, card: 'title', render: ({ name }) => name },
    {
      key: 'state',
      label: t('connectors.state'),
      // used as: 'connectors.state_*'
      render: (connector) => {
        const shown = shownState(connector);
        return <StatusBadge tone={stateTones[shown]} label={t(`connectors.state_${shown}`)} />;
      },
    },
    {
      key: 'kind',
      label: t('connectors.kind'),
      show: 'wide',
      // used as: 'connectors.kind_*'
      render: ({ options }) => t(`connectors.kind_${options.kind}`),
    },
    {
      key: 'readUntil',
      label: t('connectors.read_until'),
      sortable: true,
      render: ({ readUntil }) => <Moment at={readUntil} as="dateTime" />,
    },
    {
      key: 'lag',
      label: t('connectors.lag'),
      align: 'right',
      show: 'wide',
      render: ({ lagSeconds }) => lagText(lagSeconds),
    },
    {
      key: 'events',
      label: t('connectors.events'),
      align: 'right',
      render: ({ events }) => format.number(events),
    },
    {
      key: 'waiting',
      label: t('connectors.waiting'),
      align: 'right',
      render: ({ waitingResources }) => (
        <Typography
          component="span"
          variant="inherit"
          color={waitingResources === 0 ? 'textSecondary' : 'inherit'}
        >
          {waitingResources === 0
            ? t('connectors.none')
            : t('connectors.waiting_count', { count: waitingResources })}
        </Typography>
      ),
    },
    {
      key: 'failure',
      label: t('connectors.last_error'),
      show: 'wide',
      render: ({ failure }) => (
        <Typography component="span" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
          {failure ? failureText(failure) : '–'}
        </Typography>
      ),
    },
  ];
}
