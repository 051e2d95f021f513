// The metrics' public API in the browser: the finance screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadFinanceScreen = () =>
  withTexts(import('./FinanceScreen.tsx'), 'metrics', 'billing', 'payments', 'rates').then(
    (module) => module.FinanceScreen,
  );
