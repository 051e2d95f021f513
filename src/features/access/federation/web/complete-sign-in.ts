// Takes the provider's answer out of the address, checks it, and turns it into a session here.
import type { Stored } from '../rules-answer.ts';
import { answerProblem, idTokenProblem } from '../rules-answer.ts';
import { federationPaths } from '../contract.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { signIn } from '#platform/web/session/session.ts';
import { federationApi } from './api.ts';
import { idClaims, provider, stateStore, type Provider, type Wish } from './provider.ts';
import { rememberThrough } from './through.ts';

export type Completed =
  | { readonly purpose: 'sign-in'; readonly role: string; readonly returnTo: string | null }
  | { readonly purpose: 'link'; readonly accessToken: string; readonly returnTo: string | null };

let taken: URL | undefined;
let completing: Promise<Completed> | undefined;

/** The answer that this page was opened with. It leaves the address at once, so that nothing can repeat or leak it. */
export function takeAnswer(): URL | undefined {
  const here = new URL(location.href);
  if (here.search !== '' || here.hash !== '') {
    taken = here;
    completing = undefined;
    history.replaceState(history.state, '', federationPaths.callback);
  }
  return taken;
}

/** Completes the sign-in of an answer, once however often a screen asks. */
export function completeSignIn(answer: URL): Promise<Completed> {
  completing ??= complete(answer);
  return completing;
}

/** Forgets the answer after it has been dealt with: going back must find nothing to repeat. */
export function forgetAnswer(): void {
  taken = undefined;
  completing = undefined;
}

async function complete(answer: URL): Promise<Completed> {
  const known = await provider();
  if (!known) throw new Error('No matching state found in storage');
  await checkAnswer(known, answer);
  const user = await known.manager.signinRedirectCallback(answer.href);
  // Written by startProviderSignIn in this very tab.
  const wish = user.state as Wish;
  const problem =
    statusProblem(known) ??
    idTokenProblem(idClaims(user), user.profile.sub, {
      issuer: known.oidc.issuer,
      clientId: known.oidc.clientId,
      nonce: wish.nonce,
      nowSeconds: nowMs() / 1000,
    });
  if (problem !== undefined) {
    await known.manager.removeUser();
    throw new Error(problem);
  }
  if (wish.purpose === 'link')
    return { purpose: 'link', accessToken: user.access_token, returnTo: wish.returnTo };
  const signedIn = await federationApi.sso({
    accessToken: user.access_token,
    ...(wish.returnTo !== null && { redirectUrl: wish.returnTo }),
  });
  rememberThrough(signedIn.user.id);
  signIn(signedIn);
  return {
    purpose: 'sign-in',
    role: signedIn.user.role,
    returnTo: wish.returnTo === null ? null : signedIn.redirectUrl,
  };
}

/** R-AUTH-07: any status but 200 is an error; the library takes every 2xx. The browser remembers what it was answered (0: it may not say). */
function statusProblem({ oidc }: Provider): string | undefined {
  const { origin } = new URL(oidc.issuer);
  const asked = performance
    .getEntriesByType('resource')
    .filter(
      (entry) =>
        entry instanceof PerformanceResourceTiming &&
        entry.initiatorType === 'fetch' &&
        new URL(entry.name).origin === origin,
    );
  const other = asked
    .map((entry) => (entry instanceof PerformanceResourceTiming ? entry.responseStatus : 0))
    .find((status) => status !== 0 && status !== 200);
  return other === undefined ? undefined : `The provider answered with status ${other}`;
}

/** Refuses an answer before the library sees it. What it names is used up all the same: a verifier is good for one attempt. */
async function checkAnswer({ oidc, manager }: Provider, answer: URL): Promise<void> {
  const state = answer.searchParams.get('state');
  const [kept, keys, metadata] = await Promise.all([
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
    stored: kept === null ? undefined : (JSON.parse(kept) as Stored),
    hasOther: keys.some((key) => key !== state),
  });
  if (problem === undefined) return;
  if (state !== null && kept !== null) await stateStore.remove(state);
  throw new Error(problem);
}
