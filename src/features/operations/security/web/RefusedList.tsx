// The list of failed sign-ins.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Refused } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { securityQueries } from './api.ts';

const reasons = [
  'unknown',
  'password',
  'inactive',
  'unverified',
  'otp',
  'passkey',
  'reset',
  'verify',
] as const;
const isReason = (reason: string): reason is (typeof reasons)[number] =>
  (reasons as readonly string[]).includes(reason);

export function RefusedList() {
  const { t } = useTranslation('security');
  const state = useTableState({ sort: '-at', prefix: 'refused-' });
  const query = usePagedQuery(securityQueries.listRefused(state.query));
  // used as: 'security.way_*', 'security.reason_*'
  const columns: readonly Column<Refused>[] = [
    {
      key: 'who',
      label: t('security.user'),
      card: 'title',
      render: ({ user, reason }) =>
        user ? (
          <>
            {user.name}
            <Typography variant="caption" component="p" color="textSecondary">
              <MailAddress text={user.account} />
            </Typography>
          </>
        ) : (
          t(reason === 'unknown' ? 'security.unknown_account' : 'security.way_other')
        ),
    },
    { key: 'way', label: t('security.way'), width: 120, render: ({ way }) => t(`security.way_${way}`) },
    // For an external provider, the audit log contains the error code.
    {
      key: 'reason',
      label: t('security.reason'),
      width: 160,
      render: ({ reason }) => (isReason(reason) ? t(`security.reason_${reason}`) : <code>{reason}</code>),
    },
    { key: 'address', label: t('security.address'), width: 130, render: ({ address }) => address ?? '–' },
    {
      key: 'at',
      label: t('security.when'),
      sortable: true,
      width: 160,
      render: ({ at }) => <Moment at={at} as="dateTime" />,
    },
  ];
  return (
    <DataTable
      list="refused-sign-ins"
      title={t('security.refused_title')}
      label={t('security.refused_title')}
      columns={columns}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ user }) => user?.name ?? t('security.unknown_account')}
      searchLabel={t('security.refused_search')}
      empty={<EmptyState title={t('security.refused_empty')} hint={t('security.refused_empty_hint')} />}
    />
  );
}
