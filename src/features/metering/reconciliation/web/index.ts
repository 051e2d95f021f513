// The public API of reconciliation in the browser: the Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadReconciliationScreen = () =>
  withTexts(import('./ReconciliationScreen.tsx'), 'reconciliation', 'connectors', 'identity').then(
    (module) => module.ReconciliationScreen,
  );
