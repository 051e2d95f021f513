// The members of one organization for an Admin: their roles; inviting, deactivating and deleting them.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { User } from '#features/access/identity/contract.ts';
import { identityApi, identityKey, identityQueries } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { RowMenu, type RowAction } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { useUserBatch } from './use-user-batch.tsx';

/** More are shown in the list of users. */
const shown = 8;

export function OrganizationMembers({ organizationId }: { organizationId: Id<'org'> }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const [isInviting, setIsInviting] = useState(false);
  const query = useQuery(identityQueries.listUsers({ organizationId, limit: shown, sort: 'name' }));
  const { begin, dialog } = useUserBatch(() => undefined);
  const change = useCall(identityApi.updateUser, {
    invalidates: [identityKey('listUsers')],
    onSuccess: (user) => toast.success(t('users.role_changed', { name: user.name })),
    onError: toast.failure,
  });
  const actionsOf = (user: User): readonly RowAction[] => {
    const other = user.role === 'User' ? 'ReadOnly' : 'User';
    return [
      // used as: 'users.make_*'
      { label: t(`users.make_${other}`), onClick: () => change.mutate({ userId: user.id, role: other }) },
      user.status === 'active'
        ? { label: t('users.deactivate'), danger: true, onClick: () => begin('deactivate', { rows: [user] }) }
        : { label: t('users.activate'), onClick: () => begin('activate', { rows: [user] }) },
      { label: t('ui.delete'), danger: true, onClick: () => begin('delete', { rows: [user] }) },
    ];
  };
  return (
    <Box component="section">
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {t('users.members')}
        </Typography>
        <Button aria-haspopup="dialog" size="small" variant="outlined" onClick={() => setIsInviting(true)}>
          {t('users.invite')}
        </Button>
      </Stack>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ items, total }) => (
          <>
            {items.length === 0 && (
              <Typography variant="body2" color="textSecondary">
                {t('users.no_members')}
              </Typography>
            )}
            <List dense disablePadding aria-label={t('users.members')}>
              {items.map((user) => (
                <ListItem key={user.id} disableGutters sx={{ gap: 1 }}>
                  <ListItemText
                    primary={user.name}
                    secondary={<MailAddress text={user.account} />}
                    slotProps={{
                      primary: { variant: 'body2' },
                      secondary: { variant: 'caption', sx: { overflowWrap: 'anywhere' } },
                    }}
                  />
                  <StatusBadge
                    tone={user.role === 'User' ? 'info' : 'neutral'}
                    icon={null}
                    label={t(`users.role_${user.role}`)}
                  />
                  {user.status !== 'active' && (
                    <StatusBadge tone="neutral" label={t(`users.status_${user.status}`)} />
                  )}
                  <RowMenu name={user.name} actions={actionsOf(user)} />
                </ListItem>
              ))}
            </List>
            {total > items.length && (
              <Typography variant="caption" color="textSecondary">
                {t('users.and_more', { count: format.number(total - items.length) })}
              </Typography>
            )}
          </>
        )}
      </QueryState>
      {dialog}
      {isInviting && <InviteDialog organizationId={organizationId} onClose={() => setIsInviting(false)} />}
    </Box>
  );
}
