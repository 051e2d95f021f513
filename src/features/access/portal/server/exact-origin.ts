// Rules of the portal: which pages may frame it, and where it may lead.

/** Whether a host is the machine itself, where http is no danger. */
const isLocal = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '[::1]';

/** A typed address; undefined for what is none. */
const addressOf = (typed: string): URL | undefined => (URL.canParse(typed) ? new URL(typed) : undefined);

/**
 * An origin in the spelling of browsers; undefined when it is no exact origin of https: no path, no name, no wildcard. `mayBeLocal`: http
 * on the machine itself is accepted, too, for development.
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

/** Where links out of the portal lead, as browsers spell it; undefined when it is no address of https. */
export function safeReturnUrl(typed: string, mayBeLocal: boolean): string | undefined {
  const address = addressOf(typed.trim());
  if (!address || address.username !== '' || address.password !== '') return undefined;
  if (address.protocol === 'https:') return address.href;
  return mayBeLocal && address.protocol === 'http:' && isLocal(address.hostname) ? address.href : undefined;
}

/**
 * Who may show the page of a link in a frame: the origins of the link that are still allowed; none for a link that is not known or can
 * no longer be used.
 */
export const ancestorsOf = (ofLink: readonly string[], allowed: readonly string[]): string[] =>
  ofLink.filter((origin) => allowed.includes(origin));
