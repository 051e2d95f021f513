// Settings from environment variables, without secrets: shown so that Admins do not search for them
// elsewhere.
import { useQuery } from '@tanstack/react-query';
import type { EnvironmentSetting } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { administrationQueries } from './api.ts';

export function Environment() {
  const { t } = useTranslation('administration');
  const query = useQuery(administrationQueries.environment());
  const valueOf = ({ isGiven, isSecret, value }: EnvironmentSetting) =>
    isSecret ? (
      t(isGiven ? 'administration.environment_secret' : 'administration.environment_none')
    ) : value === null ? (
      t('administration.environment_none')
    ) : (
      <code>{value}</code>
    );
  const columns: readonly Column<EnvironmentSetting>[] = [
    {
      key: 'name',
      label: t('administration.environment_name'),
      card: 'title',
      width: 260,
      render: ({ name }) => <code>{name}</code>,
    },
    { key: 'value', label: t('administration.environment_value'), render: valueOf },
    {
      key: 'source',
      label: t('administration.environment_source'),
      width: 120,
      render: ({ isGiven }) => (
        <StatusBadge
          tone={isGiven ? 'info' : 'neutral'}
          icon={null}
          label={t(isGiven ? 'administration.environment_given' : 'administration.environment_default')}
        />
      ),
    },
  ];
  return (
    <QueryState query={query} skeleton={<Block height={320} />}>
      {({ items }) => (
        <FullTable
          title={t('administration.section_environment')}
          lead={t('administration.section_environment_lead')}
          columns={columns}
          rows={items}
          rowKey={({ name }) => name}
          rowName={({ name }) => name}
        />
      )}
    </QueryState>
  );
}
