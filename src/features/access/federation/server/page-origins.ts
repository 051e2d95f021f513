// The origins of Google and of the provider for the Content Security Policy; none when neither is configured.
import type { Config } from '#platform/server/config.ts';
import type { PageOrigins } from '#platform/server/http/pages.ts';
import { federationPaths } from '../contract.ts';

/**
 * The origins that sign-in needs, given the configuration (Google Identity Services, "Content Security
 * Policy").
 */
export function signInOrigins({ google, oidc }: Pick<Config, 'google' | 'oidc'>): PageOrigins {
  const gsi = google ? new URL('/gsi/', google.scriptUrl).href : undefined;
  const issuer = oidc ? new URL(oidc.issuer) : undefined;
  const provider =
    issuer && oidc ? [issuer.origin, ...oidc.endpointHosts.map((host) => `${issuer.protocol}//${host}`)] : [];
  return {
    script: google ? [google.scriptUrl] : [],
    style: gsi ? [`${gsi}style`] : [],
    connect: [...(gsi ? [gsi] : []), ...provider],
    // A silent renewal starts at the provider and ends at our own callback, both in a hidden frame.
    frame: [...(provider.length > 0 ? ["'self'"] : []), ...(gsi ? [gsi] : []), ...provider],
    framed: provider.length > 0 ? [federationPaths.callback] : [],
    popups: google !== undefined,
  };
}
