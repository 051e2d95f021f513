// The public API of discounts in the browser: the Admin's screen and the customer's components, loaded when
// opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDiscountsScreen = () =>
  withTexts(import('./DiscountsScreen.tsx'), 'discounts', 'identity').then(
    (module) => module.DiscountsScreen,
  );
