// Checks that the configured sign-in providers respond correctly, for the Admin who sets them up.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { fetchJson, OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { discover } from './discovery.ts';

/** A provider's answer: its issuer, and the number of its signing keys. */
export type SignInCheck = { readonly issuer: string; readonly keys: number };

/**
 * Fetches a configured provider's document and keys without a cache; undefined when it is not configured.
 * Throws OutboundFailure. Must not be called inside a transaction.
 */
export async function checkSignIn(app: App, which: 'oidc' | 'google'): Promise<SignInCheck | undefined> {
  const { oidc, google } = app.config;
  if (which === 'oidc')
    return oidc && { issuer: oidc.issuer, keys: await countKeys((await discover(app, oidc)).keysAddress) };
  return google && { issuer: new URL(google.jwksUrl).host, keys: await countKeys(google.jwksUrl) };
}

async function countKeys(address: string): Promise<number> {
  const { keys } = await fetchJson(address);
  if (!Array.isArray(keys) || keys.length === 0) throw new OutboundFailure(address, 'publishes no keys');
  return keys.length;
}
