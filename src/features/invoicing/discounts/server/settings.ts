// Settings of discounts.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { discountOrders } from '../contract.ts';

/** The order in which several discounts reduce one bill. */
export const stackingOrderSetting = setting('discounts.stackingOrder', z.enum(discountOrders), 'as_listed');
