// An Admin's users: list with search and filters, and a panel to make or change one (R-ADM-02).
import AddOutlined from '@mui/icons-material/AddOutlined';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roles } from '#kernel/roles.ts';
import { userStatuses, type User } from '#features/identity/contract.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { DensityToggle } from '#platform/web/ui/DensityToggle.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/use-param.ts';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';
import { newUser, UserPanel } from './UserPanel.tsx';

export type UsersScreenProps = {
  /** What else an Admin may do to a user, beside the form that changes them. */
  readonly actions?: (user: User) => ReactNode;
};

export function UsersScreen({ actions: userActions }: UsersScreenProps) {
  const t = useIdentityTexts();
  const [open, setOpen] = useParam('user');
  const state = useTableState({ filters: { role: roles, status: userStatuses }, sort: '-createdAt' });
  const query = useQuery({ ...identityQueries.listUsers(state.query), placeholderData: keepPreviousData });
  const columns = useColumns();
  const actions = useActions(setOpen);
  const add = <Button variant="contained" startIcon={<AddOutlined />} onClick={() => setOpen(newUser)}>{t('identity.user_add')}</Button>;
  return (
    <Page title={t('identity.users_title')} actions={add}>
      <DataTable
        label={t('identity.users_title')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(user) => user.id}
        rowName={(user) => user.name}
        searchLabel={t('identity.users_search')}
        filters={{
          // used as: 'identity.role_*', 'identity.status_*'
          role: { label: t('identity.role'), options: roles.map((one) => ({ value: one, label: t(`identity.role_${one}`) })) },
          status: { label: t('identity.status'), options: userStatuses.map((one) => ({ value: one, label: t(`identity.status_${one}`) })) },
        }}
        toolbar={<DensityToggle />}
        empty={<EmptyState title={t('identity.users_empty')} hint={t('identity.users_empty_hint')} action={add} />}
        rowActions={actions}
        onRowClick={(user) => setOpen(user.id)}
      />
      <UserPanel open={open} onClose={() => setOpen(undefined)} actions={userActions} />
    </Page>
  );
}

function useColumns(): readonly Column<User>[] {
  const t = useIdentityTexts();
  const ownId = useAuthStore((auth) => auth.user?.id);
  return [
    {
      key: 'name', label: t('identity.name'), sortable: true, card: 'title',
      render: (user) => <>{user.name}{user.id === ownId && <Typography component="span" variant="caption" color="textSecondary"> {t('identity.user_self')}</Typography>}</>,
    },
    { key: 'account', label: t('identity.email'), sortable: true, render: (user) => user.account },
    { key: 'role', label: t('identity.role'), render: (user) => <StatusBadge tone={user.role === 'Admin' ? 'admin' : user.role === 'User' ? 'info' : 'neutral'} icon={null} label={t(`identity.role_${user.role}`)} /> },
    { key: 'organization', label: t('identity.user_organization'), render: (user) => user.organization ?? '–' },
    { key: 'status', label: t('identity.status'), render: (user) => <StatusBadge tone={user.status === 'active' ? 'success' : 'neutral'} label={t(`identity.status_${user.status}`)} /> },
    { key: 'lastSignInAt', label: t('identity.last_sign_in'), show: 'wide', render: (user) => (user.lastSignInAt ? <Moment at={user.lastSignInAt} as="relative" /> : t('identity.never_signed_in')) },
    { key: 'createdAt', label: t('identity.created_at'), sortable: true, show: 'wide', card: 'hidden', render: (user) => <Moment at={user.createdAt} /> },
  ];
}

/** Activating and deactivating can be taken back, so they happen at once and offer to undo. */
function useActions(edit: (userId: string) => void): (user: User) => readonly RowAction[] {
  const t = useIdentityTexts();
  const ownId = useAuthStore((auth) => auth.user?.id);
  const change = useCall(identityApi.updateUser, { invalidates: [identityKey('listUsers'), identityKey('getUser')], onError: toast.failure });
  const setStatus = (user: User, status: User['status'], isUndo = false) =>
    change.mutate({ userId: user.id, status }, {
      onSuccess: () => {
        const undo = { label: t('ui.undo'), onClick: () => setStatus(user, user.status, true) };
        toast.success(t(status === 'active' ? 'identity.user_activated' : 'identity.user_deactivated', { name: user.name }), isUndo ? undefined : undo);
      },
    });
  return (user) => [
    { label: t('ui.edit'), onClick: () => edit(user.id) },
    user.status === 'active'
      ? { label: t('identity.user_deactivate'), danger: true, refused: user.id === ownId ? t('identity.user_self_protected') : undefined, onClick: () => setStatus(user, 'inactive') }
      : { label: t('identity.user_activate'), onClick: () => setStatus(user, 'active') },
  ];
}
