// The identity provider in the browser: code flow with PKCE through oidc-client-ts, with the settings of R-AUTH-06 to R-AUTH-09.
import {
  InMemoryWebStorage,
  UserManager,
  WebStorageStateStore,
  type User as ProviderUser,
} from 'oidc-client-ts';
import type { FederationOptions } from '../contract.ts';
import { federationPaths } from '../contract.ts';
import { isEndpointAllowed } from '../rules.ts';
import { staleStateSeconds } from '../rules-answer.ts';
import { identityApi } from '#features/access/identity/web/parts.ts';
import { randomId } from '#platform/web/api/random-id.ts';
import { dropSession } from '#platform/web/session/session.ts';
import { askOptions } from './api.ts';

export type Oidc = NonNullable<FederationOptions['oidc']>;
/** Data of a sign-in that stays in this tab; only the state's id is sent to the provider. */
export type SignInState = {
  readonly returnTo: string | null;
  readonly purpose: 'sign-in' | 'link';
  readonly nonce: string;
};
export type Provider = { readonly oidc: Oidc; readonly manager: UserManager };

/** The state is stored per tab, so that only the tab that started a sign-in can complete it. */
export const stateStore = new WebStorageStateStore({ prefix: 'oidc.', store: sessionStorage });

function makeManager(oidc: Oidc): UserManager {
  const manager = new UserManager({
    authority: oidc.issuer,
    client_id: oidc.clientId,
    scope: oidc.scope,
    response_type: 'code',
    response_mode: 'query',
    redirect_uri: `${location.origin}${federationPaths.callback}`,
    post_logout_redirect_uri: `${location.origin}/`,
    silent_redirect_uri: `${location.origin}${federationPaths.callback}`,
    accessTokenExpiringNotificationTimeInSeconds: 60,
    silentRequestTimeoutInSeconds: 10,
    requestTimeoutInSeconds: 10,
    staleStateAgeInSeconds: staleStateSeconds,
    checkSessionIntervalInSeconds: 2,
    monitorSession: true,
    automaticSilentRenew: true,
    validateSubOnSilentRenew: true,
    loadUserInfo: true,
    popupWindowFeatures: { height: 640 },
    // Tokens live in memory only.
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore,
  });
  watch(manager);
  return manager;
}

/** The library's error messages for a renewal with another subject. */
const namesAnother = /^(sub in id_token|subject from UserInfo)/;

/** A renewal for another user, or the end of the provider's session, ends the session here. */
function watch(manager: UserManager): void {
  let subject: unknown;
  const end = async (): Promise<void> => {
    subject = undefined;
    await manager.removeUser();
    await identityApi.logout();
    dropSession();
  };
  manager.events.addUserLoaded(async (user) => {
    const loaded = subjectOf(user);
    if (subject !== undefined && loaded !== subject) return end();
    subject = loaded;
  });
  manager.events.addUserUnloaded(() => {
    subject = undefined;
  });
  // A failed renewal does not end this console's session; a renewal for another user does.
  manager.events.addSilentRenewError((error) => (namesAnother.test(error.message) ? end() : undefined));
  manager.events.addUserSignedOut(end);
}

/**
 * The subject of the ID token; the library does not read it if the answer's scope does not repeat `openid`.
 */
const subjectOf = (user: ProviderUser): unknown => idClaims(user)['sub'];

/**
 * The claims of an ID token. Its signature need not be checked here, because it came over TLS from the token
 * endpoint (OpenID Connect Core, 3.1.3.7).
 */
export function idClaims(user: ProviderUser): Readonly<Record<string, unknown>> {
  const body = (user.id_token ?? '').split('.')[1] ?? '';
  if (body === '') return {};
  const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
}

let made: Provider | undefined;

/**
 * Returns the configured provider after checking its discovery document; undefined when none is configured.
 * Throws when it cannot be reached.
 */
export async function provider(): Promise<Provider | undefined> {
  const { oidc } = await askOptions();
  if (!oidc) return undefined;
  made ??= { oidc, manager: makeManager(oidc) };
  await checkDiscovery(made);
  return made;
}

/** The document must name the issuer exactly, and no endpoint on other hosts. */
async function checkDiscovery({ oidc, manager }: Provider): Promise<void> {
  const metadata = await manager.metadataService.getMetadata();
  if (metadata.issuer !== oidc.issuer) throw new Error('Issuer of the provider does not match');
  const endpoints = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.userinfo_endpoint,
    metadata.jwks_uri,
    metadata.end_session_endpoint,
    metadata.check_session_iframe,
  ];
  const isElsewhere = endpoints.some(
    (endpoint) =>
      endpoint !== undefined && !isEndpointAllowed(new URL(endpoint), new URL(oidc.issuer), oidc.hosts),
  );
  if (isElsewhere) throw new Error('An endpoint of the provider is elsewhere');
}

/**
 * Redirects to the provider. False when none is configured. `replaces`: replaces the current page in the
 * history, because going back to it is useless.
 */
export async function startProviderSignIn({
  returnTo = null,
  purpose = 'sign-in',
  replaces = false,
}: {
  returnTo?: string | null;
  purpose?: SignInState['purpose'];
  replaces?: boolean;
}): Promise<boolean> {
  const known = await provider();
  if (!known) return false;
  const nonce = randomId();
  await known.manager.signinRedirect({
    nonce,
    state: { returnTo, purpose, nonce } satisfies SignInState,
    redirectMethod: replaces ? 'replace' : 'assign',
  });
  return true;
}

/** Redirects to the provider's end-session page and deletes its tokens. `onLeaving` is called just before. */
export async function leaveProvider(onLeaving: () => void): Promise<void> {
  const known = await provider();
  if (!known) return;
  const endpoint = await known.manager.metadataService.getEndSessionEndpoint();
  if (endpoint === undefined) return known.manager.removeUser();
  onLeaving();
  await known.manager.signoutRedirect();
}
