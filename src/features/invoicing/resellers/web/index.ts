// The public API of resellers in the browser: the Admin's lists, the reseller's page, and its customers'
// bills, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadResellerScreen = () =>
  withTexts(import('./ResellerScreen.tsx'), 'resellers', 'billing', 'rating', 'subscriptions').then(
    (module) => module.ResellerScreen,
  );
