// How this browser's user signed in last; a hint on the sign-in page, nothing secret.
const place = 'lastSignIn';
export const methods = ['password', 'passkey', 'google', 'provider', 'company'] as const;
export type Method = (typeof methods)[number];

/** Remembers how the user just signed in. */
export function rememberMethod(method: Method): void {
  try {
    localStorage.setItem(place, method);
  } catch {
    // Storage is forbidden: there is no hint the next time.
  }
}

/** How a user last signed in with this browser. */
export function lastMethod(): Method | undefined {
  try {
    const stored = localStorage.getItem(place);
    return methods.find((method) => method === stored);
  } catch {
    // The browser forbids storage, so there is no hint.
    return undefined;
  }
}
