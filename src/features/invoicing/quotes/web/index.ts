// The public API of quotes in the browser: the Admin's screen, the page of a link, and the customer's
// component, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadQuotesScreen = () =>
  withTexts(import('./QuotesScreen.tsx'), 'quotes', 'identity', 'commitments', 'rating').then(
    (module) => module.QuotesScreen,
  );
/** The page of a quote's link, for anyone who has the link. */
export const loadOpenQuoteScreen = () =>
  withTexts(import('./OpenQuoteScreen.tsx'), 'quotes').then((module) => module.OpenQuoteScreen);
