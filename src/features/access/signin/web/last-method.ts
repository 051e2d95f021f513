// Which way this browser signed in the last time; a hint on the sign-in page, nothing secret.
const place = 'lastSignIn';
export const methods = ['password', 'passkey', 'google', 'provider'] as const;
export type Method = (typeof methods)[number];

/** Remembers how somebody just signed in. */
export function rememberMethod(method: Method): void {
  try {
    localStorage.setItem(place, method);
  } catch {
    // Forbidden storage: then there is no hint the next time.
  }
}

/** How somebody signed in here the last time. */
export function lastMethod(): Method | undefined {
  try {
    const kept = localStorage.getItem(place);
    return methods.find((method) => method === kept);
  } catch {
    // Forbidden storage: nothing is known.
    return undefined;
  }
}
