// The page to which a company's identity provider redirects: exchanges the ticket in the URL for a session,
// or shows what went wrong.
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { signinPaths } from '#features/access/signin/contract.ts';
import { rememberMethod } from '#features/access/signin/web/index.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { federationPaths } from '../contract.ts';
import { isCompanyProblem } from './company-problem.ts';
import { federationApi } from './api.ts';
import { LinkPanel } from './LinkPanel.tsx';
import { problemOf, type Problem } from './problem.ts';
import { ProblemNotice } from './ProblemNotice.tsx';

type SignedIn = Awaited<ReturnType<typeof federationApi.completeCompanySignIn>>;
type State =
  | { readonly is: 'working' }
  | { readonly is: 'failed'; readonly problem: Problem }
  | { readonly is: 'prove' };
type Outcome = State | { readonly is: 'signed-in'; readonly signedIn: SignedIn };

let completing: Promise<Outcome> | undefined;

/** Processes the URL once: a second call on the same page gets the same outcome. */
function outcomeOfAddress(): Promise<Outcome> {
  const here = new URL(location.href);
  if (here.search !== '' || here.hash !== '') {
    history.replaceState(history.state, '', federationPaths.company);
    completing = outcomeOf(here.searchParams.get('problem'), here.hash.slice(1));
  }
  completing ??= outcomeOf('federation.answer_unasked', '');
  return completing;
}

async function outcomeOf(problem: string | null, ticket: string): Promise<Outcome> {
  if (problem !== null)
    return {
      is: 'failed',
      problem: { key: isCompanyProblem(problem) ? problem : 'federation.answer_refused', detail: problem },
    };
  try {
    return { is: 'signed-in', signedIn: await federationApi.completeCompanySignIn({ ticket }) };
  } catch (error) {
    return error instanceof ApiError && error.code === 'federation.link_required'
      ? { is: 'prove' }
      : { is: 'failed', problem: problemOf(error) };
  }
}

export function CompanySignInScreen({
  destinationOf,
}: {
  readonly destinationOf: (user: SessionUser, returnTo: string | null) => string;
}) {
  const { t } = useTranslation('federation');
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ is: 'working' });
  const finish = useEffectEvent(async (outcome: Outcome) => {
    completing = undefined;
    if (outcome.is !== 'signed-in') return setState(outcome);
    const { redirectUrl, ...signedIn } = outcome.signedIn;
    rememberMethod('company');
    signIn(signedIn);
    toast.success(t('federation.signed_in'));
    await navigate(destinationOf(signedIn.user, redirectUrl === '/' ? null : redirectUrl), {
      replace: true,
    });
  });
  useEffect(() => {
    const left = new AbortController();
    void outcomeOfAddress().then((outcome) => (left.signal.aborted ? undefined : finish(outcome)));
    return () => left.abort();
  }, []);
  const confirm = async (proof: { password: string; otp?: string }) => {
    const answer = await federationApi.confirmLink(proof);
    signIn(answer);
    await navigate(destinationOf(answer.user, null), { replace: true });
  };
  return (
    <FormCard title={t(state.is === 'prove' ? 'federation.link_title' : 'federation.company_title')}>
      {state.is === 'working' && (
        <>
          <Typography role="status" sx={{ marginBottom: 2 }}>
            {t('federation.callback_working')}
          </Typography>
          <LinearProgress aria-label={t('federation.callback_working')} />
        </>
      )}
      {state.is === 'failed' && (
        <>
          <ProblemNotice problem={state.problem} />
          <Button component={Link} to={signinPaths.login} replace variant="contained" fullWidth>
            {t('federation.callback_again')}
          </Button>
        </>
      )}
      {state.is === 'prove' && (
        <LinkPanel
          lead={t('federation.link_required')}
          onProve={confirm}
          onCancel={() => void navigate(signinPaths.login, { replace: true })}
        />
      )}
    </FormCard>
  );
}
