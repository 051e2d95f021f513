// Selects a service by searching for it.
import type { Id } from '#kernel/ids.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export type ChosenService = { readonly id: Id<'svc'>; readonly name: string };
const shown = 20;

export function ServiceField({
  value,
  problem,
  onChange,
}: {
  value: ChosenService | null;
  /** The problem with the value, if any. */ problem?: string | undefined;
  onChange: (chosen: ChosenService | null) => void;
}) {
  const { t } = useTranslation('announcements');
  const { search, onType } = useSearchText(value?.name);
  const found = usePagedQuery(
    catalogueQueries.adminListServices({ limit: shown, ...(search !== '' && { q: search }) }),
  );
  return (
    <SearchPicker
      label={t('announcements.service')}
      value={value}
      options={found.data?.items.map(({ id, name }) => ({ id, name })) ?? []}
      onChange={onChange}
      onType={onType}
      isLoading={found.isFetching}
      none={t('announcements.no_service')}
      required
      problem={problem}
    />
  );
}
