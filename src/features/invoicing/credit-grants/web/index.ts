// Credit grants' public API in the browser: the Admin's screen and the customer's part, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCreditGrantsScreen = () =>
  withTexts(import('./CreditGrantsScreen.tsx'), 'creditgrants', 'identity').then(
    (module) => module.CreditGrantsScreen,
  );
export const loadOwnCredits = () =>
  withTexts(import('./OwnCredits.tsx'), 'creditgrants').then((module) => module.OwnCredits);
/** What is left of the own credit at a glance, with the way to its page. */
export const loadCreditsCard = () =>
  withTexts(import('./CreditsCard.tsx'), 'creditgrants').then((module) => module.CreditsCard);
