// Discounts' public API in the browser: an Admin's screen and the customer's parts, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDiscountsScreen = () =>
  withTexts(import('./DiscountsScreen.tsx'), 'discounts', 'identity').then(
    (module) => module.DiscountsScreen,
  );
/** The organization's own discounts, with the field for a promo code. */
export const loadOwnDiscounts = () =>
  withTexts(import('./OwnDiscounts.tsx'), 'discounts').then((module) => module.OwnDiscounts);
/** The field for a promo code where one subscribes to a service. */
export const loadPromoCode = () =>
  withTexts(import('./PromoCode.tsx'), 'discounts').then((module) => module.PromoCode);
