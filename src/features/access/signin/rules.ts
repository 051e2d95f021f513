// Rules of sign-in: delays after failed attempts, and formats of codes. No clock, no database.

const freeFailures = 5;
const longestDelaySeconds = 900;
/** NIST 800-63B: an account takes at most 100 failures in a row. */
const maxFailures = 100;
const daySeconds = 86_400;

/**
 * Seconds to wait after the n-th consecutive failure of one account: nothing after the first four, then 2, 4,
 * 8 … up to 15 minutes, and a day after a hundred. A day without failures resets the count; no account is
 * locked forever.
 */
export function delayAfterFailures(failures: number): number {
  if (failures >= maxFailures) return daySeconds;
  return failures < freeFailures ? 0 : Math.min(longestDelaySeconds, 2 ** (failures - freeFailures + 1));
}

const freeOfAddress = 20;
/** Failures of an address count half after each of these spans without one. */
export const addressHalvesAfterSeconds = 900;

/**
 * Seconds an IP address waits after its n-th failure, for any accounts: nothing up to 19, then 15, 30, 60 …
 * up to 15 minutes.
 */
export function delayOfAddress(failures: number): number {
  return failures < freeOfAddress ? 0 : Math.min(longestDelaySeconds, 15 * 2 ** (failures - freeOfAddress));
}

/** A browser counts as known for three days after each sign-in. */
export const knownDeviceDays = 3;
/** How long a mailed link for a forgotten password is valid. */
export const resetMinutes = 15;
/** How long a mailed link after registration is valid. */
export const verifyHours = 24;
/** A link that an Admin hands over. */
export const handoverHours = 24;
/** The most mails of one kind to one user within an hour. */
export const mailsPerHour = 3;
/** How long a challenge for a passkey is valid. */
export const challengeMinutes = 5;
/** How many recovery codes are created together. */
export const recoveryCodeCount = 10;

/** A network's part of an address: IPv4 whole (mapped ones too), IPv6 by its /64, which one subscriber holds. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? front
      : [
          ...front,
          ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'),
          ...back,
        ];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Recognises the input for a second factor: six digits of an authenticator, a recovery code, or neither. */
export function readOtp(
  typed: string,
): { readonly kind: 'totp' | 'recovery'; readonly code: string } | undefined {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(code) ? { kind: 'recovery', code } : undefined;
}

/** A recovery code for reading: four groups of four. */
export function spacedCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1-');
}
