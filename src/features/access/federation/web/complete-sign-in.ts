// Takes the provider's answer from the URL, checks it, and exchanges it for a session.
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import type { Stored } from '../rules-answer.ts';
import { answerProblem, idTokenProblem } from '../rules-answer.ts';
import { federationPaths } from '../contract.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { signIn } from '#platform/web/session/session.ts';
import { federationApi } from './api.ts';
import { idClaims, provider, stateStore, type Provider, type SignInState } from './provider.ts';
import { rememberProviderSignIn } from './provider-sign-in.ts';

export type Completed =
  | { readonly purpose: 'sign-in'; readonly user: SessionUser; readonly returnTo: string | null }
  | { readonly purpose: 'link'; readonly accessToken: string; readonly returnTo: string | null };

let taken: URL | undefined;
let completing: Promise<Completed> | undefined;

/**
 * Returns the answer in this page's URL and removes it there at once, so that it cannot be repeated or
 * leaked.
 */
export function takeAnswer(): URL | undefined {
  const here = new URL(location.href);
  if (here.search !== '' || here.hash !== '') {
    taken = here;
    completing = undefined;
    history.replaceState(history.state, '', federationPaths.callback);
  }
  return taken;
}

/** Completes the sign-in of an answer, only once even when a screen calls it again. */
export function completeSignIn(answer: URL): Promise<Completed> {
  completing ??= complete(answer);
  return completing;
}

/** Deletes the answer after it was processed, so that going back does not repeat it. */
export function forgetAnswer(): void {
  taken = undefined;
  completing = undefined;
}

async function complete(answer: URL): Promise<Completed> {
  const known = await provider();
  if (!known) throw new Error('No matching state found in storage');
  await checkAnswer(known, answer);
  const user = await known.manager.signinRedirectCallback(answer.href);
  // Set by startProviderSignIn in this tab.
  const signInState = user.state as SignInState;
  const problem =
    statusProblem(known) ??
    idTokenProblem(idClaims(user), user.profile.sub, {
      issuer: known.oidc.issuer,
      clientId: known.oidc.clientId,
      nonce: signInState.nonce,
      nowSeconds: nowMs() / 1000,
    });
  if (problem !== undefined) {
    await known.manager.removeUser();
    throw new Error(problem);
  }
  if (signInState.purpose === 'link')
    return { purpose: 'link', accessToken: user.access_token, returnTo: signInState.returnTo };
  const signedIn = await federationApi.sso({
    accessToken: user.access_token,
    ...(signInState.returnTo !== null && { redirectUrl: signInState.returnTo }),
  });
  rememberProviderSignIn(signedIn.user.id);
  signIn(signedIn);
  return {
    purpose: 'sign-in',
    user: signedIn.user,
    returnTo: signInState.returnTo === null ? null : signedIn.redirectUrl,
  };
}

/**
 * R-AUTH-07: any status but 200 is an error, but the library accepts every 2xx, so the status is read from
 * the browser's timing entry (0: not available).
 */
function statusProblem({ oidc }: Provider): string | undefined {
  const { origin } = new URL(oidc.issuer);
  const request = performance
    .getEntriesByType('resource')
    .filter(
      (entry) =>
        entry instanceof PerformanceResourceTiming &&
        entry.initiatorType === 'fetch' &&
        new URL(entry.name).origin === origin,
    );
  const other = request
    .map((entry) => (entry instanceof PerformanceResourceTiming ? entry.responseStatus : 0))
    .find((status) => status !== 0 && status !== 200);
  return other === undefined ? undefined : `The provider answered with status ${other}`;
}

/**
 * Rejects an invalid answer before the library reads it. The stored state that it names is deleted anyway,
 * because a code verifier is valid for one attempt.
 */
async function checkAnswer({ oidc, manager }: Provider, answer: URL): Promise<void> {
  const state = answer.searchParams.get('state');
  const [storedState, keys, metadata] = await Promise.all([
    state === null ? null : stateStore.get(state),
    stateStore.getAllKeys(),
    manager.metadataService.getMetadata(),
  ]);
  const problem = answerProblem([...answer.searchParams.entries()], {
    issuer: oidc.issuer,
    clientId: oidc.clientId,
    nowSeconds: nowMs() / 1000,
    mustNameIssuer:
      'authorization_response_iss_parameter_supported' in metadata &&
      metadata.authorization_response_iss_parameter_supported === true,
    // The library's own record of its request.
    stored: storedState === null ? undefined : (JSON.parse(storedState) as Stored),
    hasOther: keys.some((key) => key !== state),
  });
  if (problem === undefined) return;
  if (state !== null && storedState !== null) await stateStore.remove(state);
  throw new Error(problem);
}
