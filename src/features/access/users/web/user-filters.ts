// The filters of the list of users, stored in the URL.
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import { roles } from '#kernel/roles.ts';
import { everyUserStatus } from '#features/access/identity/contract.ts';
import { identityQueries } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { FilterSpec } from '#platform/web/ui/FilterBar.tsx';
import { useTableState, type TableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';

type Filters = { role: typeof roles; status: typeof everyUserStatus; organizationId: readonly Id<'org'>[] };

/** The list's state, its filters, and the active filters as texts. */
export function useUserFilters(): {
  state: TableState<Filters>;
  filters: FilterSpec<Filters>;
  narrowedBy: readonly string[];
} {
  const { t } = useTranslation('users');
  const [organizationId] = useParam('organizationId');
  const one = isId('org', organizationId) ? organizationId : undefined;
  // The filter comes from a link on an organization's page; there are too many organizations for a select.
  const organization = useQuery({
    ...identityQueries.adminOrganization({ organizationId: one ?? ('' as Id<'org'>) }),
    enabled: one !== undefined,
  });
  const state = useTableState({
    filters: { role: roles, status: everyUserStatus, organizationId: one ? [one] : [] },
    sort: '-createdAt',
  });
  const filters: FilterSpec<Filters> = {
    role: {
      label: t('users.column_role'),
      options: roles.map((value) => ({ value, label: t(`users.role_${value}`) })),
    },
    status: {
      label: t('users.column_status'),
      options: everyUserStatus.map((value) => ({ value, label: t(`users.status_${value}`) })),
    },
    organizationId: {
      label: t('users.column_organization'),
      options: one ? [{ value: one, label: organization.data?.name ?? one }] : [],
    },
  };
  const words = Object.entries(filters).flatMap(([name, spec]) => {
    const chosen = spec.options?.find((option) => option.value === state.filters[name as keyof Filters]);
    return chosen ? [t('users.with_name', { name: spec.label, value: chosen.label })] : [];
  });
  return {
    state,
    filters,
    narrowedBy: state.search === '' ? words : [t('table.searched', { text: state.search }), ...words],
  };
}
