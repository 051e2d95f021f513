// Sandboxes: the list with their clocks, and a panel with one of them or the form for a new one.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Sandbox } from '../contract.ts';
import { sandboxesQueries } from './api.ts';
import { newSandbox, SandboxPanel } from './SandboxPanel.tsx';
import { isMoving, shownState, stateTones } from './sandbox-words.ts';

const movingMs = 1500;
const restingMs = 15_000;

export function SandboxesScreen() {
  const { t } = useTranslation('sandboxes');
  const [open, setOpen] = useParam('sandbox');
  const state = useTableState({ filters: {}, sort: '-createdAt' });
  const query = usePagedQuery({
    ...sandboxesQueries.listSandboxes(state.query),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isMoving) ? movingMs : restingMs),
  });
  const add = <AddButton onClick={() => setOpen(newSandbox)}>{t('sandboxes.add')}</AddButton>;
  return (
    <Page title={t('sandboxes.title')} lead={t('sandboxes.lead')} actions={add}>
      <DataTable
        list="sandboxes"
        label={t('sandboxes.title')}
        columns={useSandboxColumns()}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        searchLabel={t('sandboxes.search')}
        empty={<EmptyState title={t('sandboxes.empty')} hint={t('sandboxes.empty_hint')} action={add} />}
        onRowClick={({ id }) => setOpen(id)}
      />
      <SandboxPanel open={open} onOpen={setOpen} />
    </Page>
  );
}

function useSandboxColumns(): readonly Column<Sandbox>[] {
  const { t } = useTranslation('sandboxes');
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('sandboxes.name'),
      sortable: true,
      card: 'title',
      render: ({ name }) => name,
    },
    {
      key: 'state',
      label: t('sandboxes.state'),
      // used as: 'sandboxes.state_*'
      render: (sandbox) => {
        const state = shownState(sandbox);
        return <StatusBadge tone={stateTones[state]} label={t(`sandboxes.state_${state}`)} />;
      },
    },
    {
      key: 'clockAt',
      label: t('sandboxes.clock'),
      render: ({ clockAt }) => <Moment at={clockAt} as="dateTime" />,
    },
    {
      key: 'customers',
      label: t('sandboxes.customers'),
      align: 'right',
      show: 'wide',
      render: ({ customers }) => format.number(customers),
    },
    {
      key: 'bills',
      label: t('sandboxes.bills'),
      align: 'right',
      render: ({ bills }) => format.number(bills),
    },
    {
      key: 'mails',
      label: t('sandboxes.mails'),
      align: 'right',
      show: 'wide',
      render: ({ mails }) => format.number(mails),
    },
    {
      key: 'lastUsedAt',
      label: t('sandboxes.last_used'),
      sortable: true,
      show: 'wide',
      render: ({ lastUsedAt }) => <Moment at={lastUsedAt} as="dateTime" />,
    },
  ];
}
