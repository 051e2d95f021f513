// One-offs' public API: API calls, and what bills take from them.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { oneOffs, oneOffsErrors } from '../contract.ts';
import { createOneOff } from './create.ts';
import { approveOneOff, rejectOneOff, withdrawOneOff } from './decide.ts';
import {
  createMinimumSpend,
  endMinimumSpend,
  listMinimumSpends,
  ownMinimumSpends,
} from './minimum-spends.ts';
import { exportOneOffs, getOneOff, listOneOffs, upcomingOneOffs } from './read.ts';
import { oneOffSettings, saveOneOffSettings } from './settings.ts';

export const oneOffsFeature = feature({
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
    listMinimumSpends,
    createMinimumSpend,
    endMinimumSpend,
    ownMinimumSpends,
  },
});

export { createOneOff, oneOffApproved } from './create.ts';
export { createMinimumSpend } from './minimum-spends.ts';
export { recordBilled, releaseBilled } from './bill.ts';
export { holdOneOffs, oneOffsOf, ownBillOneOff } from './store-billing.ts';
export { minimumSpendsOf } from './store-minimums.ts';
