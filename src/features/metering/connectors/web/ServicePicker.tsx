// Chooses a service by searching for it.
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';

export type ChosenService = { readonly id: Id<'svc'>; readonly name: string };
const shown = 20;

export function ServicePicker({
  value,
  onChange,
  problem,
}: {
  value: ChosenService | null;
  onChange: (chosen: ChosenService | null) => void;
  problem?: string | undefined;
}) {
  const { t } = useTranslation('connectors');
  const { search, onType } = useSearchText(value?.name);
  const found = usePagedQuery(
    catalogueQueries.adminListServices({
      limit: shown,
      status: 'active',
      ...(search !== '' && { q: search }),
    }),
  );
  return (
    <SearchPicker
      label={t('connectors.service')}
      value={value}
      options={found.data?.items.map(({ id, name }) => ({ id, name })) ?? []}
      onChange={(next) => onChange(next && { id: next.id, name: next.name })}
      onType={onType}
      isLoading={found.isFetching}
      none={t('connectors.no_services')}
      problem={problem}
      required
    />
  );
}
