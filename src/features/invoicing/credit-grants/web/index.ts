// The public API of credit grants in the browser: the Admin's screen and the customer's component, loaded
// when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCreditGrantsScreen = () =>
  withTexts(import('./CreditGrantsScreen.tsx'), 'creditgrants', 'identity').then(
    (module) => module.CreditGrantsScreen,
  );
