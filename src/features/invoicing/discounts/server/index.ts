// The public API of discounts on the server: their routes, and functions for bills.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { discountErrors, discounts } from '../contract.ts';
import { checkCode, type ReduceMonth } from './check-code.ts';
import {
  archiveDiscount,
  createDiscount,
  discountSettings,
  exportDiscounts,
  getDiscount,
  listDiscounts,
  restoreDiscount,
  saveDiscountSettings,
  updateDiscount,
} from './discounts.ts';
import { giveDiscount, redeemCode } from './redeem.ts';
import { endRedemption, listRedemptions, ownDiscounts } from './redemptions.ts';

/** Creates the feature's server side; the app passes in the functions it needs from billing. */
export const discountsFeature = ({ reduceMonth }: { readonly reduceMonth: ReduceMonth }): Feature =>
  feature({
    name: 'discounts',
    contract: discounts,
    errors: discountErrors,
    verbs: {
      listDiscounts,
      createDiscount,
      discountSettings,
      saveDiscountSettings,
      exportDiscounts,
      getDiscount,
      updateDiscount,
      archiveDiscount,
      restoreDiscount,
      listRedemptions,
      giveDiscount,
      endRedemption,
      ownDiscounts,
      checkCode: checkCode(reduceMonth),
      redeemCode,
    },
  });

export {
  discountsOf,
  holdDiscounts,
  recordApplications,
  stackingOrder,
  voidApplications,
} from './in-force.ts';
export type { ReduceMonth } from './check-code.ts';
export { createDiscount } from './discounts.ts';
export { giveDiscount, redeemAtSubscribing } from './redeem.ts';
