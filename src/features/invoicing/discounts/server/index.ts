// The public API of discounts on the server: their API calls, and functions for bills.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { discountErrors, discounts } from '../contract.ts';
import { checkCode } from './check-code.ts';
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

export const discountsFeature = feature({
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
    checkCode,
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
export { createDiscount } from './discounts.ts';
export { giveDiscount, redeemAtSubscribing } from './redeem.ts';
