// The open sessions of all users, each of which an Admin can end.
import LogoutOutlined from '~icons/ic/outline-logout';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { roles } from '#kernel/roles.ts';
import { deviceName } from '#features/access/identity/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { OpenSession } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { securityApi, securityKey, securityQueries } from './api.ts';

export function OpenSessions() {
  const { t } = useTranslation('security');
  const format = useFormat();
  const [confirming, setConfirming] = useState<OpenSession>();
  const state = useTableState({ filters: { role: roles }, sort: '-id', prefix: 'session-' });
  const query = usePagedQuery(securityQueries.listOpenSessions(state.query));
  const end = useCall(securityApi.endOpenSession, {
    invalidates: [securityKey('listOpenSessions'), securityKey('securityState')],
    onSuccess: () => toast.success(t('security.ended')),
  });
  // used as: 'security.role_*'
  const columns: readonly Column<OpenSession>[] = [
    {
      key: 'user',
      label: t('security.user'),
      card: 'title',
      render: ({ name, account, current }) => (
        <>
          {name}
          <Typography variant="caption" component="p" color="textSecondary">
            <MailAddress text={account} />
          </Typography>
          {current && <StatusBadge tone="info" label={t('security.current')} />}
        </>
      ),
    },
    { key: 'role', label: t('security.role'), width: 128, render: ({ role }) => t(`security.role_${role}`) },
    { key: 'device', label: t('security.device'), show: 'wide', render: ({ device }) => deviceName(device) },
    { key: 'address', label: t('security.address'), width: 130, render: ({ address }) => address },
    {
      key: 'id',
      label: t('security.opened'),
      sortable: true,
      show: 'wide',
      width: 160,
      render: ({ createdAt }) => <Moment at={createdAt} as="dateTime" />,
    },
    {
      key: 'seen',
      label: t('security.seen'),
      width: 120,
      render: ({ lastSeenAt }) => <Moment at={lastSeenAt} as="relative" />,
    },
  ];
  return (
    <>
      <DataTable
        list="sessions"
        title={t('security.sessions_title')}
        label={t('security.sessions_title')}
        columns={columns}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ name, device }) => `${name} · ${deviceName(device)}`}
        rowDetail={({ createdAt }) => format.dateTimeTable(createdAt)}
        searchLabel={t('security.sessions_search')}
        filters={{
          role: {
            label: t('security.role'),
            options: roles.map((role) => ({ value: role, label: t(`security.role_${role}`) })),
          },
        }}
        rowActions={(session) =>
          session.current
            ? []
            : [
                {
                  label: t('security.end'),
                  icon: <LogoutOutlined />,
                  danger: true,
                  onClick: () => setConfirming(session),
                },
              ]
        }
        empty={<EmptyState title={t('security.sessions_empty')} hint={t('security.sessions_empty_hint')} />}
      />
      <ConfirmDialog
        open={confirming !== undefined}
        title={t('security.end_ask', { name: confirming?.name ?? '' })}
        consequences={[t('security.end_effect')]}
        confirmLabel={t('security.end')}
        tone="danger"
        onConfirm={() => (confirming ? end.mutateAsync({ sessionId: confirming.id }) : undefined)}
        onClose={() => setConfirming(undefined)}
      />
    </>
  );
}
