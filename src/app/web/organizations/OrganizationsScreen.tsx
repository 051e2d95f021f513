// The Admin's organizations: a list with figures and state, and a panel with members, state, taxes and links.
import Stack from '@mui/material/Stack';
import { useQueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import {
  creditStates,
  meteringStates,
  organizationStates,
  type OrganizationAccount,
} from '../../console/contract.ts';
import { Amounts } from './Amounts.tsx';
import { organizationsKey, organizationsQueries } from './api.ts';
import { OrganizationAccountPart } from './OrganizationAccountPart.tsx';
import { stateTones } from './states.ts';

type OrganizationsScreenProps = {
  /** The panel of one organization; `above` is shown above its settings. */
  readonly Panel: ComponentType<{
    organizationId: Id<'org'>;
    onClose: () => void;
    onSaved: () => unknown;
    above: ReactNode;
  }>;
  readonly Members: ComponentType<{ organizationId: Id<'org'> }>;
  readonly Subscriptions: ComponentType<{ organizationId: Id<'org'> }>;
  readonly Tax: ComponentType<{ organizationId: Id<'org'> }>;
  readonly Credit: ComponentType<{ organizationId: Id<'org'> }>;
  readonly Policy: ComponentType<{ organizationId: Id<'org'> }>;
  readonly Portal: ComponentType<{ organizationId: Id<'org'> }>;
};

export function OrganizationsScreen({
  Panel,
  Members,
  Subscriptions,
  Tax,
  Credit,
  Policy,
  Portal,
}: OrganizationsScreenProps) {
  const { t } = useTranslation('console');
  const cache = useQueryClient();
  const [open, setOpen] = useParam('organization');
  const state = useTableState({
    filters: { state: organizationStates, metering: meteringStates, credit: creditStates },
    sort: 'name',
  });
  const query = usePagedQuery(organizationsQueries.listOrganizationAccounts(state.query));
  return (
    <Page title={t('organizations.title')} lead={t('organizations.lead')}>
      <DataTable
        list="organizations"
        label={t('organizations.title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(organization) => organization.id}
        rowName={(organization) => organization.name}
        searchLabel={t('organizations.search')}
        // used as: 'organizations.state_*'
        filters={{
          state: {
            label: t('organizations.state'),
            options: organizationStates.map((one) => ({
              value: one,
              label: t(`organizations.state_${one}`),
            })),
          },
          metering: {
            label: t('organizations.metering'),
            // used as: 'organizations.metering_*'
            options: meteringStates.map((one) => ({ value: one, label: t(`organizations.metering_${one}`) })),
          },
          credit: {
            label: t('organizations.credit'),
            // used as: 'organizations.credit_*'
            options: creditStates.map((one) => ({ value: one, label: t(`organizations.credit_${one}`) })),
          },
        }}
        empty={<EmptyState title={t('organizations.empty')} hint={t('organizations.empty_hint')} />}
        rowActions={(organization) => [{ label: t('ui.edit'), onClick: () => setOpen(organization.id) }]}
        onRowClick={(organization) => setOpen(organization.id)}
      />
      {isId('org', open) && (
        <Panel
          key={open}
          organizationId={open}
          onClose={() => setOpen(undefined)}
          onSaved={() => cache.invalidateQueries({ queryKey: organizationsKey('listOrganizationAccounts') })}
          above={
            <>
              <OrganizationAccountPart organizationId={open} />
              <Credit organizationId={open} />
              <Policy organizationId={open} />
              <Portal organizationId={open} />
              <Subscriptions organizationId={open} />
              <Members organizationId={open} />
              <Tax organizationId={open} />
            </>
          }
        />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<OrganizationAccount>[] {
  const { t } = useTranslation('console');
  const format = useFormat();
  const number = (value: number) => <span className="tabular">{format.number(value)}</span>;
  return [
    {
      key: 'name',
      label: t('organizations.name'),
      sortable: true,
      card: 'title',
      render: (organization) => organization.name,
    },
    {
      key: 'state',
      label: t('organizations.state'),
      render: (organization) => (
        <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
          <StatusBadge
            tone={stateTones[organization.state]}
            label={t(`organizations.state_${organization.state}`)}
          />
          {organization.stopped.length > 0 && (
            <StatusBadge tone="warning" label={t('organizations.metering_stopped')} />
          )}
          {organization.credit !== null && (
            <StatusBadge
              tone={organization.credit === 'reached' ? 'error' : 'warning'}
              label={t(`organizations.credit_${organization.credit}`)}
            />
          )}
        </Stack>
      ),
    },
    {
      key: 'members',
      label: t('organizations.members'),
      align: 'right',
      render: (organization) => number(organization.members),
    },
    {
      key: 'subscriptions',
      label: t('organizations.subscriptions'),
      align: 'right',
      show: 'wide',
      render: (organization) => number(organization.subscriptions),
    },
    {
      key: 'balances',
      label: t('organizations.balance'),
      align: 'right',
      render: ({ balances }) => (balances.length === 0 ? '–' : <Amounts amounts={balances} />),
    },
    {
      key: 'owed',
      label: t('organizations.owed'),
      align: 'right',
      render: ({ owed }) => (owed.length === 0 ? '–' : <Amounts amounts={owed} />),
    },
    {
      key: 'createdAt',
      label: t('organizations.created'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (organization) => <Moment at={organization.createdAt} />,
    },
  ];
}
