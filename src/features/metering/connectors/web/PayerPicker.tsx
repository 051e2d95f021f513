// Chooses the subscription that pays, by searching organizations and services, since there may be very many.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Payer } from '../contract.ts';
import { connectorsQueries } from './api.ts';

export function PayerPicker({
  value,
  onChange,
  problem,
}: {
  value: Payer | null;
  onChange: (chosen: Payer | null) => void;
  problem?: string | undefined;
}) {
  const { t } = useTranslation('connectors');
  const pick = (one: Payer) => ({
    id: one.id,
    name: `${one.organization} · ${one.name}`,
    hint: one.id,
    one,
  });
  const chosen = value && pick(value);
  const { search, onType } = useSearchText(chosen?.name);
  const found = usePagedQuery(connectorsQueries.listPayers(search === '' ? {} : { q: search }));
  return (
    <SearchPicker
      label={t('connectors.subscription')}
      value={chosen}
      options={found.data?.items.map(pick) ?? []}
      onChange={(next) => onChange(next?.one ?? null)}
      onType={onType}
      isLoading={found.isFetching}
      none={t('connectors.no_payers')}
      problem={problem}
      required
    />
  );
}
