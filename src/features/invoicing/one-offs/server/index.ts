// The public API of one-offs: routes, and functions for billing.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { oneOffs, oneOffsErrors } from '../contract.ts';
import { createOneOff } from './create.ts';
import { approveOneOff, rejectOneOff, withdrawOneOff } from './decide.ts';
import {
  createMinimumSpend,
  endMinimumSpend,
  getMinimumSpend,
  listMinimumSpends,
  ownMinimumSpends,
  type AddedByMinimums,
} from './minimum-spends.ts';
import { exportOneOffs, getOneOff, listOneOffs, upcomingOneOffs } from './read.ts';
import { oneOffSettings, saveOneOffSettings } from './settings.ts';

/** Creates the feature's server side; the app passes in the functions it needs from billing. */
export const oneOffsFeature = ({ addedByMinimums }: { readonly addedByMinimums: AddedByMinimums }): Feature =>
  feature({
    name: 'oneoffs',
    contract: oneOffs,
    errors: oneOffsErrors,
    verbs: {
      listOneOffs,
      createOneOff,
      exportOneOffs,
      oneOffSettings,
      saveOneOffSettings,
      getOneOff,
      approveOneOff,
      rejectOneOff,
      withdrawOneOff,
      upcomingOneOffs,
      listMinimumSpends: listMinimumSpends(addedByMinimums),
      getMinimumSpend: getMinimumSpend(addedByMinimums),
      createMinimumSpend,
      endMinimumSpend: endMinimumSpend(addedByMinimums),
      ownMinimumSpends,
    },
  });

export { createOneOff, oneOffApproved } from './create.ts';
export { createMinimumSpend, type AddedByMinimum } from './minimum-spends.ts';
export { chargeLateFee, takeBackLateFee } from './late-fees.ts';
export { markCredited } from './store-billing.ts';
export { recordBilled, releaseBilled } from './bill.ts';
export { holdOneOffs, oneOffsOf, ownBillOneOff } from './store-billing.ts';
export { minimumSpendsOf } from './store-minimums.ts';
