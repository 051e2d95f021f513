// Whether passkeys can work here; the code that uses them is loaded on first use.

/** Passkeys belong to a domain: a page opened by IP address cannot use them. */
export function canUsePasskeys(
  host: string = location.hostname,
  hasKeys: boolean = typeof PublicKeyCredential !== 'undefined',
): boolean {
  return hasKeys && !/^[\d.]+$|^\[/.test(host);
}
