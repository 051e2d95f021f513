// Rules of the portal: which pages may frame it, and where its links may lead.

/** Whether a host is the local machine, where http is safe. */
const isLocal = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '[::1]';

/** Parses an address as typed; undefined when it is malformed. */
const addressOf = (typed: string): URL | undefined => (URL.canParse(typed) ? new URL(typed) : undefined);

/**
 * Returns an origin as browsers write it; undefined when it is not an exact https origin: a path, a bare name
 * and a wildcard are rejected. `mayBeLocal`: also accepts http on the local machine, for development.
 */
export function exactOrigin(typed: string, mayBeLocal: boolean): string | undefined {
  const address = addressOf(typed.trim());
  if (
    !address ||
    !/^[a-z0-9.:[\]-]+$/.test(address.host) ||
    address.username !== '' ||
    address.password !== ''
  )
    return undefined;
  if (address.pathname !== '/' || typed.includes('?') || typed.includes('#')) return undefined;
  if (address.protocol === 'https:') return address.origin;
  return mayBeLocal && address.protocol === 'http:' && isLocal(address.hostname) ? address.origin : undefined;
}

/**
 * Returns the URL to which links out of the portal lead, as browsers write it; undefined when it is not an
 * https URL.
 */
export function safeReturnUrl(typed: string, mayBeLocal: boolean): string | undefined {
  const address = addressOf(typed.trim());
  if (!address || address.username !== '' || address.password !== '') return undefined;
  if (address.protocol === 'https:') return address.href;
  return mayBeLocal && address.protocol === 'http:' && isLocal(address.hostname) ? address.href : undefined;
}

/**
 * The origins that may frame the page of a link: those of the link that are still allowed; none for a link
 * that is unknown or can no longer be used.
 */
export const ancestorsOf = (ofLink: readonly string[], allowed: readonly string[]): string[] =>
  ofLink.filter((origin) => allowed.includes(origin));
