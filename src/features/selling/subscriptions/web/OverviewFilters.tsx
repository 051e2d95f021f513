// The controls above the services: search, type, tabs with their counts, cards or lines, and a button to
// start a comparison. All of this is stored in the address.
import CompareArrowsOutlined from '~icons/ic/outline-compare-arrows';
import { useQuery } from '@tanstack/react-query';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import { useSearchParams } from 'react-router';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useTableState, type TableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { LookToggle } from './LookToggle.tsx';
import { useOverviewLook, type Comparison } from './overview-state.ts';

const tabs = ['all', 'popular', 'new', 'recommended'] as const;
type TabName = (typeof tabs)[number];

export type OverviewList = {
  readonly state: TableState<{ readonly tab: typeof tabs; readonly type: readonly string[] }>;
  readonly tab: TabName;
  readonly types: readonly string[];
  /** Whether search or filters narrow the list (the tab does not count). */
  readonly isNarrowed: boolean;
  readonly clear: () => void;
};

/** The list as described by the address. */
export function useOverviewList(): OverviewList {
  const [params] = useSearchParams();
  const known = useQuery(catalogueQueries.serviceTypes()).data?.types;
  const named = params.get('type');
  // Until the types are loaded, the one in the address counts as valid, so that the list is not fetched
  // twice.
  const types = known ?? (named === null ? [] : [named]);
  const state = useTableState({ filters: { tab: tabs, type: types } });
  const tab = state.filters.tab ?? 'all';
  return { state, tab, types, isNarrowed: state.isNarrowed, clear: state.clear };
}

export function OverviewFilters({
  id,
  list,
  total,
  comparison,
}: {
  id: string;
  list: OverviewList;
  total: number | undefined;
  comparison: Comparison;
}) {
  const { t } = useTranslation('subscriptions');
  const { state, tab, types } = list;
  const count = useTabCounts(list, total);
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: '12px 8px', flexWrap: 'wrap', alignItems: 'center' }}>
        <SearchField
          value={state.search}
          onSearch={state.setSearch}
          label={t('subscriptions.search_services')}
        />
        <SelectBox
          label={t('subscriptions.type')}
          value={state.filters.type ?? ''}
          options={[
            { value: '', label: t('ui.all') },
            ...types.map((type) => ({ value: type, label: type })),
          ]}
          onChange={(type) => state.setFilter('type', type === '' ? undefined : type)}
        />
        {(state.search !== '' || state.filters.type !== undefined) && (
          <Button size="small" onClick={state.clear}>
            {t('ui.clear_all')}
          </Button>
        )}
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', marginInlineStart: { sm: 'auto' } }}>
          {!comparison.isChoosing && (
            <Button startIcon={<CompareArrowsOutlined />} onClick={comparison.begin}>
              {t('subscriptions.compare')}
            </Button>
          )}
          <LookToggle {...useOverviewLook()} />
        </Stack>
      </Stack>
      {/* used as: 'subscriptions.tab_*' */}
      <ScrollableTabs
        value={tab}
        onChange={(_, next: TabName) => state.setFilter('tab', next === 'all' ? undefined : next)}
        aria-label={t('subscriptions.tabs')}
      >
        {tabs.map((one) => (
          <Tab
            key={one}
            value={one}
            label={`${t(`subscriptions.tab_${one}`)}${count(one)}`}
            id={`${id}-${one}`}
            aria-controls={`${id}-panel`}
          />
        ))}
      </ScrollableTabs>
    </Stack>
  );
}

/**
 * How many services each tab would list with the same search and type; the open tab uses the list's own
 * total.
 */
function useTabCounts(
  { state: { query }, tab }: OverviewList,
  total: number | undefined,
): (tab: TabName) => string {
  const format = useFormat();
  const { q, type } = query;
  const counts = useQuery(catalogueQueries.serviceTabs({ ...(q && { q }), ...(type && { type }) })).data;
  return (one) => {
    const known = one === tab ? total : counts?.[one];
    return known === undefined ? '' : ` ${format.number(known)}`;
  };
}
