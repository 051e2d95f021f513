// An Admin's organizations: list with search, and a panel that says how one is billed and taxed.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isId } from '#kernel/ids.ts';
import type { Organization } from '#features/identity/contract.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { DensityToggle } from '#platform/web/ui/DensityToggle.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/use-param.ts';
import { identityQueries } from './api.ts';
import { OrganizationPanel } from './OrganizationPanel.tsx';
import { useIdentityTexts } from './texts.ts';

export function OrganizationsScreen() {
  const t = useIdentityTexts();
  const [open, setOpen] = useParam('organization');
  const state = useTableState({ sort: 'name' });
  const query = useQuery({ ...identityQueries.listOrganizations(state.query), placeholderData: keepPreviousData });
  return (
    <Page title={t('identity.organizations_title')} lead={t('identity.organizations_lead')}>
      <DataTable
        label={t('identity.organizations_title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(organization) => organization.id}
        rowName={(organization) => organization.name}
        searchLabel={t('identity.organizations_search')}
        toolbar={<DensityToggle />}
        empty={<EmptyState title={t('identity.organizations_empty')} hint={t('identity.organizations_empty_hint')} />}
        rowActions={(organization) => [{ label: t('ui.edit'), onClick: () => setOpen(organization.id) }]}
        onRowClick={(organization) => setOpen(organization.id)}
      />
      {isId('org', open) && <OrganizationPanel key={open} organizationId={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Organization>[] {
  const t = useIdentityTexts();
  return [
    { key: 'name', label: t('identity.organization'), sortable: true, card: 'title', render: (organization) => organization.name },
    { key: 'taxId', label: t('identity.tax_id'), render: (organization) => organization.taxId || '–' },
    // used as: 'identity.tax_status_*'
    { key: 'taxStatus', label: t('identity.tax_status'), render: (organization) => <StatusBadge tone={organization.taxStatus === 'standard' ? 'neutral' : 'info'} icon={null} label={t(`identity.tax_status_${organization.taxStatus}`)} /> },
    { key: 'billingEmail', label: t('identity.billing_email'), show: 'wide', render: (organization) => organization.billingEmail || '–' },
    { key: 'timeZone', label: t('identity.time_zone'), show: 'wide', card: 'hidden', render: (organization) => organization.timeZone },
    { key: 'createdAt', label: t('identity.created_at'), sortable: true, show: 'wide', card: 'hidden', render: (organization) => <Moment at={organization.createdAt} /> },
  ];
}
