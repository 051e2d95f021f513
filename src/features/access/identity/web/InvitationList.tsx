// The open invitations of the user's organization: invited address, inviter, expiry; resending and revoking.
import PersonAddOutlined from '~icons/ic/outline-person-add';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { identity, Invitation } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { CustomRoleName } from './CustomRoleName.tsx';
import { InvitationHandOver, InvitePanel, type RoleChoice } from './InvitePanel.tsx';

type Confirmation = { readonly action: 'resend' | 'revoke'; readonly invitation: Invitation };

export function InvitationList({
  mayInvite,
  customRoles,
}: {
  readonly mayInvite: boolean;
  readonly customRoles: readonly RoleChoice[];
}) {
  const { t } = useTranslation('identity');
  const [isInviting, setInviting] = useParam('invite');
  const [confirming, setConfirming] = useState<Confirmation>();
  const [sent, setSent] = useState<Out<typeof identity.invite>>();
  const query = useQuery(identityQueries.invitations());
  const invalidates = [identityKey('invitations')];
  const resend = useCall(identityApi.resendInvitation, { invalidates, onSuccess: setSent });
  const revoke = useCall(identityApi.revokeInvitation, { invalidates });
  const confirm = async ({ action, invitation: { id: invitationId, email } }: Confirmation) => {
    if (action === 'resend') return resend.mutateAsync({ invitationId });
    await revoke.mutateAsync({ invitationId });
    toast.success(t('identity.invitation_revoked', { email }));
    return undefined;
  };
  return (
    <>
      <FullTable
        title={t('identity.invitations_title')}
        {...(mayInvite && {
          actions: (
            <Button
              aria-haspopup="dialog"
              variant="contained"
              startIcon={<PersonAddOutlined />}
              onClick={() => setInviting('new')}
            >
              {t('identity.invite_add')}
            </Button>
          ),
        })}
        query={query}
        columns={useColumns()}
        rowKey={(invitation) => invitation.id}
        rowName={(invitation) => invitation.email}
        rowActions={(invitation) => [
          ...(mayInvite
            ? [
                {
                  label: t('identity.invitation_resend'),
                  onClick: () => setConfirming({ action: 'resend', invitation }),
                },
              ]
            : []),
          {
            label: t('identity.invitation_revoke'),
            danger: true,
            onClick: () => setConfirming({ action: 'revoke', invitation }),
          },
        ]}
        empty={
          <EmptyState
            compact
            title={t('identity.invitations_empty')}
            hint={t('identity.invitations_empty_hint')}
          />
        }
      />
      {confirming && (
        <ConfirmDialog
          open
          // used as: 'identity.invitation_resend_*', 'identity.invitation_revoke_*'
          title={t(`identity.invitation_${confirming.action}_ask`, { email: confirming.invitation.email })}
          consequences={[t(`identity.invitation_${confirming.action}_effect`)]}
          confirmLabel={t(`identity.invitation_${confirming.action}`)}
          tone={confirming.action === 'revoke' ? 'danger' : 'primary'}
          onConfirm={() => confirm(confirming)}
          onClose={() => setConfirming(undefined)}
        />
      )}
      {mayInvite && isInviting !== undefined && (
        <InvitePanel customRoles={customRoles} onClose={() => setInviting(undefined)} />
      )}
      {sent && <InvitationHandOver sent={sent} onClose={() => setSent(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<Invitation>[] {
  const { t } = useTranslation('identity');
  return [
    {
      key: 'email',
      label: t('identity.email'),
      card: 'title',
      render: (invitation) => <MailAddress text={invitation.email} />,
    },
    {
      key: 'role',
      label: t('identity.role'),
      render: (invitation) => (
        <>
          <StatusBadge
            tone={invitation.role === 'User' ? 'info' : 'neutral'}
            icon={null}
            label={t(`identity.role_${invitation.role}`)}
          />
          <CustomRoleName role={invitation.customRole} />
        </>
      ),
    },
    // used as: 'identity.invitation_state_*'
    {
      key: 'state',
      label: t('identity.status'),
      render: (invitation) => (
        <StatusBadge
          tone={invitation.state === 'open' ? 'primary' : 'warning'}
          label={t(`identity.invitation_state_${invitation.state}`)}
        />
      ),
    },
    {
      key: 'invitedBy',
      label: t('identity.invited_by'),
      render: (invitation) => invitation.invitedBy ?? '–',
    },
    {
      key: 'expiresAt',
      label: t('identity.invitation_until'),
      render: (invitation) => <Moment at={invitation.expiresAt} as="dateTime" />,
    },
  ];
}
