// What licences are decided by: how long one holds and how it stands.
import type { LicenceState } from './contract.ts';

export { canonicalJson, type Canonical } from './rules-canonical.ts';
export {
  isWeak,
  mostMachineBytes,
  partKinds,
  readMachine,
  thresholdOf,
  type Machine,
  type MachineMistake,
  type Part,
} from './rules-machine.ts';

const dayMs = 86_400_000;
/** A licence that ends within so many days wants a renewal. */
export const expiringDays = 30;
/** How long a list of revoked licences is good: who checks offline wants a newer one after that. */
export const revocationDays = 7;

/** When a licence ends: after the days that were chosen, but never after its subscription. */
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

/** How a licence stands: what was decided of it comes before what time did. A superseded one goes on verifying until it expires. */
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
