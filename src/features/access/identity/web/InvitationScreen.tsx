// Accepting an invitation: inviter and organization, then name and password (R-AUTH-20).
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink, Navigate, useNavigate } from 'react-router';
import type { Out } from '#kernel/contract.ts';
import type { identity } from '../contract.ts';
import { useAuthStore, type SessionUser } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { queryCache, useCall } from '#platform/web/api/queries.ts';
import { signOut } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useLinkToken } from '#platform/web/routing/use-link-token.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { identityApi, identityQueries } from './api.ts';
import { InvitationForm, type Accepted } from './InvitationForm.tsx';

export type InvitationScreenProps = {
  /** The landing page of a role after sign-in. */
  readonly destinationOf: (user: SessionUser) => string;
  /** Signs the new member in with the password that they have just set. */
  readonly logIn: (account: string, password: string) => Promise<void>;
  readonly loginPath: string;
};

export function InvitationScreen({ destinationOf, logIn, loginPath }: InvitationScreenProps) {
  const { t } = useTranslation('identity');
  const token = useLinkToken();
  const navigate = useNavigate();
  const [isJoined, setIsJoined] = useState(false);
  const [addressToConfirm, setAddressToConfirm] = useState<string>();
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  if (user && isJoined) return <Navigate to={destinationOf(user)} replace />;
  if (user) return <SignedIn account={user.account} />;
  if (token === undefined)
    return (
      <CannotAccept footer={<ToLogin path={loginPath} />}>
        <Alert severity="info">{t('identity.invitation_no_link')}</Alert>
      </CannotAccept>
    );
  if (addressToConfirm !== undefined)
    return (
      <FormCard title={t('identity.invitation_confirm_title')} footer={<ToLogin path={loginPath} />}>
        <Alert severity="info">{t('identity.invitation_confirm', { email: addressToConfirm })}</Alert>
      </FormCard>
    );
  const enter = async ({ account, password, organization, mustConfirm }: Accepted) => {
    toast.success(t('identity.invitation_joined', { organization }));
    if (mustConfirm) return setAddressToConfirm(account);
    setIsJoined(true);
    try {
      await logIn(account, password);
    } catch (error) {
      // The account was created and only the sign-in failed; the sign-in page can repeat it.
      toast.failure(error);
      await navigate(loginPath);
    }
  };
  return <Invited key={token} token={token} onJoined={enter} loginPath={loginPath} />;
}

function ToLogin({ path }: { readonly path: string }) {
  const { t } = useTranslation('identity');
  return (
    <Link component={RouterLink} to={path} data-standalone>
      {t('identity.invitation_to_login')}
    </Link>
  );
}

function Invited({
  token,
  onJoined,
  loginPath,
}: {
  token: string;
  onJoined: (joined: Accepted) => Promise<void>;
  loginPath: string;
}) {
  const { t } = useTranslation('identity');
  // Not refetched: after the link is used up, an error would appear while the new member is being signed in.
  const query = useQuery({
    ...identityQueries.checkInvitation({ token }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (query.error)
    return (
      <CannotAccept footer={<ToLogin path={loginPath} />}>
        <Alert severity="error">{query.error.message}</Alert>
      </CannotAccept>
    );
  return (
    <QueryState
      query={query}
      skeleton={
        <FormCard title={t('identity.invitation_title')} lead={t('identity.invitation_opening')}>
          {null}
        </FormCard>
      }
    >
      {(invitation: Out<typeof identity.checkInvitation>) =>
        invitation.expired ? (
          <CannotAccept footer={<ToLogin path={loginPath} />}>
            <Alert severity="warning">{t('identity.invitation_expired')}</Alert>
          </CannotAccept>
        ) : (
          <FormCard
            title={t('identity.invitation_title')}
            lead={t('identity.invitation_lead', { organization: invitation.organization })}
            footer={<ToLogin path={loginPath} />}
          >
            <InvitationForm token={token} invitation={invitation} onJoined={onJoined} />
          </FormCard>
        )
      }
    </QueryState>
  );
}

function CannotAccept({ footer, children }: { footer?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('identity');
  return (
    <FormCard title={t('identity.invitation_cannot')} footer={footer}>
      {children}
    </FormCard>
  );
}

/** A user is signed in with this browser, but the invitation is for another account. */
function SignedIn({ account }: { account: string }) {
  const { t } = useTranslation('identity');
  const leave = useCall(identityApi.logout, {
    onSuccess: () => {
      signOut();
      queryCache.clear();
    },
    onError: toast.failure,
  });
  return (
    <FormCard title={t('identity.invitation_title')}>
      <Stack sx={{ gap: 2 }}>
        <Alert severity="info">{t('identity.invitation_signed_in', { account })}</Alert>
        <Button variant="contained" loading={leave.isPending} onClick={() => leave.mutate({})}>
          {t('identity.invitation_log_out')}
        </Button>
      </Stack>
    </FormCard>
  );
}
