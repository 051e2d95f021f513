// The public API of credit grants: their routes, and the use of credit by bills.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { creditgrants, creditgrantsErrors } from '../contract.ts';
import { buyCredit } from './buy-credit.ts';
import { adminExportGrants } from './export-grants.ts';
import { coverJob } from './cover-job.ts';
import { giveGrant } from './give-grant.ts';
import { creditCover } from './own-cover.ts';
import { creditOffer, setCreditOffer } from './offer.ts';
import { ownCredits } from './own-credits.ts';
import { adminGetGrant, adminListGrants } from './read.ts';
import type { CreditUse } from './credit-use.ts';
import { checkJob, hourlyJob, setTopUp, topUps } from './top-ups.ts';
import { withdrawGrant } from './withdraw-grant.ts';

/** Creates the feature's server side; the app passes in the functions it needs from balances and bills. */
export function creditGrantsFeature(use: CreditUse): Feature {
  return feature({
    name: 'creditgrants',
    contract: creditgrants,
    errors: creditgrantsErrors,
    verbs: {
      adminListGrants,
      adminExportGrants,
      adminGetGrant,
      giveGrant: giveGrant(use.spendableBalance),
      withdrawGrant,
      creditOffer,
      setCreditOffer,
      ownCredits: ownCredits(use.plannedUse),
      buyCredit: buyCredit(use.spendableBalance),
      topUps,
      setTopUp,
      creditCover,
    },
    jobs: [checkJob(use), hourlyJob(use), coverJob(use)],
  });
}

export { checkAfterUsage, coverAfter, coverOfService } from './cover.ts';
export { assertCharges, giveGrant } from './give-grant.ts';
export { chargesNamed, knownServices } from './store.ts';
export {
  grantsOf,
  holdGrants,
  recordUses,
  reopenUses,
  restoreUses,
  type BillToReplace,
} from './for-bills.ts';
export { creditAdded, expireGrants, renewGrants } from './move-credit.ts';
export { paidAtIssue, paidUseOfBill } from './store-movements.ts';
export type { PlannedOfOwner, PlannedUse } from './credit-use.ts';
export { checkTopUps } from './top-ups.ts';
