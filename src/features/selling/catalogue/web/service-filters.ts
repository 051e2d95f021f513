// The filters of the list of services, stored in the address.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { FilterSpec } from '#platform/web/ui/FilterBar.tsx';
import { useTableState, type TableState } from '#platform/web/ui/table-state.ts';
import { releaseStates, serviceStatuses } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { releaseKeys } from './states.ts';

type Filters = {
  type: readonly string[];
  category: readonly string[];
  status: typeof serviceStatuses;
  releaseState: typeof releaseStates;
  tag: readonly string[];
};

/** The list's state, its filters, and the active filters as text. */
export function useServiceFilters(): {
  state: TableState<Filters>;
  filters: FilterSpec<Filters>;
  narrowedBy: readonly string[];
} {
  const { t } = useTranslation('catalogue');
  const [params] = useSearchParams();
  const { data } = useQuery(catalogueQueries.serviceTypes());
  // Until the types are loaded, those in the address count as valid.
  const known = (
    name: 'type' | 'category' | 'tag',
    values: readonly string[] | undefined,
  ): readonly string[] => values ?? params.getAll(name);
  const [types, categories, tags] = [
    known('type', data?.types),
    known('category', data?.categories),
    known('tag', data?.tags),
  ];
  const state = useTableState({
    filters: {
      type: types,
      category: categories,
      status: serviceStatuses,
      releaseState: releaseStates,
      tag: tags,
    },
    sort: 'name',
  });
  const option = (one: string) => ({ value: one, label: one });
  const filters: FilterSpec<Filters> = {
    type: { label: t('catalogue.type'), options: data && types.map(option) },
    category: { label: t('catalogue.category'), options: data && categories.map(option) },
    status: {
      label: t('catalogue.status'),
      options: serviceStatuses.map((one) => ({ value: one, label: t(`catalogue.status_${one}`) })),
    },
    releaseState: {
      label: t('catalogue.release'),
      options: releaseStates.map((one) => ({ value: one, label: t(releaseKeys[one]) })),
    },
    tag: { label: t('catalogue.tag'), options: data && tags.map(option) },
  };
  const words = Object.entries(filters).flatMap(([name, spec]) => {
    const chosen = spec.options?.find((one) => one.value === state.filters[name as keyof Filters]);
    return chosen ? [t('catalogue.with_name', { name: spec.label, value: chosen.label })] : [];
  });
  return {
    state,
    filters,
    narrowedBy: state.search === '' ? words : [t('table.searched', { text: state.search }), ...words],
  };
}
