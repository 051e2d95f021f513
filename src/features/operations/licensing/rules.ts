// Rules of licenses: how long one is valid, and its state.
import { dayMs } from '#kernel/durations.ts';
import type { LicenceState } from './contract.ts';

export { canonicalJson, type Canonical } from './rules-canonical.ts';
export {
  isWeak,
  maxMachineBytes,
  partKinds,
  readMachine,
  thresholdOf,
  type Machine,
  type MachineMistake,
  type Part,
} from './rules-machine.ts';

/** A license that expires within this many days should be renewed. */
export const expiringDays = 30;
/** How many days a revocation list is valid; an offline verifier then requires a newer one. */
export const revocationDays = 7;

/** When a license expires: after the selected days, but never after its subscription. */
export function expiryOf(
  now: Date,
  validDays: number,
  subscriptionEnd: Date | null,
): { readonly at: Date; readonly isCut: boolean } {
  const wanted = new Date(now.getTime() + validDays * dayMs);
  return subscriptionEnd !== null && subscriptionEnd < wanted
    ? { at: subscriptionEnd, isCut: true }
    : { at: wanted, isCut: false };
}

/**
 * A license's state: an Admin's decisions take precedence over dates. A superseded license remains valid
 * until it expires.
 */
export function stateOf(
  licence: {
    readonly expiresAt: Date;
    readonly revokedAt: Date | null;
    readonly supersededBy: string | null;
  },
  now: Date,
): LicenceState {
  if (licence.revokedAt) return 'revoked';
  if (licence.supersededBy !== null) return 'superseded';
  if (licence.expiresAt <= now) return 'expired';
  return licence.expiresAt.getTime() - now.getTime() <= expiringDays * dayMs ? 'expiring' : 'valid';
}
