// Discounts' public API in the browser: an Admin's screen and the customer's parts, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDiscountsScreen = () =>
  withTexts(import('./DiscountsScreen.tsx'), 'discounts', 'identity').then(
    (module) => module.DiscountsScreen,
  );
