// The members of the user's organization: role, status, last sign-in; a User can change other members.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { CustomRoleName } from './CustomRoleName.tsx';

type RoleChange = { readonly member: Member; readonly to: 'User' | 'ReadOnly' };
type Change = RoleChange | { readonly member: Member; readonly to: 'inactive' | 'active' };

export function MemberList({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation('identity');
  const ownId = useAuthStore((auth) => auth.user?.id);
  const [change, setChange] = useState<RoleChange>();
  const query = useQuery(identityQueries.members());
  // Changes that one click can undo need no confirmation.
  const changeMember = useMemberChange();
  const actions = (member: Member): readonly RowAction[] => {
    const refused = member.id === ownId ? t('identity.member_self') : undefined;
    const other = member.role === 'User' ? 'ReadOnly' : 'User';
    return [
      // used as: 'identity.member_make_*'
      { label: t(`identity.member_make_${other}`), refused, onClick: () => setChange({ member, to: other }) },
      member.status === 'active'
        ? {
            label: t('identity.user_deactivate'),
            refused,
            onClick: () => changeMember.mutate({ member, to: 'inactive' }),
          }
        : {
            label: t('identity.user_activate'),
            onClick: () => changeMember.mutate({ member, to: 'active' }),
          },
    ];
  };
  return (
    <>
      <FullTable
        title={t('identity.members_title')}
        query={query}
        columns={useColumns(ownId)}
        rowKey={(member) => member.id}
        rowName={(member) => member.name}
        {...(mayChange && { rowActions: actions })}
        empty={<EmptyState compact title={t('identity.members_empty')} />}
      />
      {change && <Confirm change={change} onClose={() => setChange(undefined)} />}
    </>
  );
}

function useColumns(ownId: string | undefined): readonly Column<Member>[] {
  const { t } = useTranslation('identity');
  return [
    {
      key: 'name',
      label: t('identity.name'),
      card: 'title',
      render: (member) => (
        <>
          {member.name}
          {member.id === ownId && (
            <Typography component="span" variant="caption" color="textSecondary">
              {' '}
              {t('identity.user_self')}
            </Typography>
          )}
        </>
      ),
    },
    { key: 'account', label: t('identity.email'), render: (member) => <MailAddress text={member.account} /> },
    // used as: 'identity.role_*'
    {
      key: 'role',
      label: t('identity.role'),
      render: (member) => (
        <>
          <StatusBadge
            tone={member.role === 'User' ? 'info' : 'neutral'}
            icon={null}
            label={t(`identity.role_${member.role}`)}
          />
          <CustomRoleName role={member.customRole} />
        </>
      ),
    },
    {
      key: 'status',
      label: t('identity.status'),
      render: (member) => (
        <StatusBadge
          tone={member.status === 'active' ? 'success' : 'neutral'}
          label={t(`identity.status_${member.status}`)}
        />
      ),
    },
    {
      key: 'lastSignInAt',
      label: t('identity.last_sign_in'),
      render: (member) =>
        member.lastSignInAt ? (
          <Moment at={member.lastSignInAt} as="relative" />
        ) : (
          t('identity.never_signed_in')
        ),
    },
    {
      key: 'createdAt',
      label: t('identity.member_since'),
      show: 'wide',
      render: (member) => <Moment at={member.createdAt} />,
    },
  ];
}

function useMemberChange() {
  const { t } = useTranslation('identity');
  const call = ({ member: { id: userId }, to }: Change) =>
    identityApi.updateMember({
      userId,
      ...(to === 'User' || to === 'ReadOnly' ? { role: to } : { status: to }),
    });
  const messages = {
    User: 'identity.member_role_changed',
    ReadOnly: 'identity.member_role_changed',
    inactive: 'identity.user_deactivated',
    active: 'identity.user_activated',
  } as const;
  const shared = { invalidates: [identityKey('members')], onError: toast.failure };
  const undo = useCall(call, {
    ...shared,
    onSuccess: (_, { member }) => toast.success(t('identity.user_activated', { name: member.name })),
  });
  return useCall(call, {
    ...shared,
    onSuccess: (_, { member, to }) =>
      toast.success(
        t(messages[to], { name: member.name }),
        to === 'inactive'
          ? { label: t('ui.undo'), onClick: () => undo.mutate({ member, to: 'active' }) }
          : undefined,
      ),
  });
}

/** Confirms a change of role, because it signs the other member out. */
function Confirm({ change: { member, to }, onClose }: { change: RoleChange; onClose: () => void }) {
  const { t } = useTranslation('identity');
  const call = useMemberChange();
  // used as: 'identity.member_role_ask_*', 'identity.member_role_effect_*'
  return (
    <ConfirmDialog
      open
      title={t(`identity.member_role_ask_${to}`, { name: member.name })}
      consequences={[t(`identity.member_role_effect_${to}`), t('identity.member_signed_out')]}
      confirmLabel={t(`identity.member_make_${to}`)}
      tone={to === 'User' ? 'primary' : 'danger'}
      onConfirm={() => call.mutateAsync({ member, to })}
      onClose={onClose}
    />
  );
}
