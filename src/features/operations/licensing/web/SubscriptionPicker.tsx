// Selects the subscription for a license, by searching organizations and services; there may be very many.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Licensable } from '../contract.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useProblemText } from '#platform/web/form/Field.tsx';
import type { Required } from '#platform/web/form/use-required.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { licensingQueries } from './api.ts';

export function SubscriptionPicker({
  value,
  onChange,
  disabled,
  required,
}: {
  value: Licensable | null;
  onChange: (chosen: Licensable | null) => void;
  disabled: boolean;
  required: Required;
}) {
  const { t } = useTranslation('licensing');
  const format = useFormat();
  const pick = (one: Licensable) => ({
    id: one.subscriptionId,
    name: t('licensing.for_option', { organization: one.organization, service: one.service }),
    hint: one.endsAt ? t('licensing.until', { date: format.date(one.endsAt) }) : one.subscriptionId,
    one,
  });
  const missing = useProblemText(t('licensing.for'), required.problem);
  const chosen = value && pick(value);
  const { search, onType } = useSearchText(chosen?.name);
  const found = usePagedQuery(licensingQueries.listLicensable(search === '' ? {} : { q: search }));
  return (
    <SearchPicker
      label={t('licensing.for')}
      value={chosen}
      options={found.data?.items.map(pick) ?? []}
      onChange={(next) => onChange(next?.one ?? null)}
      onType={onType}
      isLoading={found.isFetching}
      none={t('licensing.for_none')}
      disabled={disabled}
      required
      problem={missing}
      inputRef={required.input}
      help={t('licensing.for_help')}
    />
  );
}
