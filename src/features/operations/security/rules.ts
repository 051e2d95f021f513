// Rules of the security page's figures.
import type { Waiting } from './contract.ts';

/** Keys that expire within so many days are listed in advance. */
export const expiringDays = 30;
const hourMs = 3_600_000;
const hours = 24;

/** The beginnings of the last 24 hours, the running one included, the oldest first; in UTC. */
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

/** What a counter of failures is about: its key is `kind:about`, and an address contains colons itself. */
export function kindOfKey(key: string): { kind: Waiting['kind']; about: string } {
  const end = key.indexOf(':');
  return { kind: kinds[key.slice(0, end)] ?? 'step', about: key.slice(end + 1) };
}

/** A protective response header: its required value, and whether it has it. */
export type HeaderCheck = { readonly name: string; readonly value: string | null; readonly isGood: boolean };

/** reliability.md 2.F, checks 104 and 105: what every answer of the console carries. HSTS counts over TLS only. */
const wanted: readonly (readonly [name: string, isGood: (value: string) => boolean])[] = [
  ['content-security-policy', (value) => value.includes("default-src 'none'") && !value.includes('unsafe-')],
  ['strict-transport-security', (value) => Number(/max-age=(\d+)/.exec(value)?.[1] ?? 0) >= 31_536_000],
  ['x-content-type-options', (value) => value === 'nosniff'],
  ['referrer-policy', (value) => value === 'no-referrer'],
  ['cross-origin-opener-policy', (value) => value === 'same-origin'],
  ['cross-origin-resource-policy', (value) => value === 'same-origin'],
  ['permissions-policy', (value) => value.includes('camera=()')],
];

/** Judges the headers as they arrived, whatever a proxy on the way did to them. */
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
