// Rules of sign-in: delays after failed attempts, and formats of codes. No clock, no database.

const freeFailures = 5;
const longestDelaySeconds = 900;
/** NIST 800-63B: at most 100 consecutive failures per account. */
const maxFailures = 100;
const daySeconds = 86_400;

/**
 * Seconds to wait after the n-th consecutive failure of one account: none after the first four, then 2, 4, 8
 * … up to 15 minutes, and a day after a hundred. A day without failures resets the count; no account is
 * locked forever.
 */
export function delayAfterFailures(failures: number): number {
  if (failures >= maxFailures) return daySeconds;
  return failures < freeFailures ? 0 : Math.min(longestDelaySeconds, 2 ** (failures - freeFailures + 1));
}

const freeOfAddress = 20;
/** An address's failure count halves after each such span without a failure, in seconds. */
export const addressHalvesAfterSeconds = 900;

/**
 * Seconds that an IP address waits after its n-th failure, for any account: none up to 19, then 15, 30, 60 …
 * up to 15 minutes.
 */
export function delayOfAddress(failures: number): number {
  return failures < freeOfAddress ? 0 : Math.min(longestDelaySeconds, 15 * 2 ** (failures - freeOfAddress));
}

/** A browser counts as known for this many days after each sign-in. */
export const knownDeviceDays = 3;
/** Lifetime of a mailed link for a forgotten password. */
export const resetMinutes = 15;
/** Lifetime of a mailed link after registration. */
export const verifyHours = 24;
/** Lifetime of a link that an Admin hands over. */
export const handoverHours = 24;
/** The most mails of one kind to one user within an hour. */
export const mailsPerHour = 3;
/** Lifetime of a challenge for a passkey. */
export const challengeMinutes = 5;
/** The number of recovery codes that are created together. */
export const recoveryCodeCount = 10;

/**
 * The network part of an address: the whole IPv4 address (also if mapped), or the /64 of an IPv6 address,
 * which one subscriber holds.
 */
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

/** Classifies the input for a second factor: six digits of an authenticator, a recovery code, or neither. */
export function readOtp(
  typed: string,
): { readonly kind: 'totp' | 'recovery'; readonly code: string } | undefined {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(code) ? { kind: 'recovery', code } : undefined;
}

/** Formats a recovery code for display: four groups of four. */
export function spacedCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1-');
}
