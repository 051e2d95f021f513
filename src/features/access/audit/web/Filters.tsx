// The filters of the audit log by actor, subject and time.
import { useQuery } from '@tanstack/react-query';
import { identity } from '#features/access/identity/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { connect } from '#platform/web/api/queries.ts';
import { auditQueries } from './api.ts';

const { queries: people } = connect('identity', { listUsers: identity.listUsers }, consoleApi);
const shown = 20;

/** `name` is the user's name from the loaded rows; until a row contains it, the id is shown. */
export function ActorChoice({
  value,
  name,
  onChange,
}: {
  value: string | undefined;
  name: string | undefined;
  onChange: (actorId: string | undefined) => void;
}) {
  const { t } = useTranslation('audit');
  const chosen = value === undefined ? null : { id: value, name: name ?? value, hint: '' };
  const { search, onType } = useSearchText(chosen?.name);
  const found = usePagedQuery(people.listUsers({ limit: shown, ...(search !== '' && { q: search }) }));
  const options =
    found.data?.items.map((user) => ({ id: user.id, name: user.name, hint: user.account })) ?? [];
  return (
    <SearchPicker
      isFilter
      label={t('audit.actor')}
      none={t('audit.actor_none')}
      value={chosen}
      options={options}
      isLoading={found.isFetching}
      onType={onType}
      onChange={(next) => onChange(next?.id)}
    />
  );
}

export function ActionChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (action: string | undefined) => void;
}) {
  const { t } = useTranslation('audit');
  const language = useLanguage();
  const recordedActions = useQuery(auditQueries.auditActions({ language }));
  const options =
    recordedActions.data?.items.map(({ action, name }) => ({ id: action, name, hint: action })) ?? [];
  const chosen =
    value === undefined
      ? null
      : (options.find((one) => one.id === value) ?? { id: value, name: value, hint: '' });
  return (
    <SearchPicker
      isFilter
      label={t('audit.action')}
      none={t('audit.action_none')}
      value={chosen}
      options={options}
      isLoading={recordedActions.isFetching}
      onChange={(next) => onChange(next?.id)}
    />
  );
}
