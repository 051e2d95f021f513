// The page to which an identity provider redirects users (R-SHELL-01, R-AUTH-06). The answer is removed from
// the URL at once; the page is never blank.
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { signinPaths } from '#features/access/signin/contract.ts';
import { safeReturnPath } from '../rules.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { federationApi } from './api.ts';
import { completeSignIn, forgetAnswer, takeAnswer } from './complete-sign-in.ts';
import { LinkPanel } from './LinkPanel.tsx';
import { problemOf, type Problem } from './problem.ts';
import { ProblemNotice } from './ProblemNotice.tsx';
import { provider } from './provider.ts';

export type CallbackScreenProps = {
  /** The user's destination after sign-in, given the path where it started. */
  readonly destinationOf: (user: SessionUser, returnTo: string | null) => string;
};

/** After this long, a link back is offered. */
const patienceMs = 10_000;
type State =
  | { readonly is: 'working' }
  | { readonly is: 'failed'; readonly problem: Problem }
  /** An account with this address exists here: its owner can link the two. */
  | { readonly is: 'prove' }
  /** A signed-in user is linking an account from the profile. */
  | { readonly is: 'link'; readonly accessToken: string; readonly returnTo: string };

type Outcome =
  | State
  | { readonly is: 'signed-in'; readonly user: SessionUser; readonly returnTo: string | null };

/**
 * A silent renewal ends in a hidden frame: its answer is passed to the parent page, and nothing is rendered.
 */
const isInFrame = window.parent !== window;

/** Processes the answer in the URL; a second call does not process it again. */
async function outcomeOfAnswer(): Promise<Outcome> {
  const answer = takeAnswer();
  try {
    if (isInFrame && answer) {
      await (await provider())?.manager.signinSilentCallback(answer.href);
      return { is: 'working' };
    }
    if (!answer) throw new Error('No matching state found in storage');
    const completed = await completeSignIn(answer);
    return completed.purpose === 'link'
      ? { is: 'link', accessToken: completed.accessToken, returnTo: safeReturnPath(completed.returnTo) }
      : { is: 'signed-in', user: completed.user, returnTo: completed.returnTo };
  } catch (error) {
    return error instanceof ApiError && error.code === 'federation.link_required'
      ? { is: 'prove' }
      : { is: 'failed', problem: problemOf(error) };
  }
}

export function CallbackScreen({ destinationOf }: CallbackScreenProps) {
  const { t } = useTranslation('federation');
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ is: 'working' });
  const finish = useEffectEvent(async (outcome: Outcome) => {
    forgetAnswer();
    if (outcome.is !== 'signed-in') return setState(outcome);
    toast.success(t('federation.signed_in'));
    await navigate(destinationOf(outcome.user, outcome.returnTo), { replace: true });
  });
  useEffect(() => {
    const left = new AbortController();
    void outcomeOfAnswer().then((outcome) => (left.signal.aborted ? undefined : finish(outcome)));
    return () => left.abort();
  }, []);
  const toLogin = () => void navigate(signinPaths.login, { replace: true });
  const confirm = async (proof: { password: string; otp?: string }) => {
    const answer = await federationApi.confirmLink(proof);
    signIn(answer);
    await navigate(destinationOf(answer.user, null), { replace: true });
  };
  const link = async (
    proof: { password: string; otp?: string },
    { accessToken, returnTo }: { accessToken: string; returnTo: string },
  ) => {
    await federationApi.linkIdentity({ source: 'oidc', token: accessToken, ...proof });
    toast.success(t('federation.linked_done'));
    await navigate(returnTo, { replace: true });
  };
  return (
    <FormCard
      title={t(
        state.is === 'prove' || state.is === 'link' ? 'federation.link_title' : 'federation.callback_title',
      )}
    >
      {state.is === 'working' && <Working />}
      {state.is === 'failed' && <ProblemNotice problem={state.problem} />}
      {state.is === 'failed' && (
        <Button component={Link} to={signinPaths.login} replace variant="contained" fullWidth>
          {t('federation.callback_again')}
        </Button>
      )}
      {state.is === 'prove' && (
        <LinkPanel lead={t('federation.link_required')} onProve={confirm} onCancel={toLogin} />
      )}
      {state.is === 'link' && (
        <LinkPanel
          lead={t('federation.link_prove')}
          confirmLabel={t('federation.link_oidc')}
          onProve={(proof) => link(proof, state)}
          onCancel={() => void navigate(state.returnTo, { replace: true })}
        />
      )}
    </FormCard>
  );
}

/** Shows progress, and after a while a link back. */
function Working() {
  const { t } = useTranslation('federation');
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box>
      <Typography role="status" aria-live="polite" sx={{ marginBottom: 2 }}>
        {t('federation.callback_working')}
        {isSlow && ` ${t('federation.callback_slow')}`}
      </Typography>
      <LinearProgress aria-label={t('federation.callback_working')} />
      {isSlow && (
        <Button
          component={Link}
          to={signinPaths.login}
          replace
          variant="outlined"
          fullWidth
          sx={{ marginTop: 3 }}
        >
          {t('federation.callback_back')}
        </Button>
      )}
    </Box>
  );
}
