// Journals' public API in the browser: the Admin's screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAccountingScreen = () =>
  withTexts(import('./AccountingScreen.tsx'), 'accounting', 'books').then(
    (module) => module.AccountingScreen,
  );
