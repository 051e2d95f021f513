// The configured provider's discovery document and signing keys. Endpoints outside the allowed hosts are
// rejected.
import * as z from 'zod/mini';
import { oncePer } from '#kernel/once.ts';
import type { OidcConfig } from '#platform/server/config.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { KeySet } from './key-set.ts';
import { fetchJson, OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { isEndpointAllowed } from '../rules.ts';
import { RemoteDocument } from './remote-document.ts';

const shape = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string(),
  introspection_endpoint: z.optional(z.string()),
  introspection_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
});

/** The parts of a provider that the console calls itself. */
export type Provider = {
  readonly keys: KeySet;
  readonly keysAddress: string;
  readonly userInfo: string;
  /** Set only if the provider lets a client without a secret call it. */
  readonly introspection: string | undefined;
};

const providers = new WeakMap<App, RemoteDocument<Provider>>();

/**
 * The configured provider; fetched on demand, and kept while the provider is down. Must not be called inside
 * a transaction.
 */
export function providerOf(app: App, oidc: OidcConfig): RemoteDocument<Provider> {
  const known = providers.get(app) ?? new RemoteDocument(() => discover(app, oidc), app.log);
  providers.set(app, known);
  return known;
}

// Key sets outlive a new discovery document, so that their rate limits stay in effect.
const keySetsOf = oncePer((_app: App) => new Map<string, KeySet>());
function keySetAt(app: App, address: string): KeySet {
  const ofApp = keySetsOf(app);
  const known = ofApp.get(address) ?? new KeySet(address, app.log);
  ofApp.set(address, known);
  return known;
}

/**
 * Fetches the provider's document without the cache. Throws {@link OutboundFailure}. Must not be called
 * inside a transaction.
 */
export async function discover(app: App, oidc: OidcConfig): Promise<Provider> {
  const address = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const read = z.safeParse(shape, await fetchJson(address));
  if (!read.success) throw new OutboundFailure(address, 'its discovery document lacks what is needed');
  const document = read.data;
  if (document.issuer !== oidc.issuer)
    throw new OutboundFailure(address, 'its discovery document names another issuer');
  const {
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: jwks,
    userinfo_endpoint: userInfo,
    introspection_endpoint: introspection,
  } = document;
  const issuer = new URL(oidc.issuer);
  for (const endpoint of [
    authorization,
    token,
    jwks,
    userInfo,
    ...(introspection === undefined ? [] : [introspection]),
  ]) {
    if (!URL.canParse(endpoint) || !isEndpointAllowed(new URL(endpoint), issuer, oidc.endpointHosts))
      throw new OutboundFailure(address, 'an endpoint is on a host that OIDC_ENDPOINT_HOSTS does not list');
  }
  // When the document does not say how clients authenticate there, introspection is tried; the provider may
  // reject it.
  const mayIntrospect = document.introspection_endpoint_auth_methods_supported?.includes('none') ?? true;
  return {
    keys: keySetAt(app, jwks),
    keysAddress: jwks,
    userInfo,
    introspection: mayIntrospect ? introspection : undefined,
  };
}
