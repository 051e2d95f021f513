// Whether passkeys can work here; the code that uses them is fetched when somebody does.

/** Passkeys belong to a name: a page that was opened by an IP address can have none. */
export function canUsePasskeys(
  host: string = location.hostname,
  hasKeys: boolean = typeof PublicKeyCredential !== 'undefined',
): boolean {
  return hasKeys && !/^[\d.]+$|^\[/.test(host);
}
