// Rules of the security page.
import { hourMs } from '#kernel/durations.ts';
import type { Waiting } from './contract.ts';

/** Keys that expire within this many days are listed. */
export const expiringDays = 30;
const hours = 24;

/** The starts of the last 24 hours in UTC, including the current one, oldest first. */
export function hourStarts(now: Date): readonly Date[] {
  const running = Math.floor(now.getTime() / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) => new Date(running - (hours - 1 - index) * hourMs));
}

const kinds: Readonly<Record<string, Waiting['kind']>> = {
  account: 'account',
  address: 'address',
  asks: 'requests',
  device: 'browser',
  subject: 'step',
};

/**
 * Splits the key of a failure counter, `kind:about`; the second part may contain colons, as an IPv6 address
 * does.
 */
export function kindOfKey(key: string): { kind: Waiting['kind']; about: string } {
  const end = key.indexOf(':');
  return { kind: kinds[key.slice(0, end)] ?? 'step', about: key.slice(end + 1) };
}

/** A security response header: its actual value, and whether it is as required. */
export type HeaderCheck = { readonly name: string; readonly value: string | null; readonly isGood: boolean };

/**
 * reliability.md 2.F, checks 104 and 105: the headers of every response of the console. HSTS matters only
 * over TLS.
 */
const wanted: readonly (readonly [name: string, isGood: (value: string) => boolean])[] = [
  ['content-security-policy', (value) => value.includes("default-src 'none'") && !value.includes('unsafe-')],
  ['strict-transport-security', (value) => Number(/max-age=(\d+)/.exec(value)?.[1] ?? 0) >= 31_536_000],
  ['x-content-type-options', (value) => value === 'nosniff'],
  ['referrer-policy', (value) => value === 'no-referrer'],
  ['cross-origin-opener-policy', (value) => value === 'same-origin'],
  ['cross-origin-resource-policy', (value) => value === 'same-origin'],
  ['permissions-policy', (value) => value.includes('camera=()')],
];

/** Checks the headers as the client received them, including any change by a proxy. */
export function headerChecks(
  headers: { readonly get: (name: string) => string | null },
  isSecure: boolean,
): readonly HeaderCheck[] {
  return wanted.flatMap(([name, isGood]) => {
    const value = headers.get(name);
    if (name === 'strict-transport-security' && !isSecure) return [];
    return [{ name, value, isGood: value !== null && isGood(value) }];
  });
}
