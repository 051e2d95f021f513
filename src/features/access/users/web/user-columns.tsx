// The columns of the list of users.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { User } from '#features/access/identity/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { CustomRoleName } from '#features/access/identity/web/parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';

const roleTones = { Admin: 'admin', User: 'info', ReadOnly: 'neutral' } as const;
const statusTones = { active: 'success', inactive: 'neutral', deleted: 'error' } as const;

export function useUserColumns(): readonly Column<User>[] {
  const { t } = useTranslation('users');
  const ownId = useAuthStore((auth) => auth.user?.id);
  // used as: 'users.role_*', 'users.status_*'
  return [
    {
      key: 'name',
      label: t('users.column_name'),
      sortable: true,
      card: 'title',
      render: (user) => (
        <>
          {user.name}
          {user.id === ownId && (
            <Typography component="span" variant="caption" color="textSecondary">
              {' '}
              {t('users.self')}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'account',
      label: t('users.email'),
      sortable: true,
      // Fits most addresses in two lines when every column is narrow; a width would only be a hint.
      render: (user) => (
        <Box component="span" sx={{ display: 'block', minWidth: 136 }}>
          <MailAddress text={user.account} />
        </Box>
      ),
    },
    {
      key: 'role',
      label: t('users.column_role'),
      render: (user) => (
        <>
          <StatusBadge tone={roleTones[user.role]} icon={null} label={t(`users.role_${user.role}`)} />
          <CustomRoleName role={user.customRole} />
        </>
      ),
    },
    {
      key: 'organization',
      label: t('users.column_organization'),
      card: 'hidden',
      render: (user) => user.organization ?? '–',
    },
    {
      key: 'status',
      label: t('users.column_status'),
      render: (user) => (
        <StatusBadge tone={statusTones[user.status]} label={t(`users.status_${user.status}`)} />
      ),
    },
    {
      key: 'lastSignInAt',
      label: t('users.column_lastSignInAt'),
      show: 'wide',
      card: 'hidden',
      render: (user) =>
        user.lastSignInAt ? <Moment at={user.lastSignInAt} as="relative" /> : t('users.never_signed_in'),
    },
    {
      key: 'createdAt',
      label: t('users.column_createdAt'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (user) => <Moment at={user.createdAt} />,
    },
  ];
}
