// Sign-in with Google: tries to register, then to sign in; for an existing account it asks for the password.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { ApiError } from '#platform/web/api/api-error.ts';
import { rememberMethod } from '#features/access/signin/web/index.ts';
import { LastUsed } from '#features/access/signin/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { federationApi } from './api.ts';
import { GoogleSlot } from './GoogleSlot.tsx';
import { registerOrLogin } from './google-sign-in.ts';
import { LinkDialog } from './LinkDialog.tsx';

type State =
  | { readonly is: 'open' | 'busy' | 'link' | 'unavailable' }
  | { readonly is: 'refused'; readonly sentence: string };

export function GoogleButton() {
  const { t } = useTranslation('federation');
  const [state, setState] = useState<State>({ is: 'open' });
  const enter = async (idToken: string | undefined) => {
    if (idToken === undefined) {
      toast.error(t('federation.google_failed'));
      return;
    }
    setState({ is: 'busy' });
    try {
      signIn(await registerOrLogin(idToken));
      rememberMethod('google');
      toast.success(t('federation.signed_in'));
    } catch (error) {
      const code = error instanceof ApiError ? error.code : '';
      if (code === 'federation.link_required') return setState({ is: 'link' });
      if (code === 'federation.google_unavailable') return setState({ is: 'unavailable' });
      toast.error(t('auth.google_login_failed'));
      // Shows the reason only if the user can do something about it.
      setState(
        code.startsWith('federation.') && error instanceof Error
          ? { is: 'refused', sentence: error.message }
          : { is: 'open' },
      );
    }
  };
  if (state.is === 'unavailable')
    return <Alert severity="warning">{t('federation.google_unavailable')}</Alert>;
  return (
    <Box>
      {state.is === 'refused' && (
        <Alert severity="error" role="alert" sx={{ marginBottom: 1 }}>
          {state.sentence}
        </Alert>
      )}
      {state.is === 'busy' && <Spinner />}
      <Box sx={{ display: state.is === 'busy' ? 'none' : 'block' }}>
        <LastUsed method="google">
          <GoogleSlot onCredential={(idToken) => void enter(idToken)} note={t('federation.google_terms')} />
        </LastUsed>
      </Box>
      {state.is === 'link' && (
        <LinkDialog
          lead={t('federation.link_required')}
          onCancel={() => setState({ is: 'open' })}
          onProve={async (proof) => signIn(await federationApi.confirmLink(proof))}
        />
      )}
    </Box>
  );
}
