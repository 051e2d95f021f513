// Cost imports' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

// It shows choices of subscriptions and organizations, whose texts are those features' own.
export const loadCostsScreen = () =>
  withTexts(import('./CostsScreen.tsx'), 'costs', 'connectors', 'identity').then(
    (module) => module.CostsScreen,
  );
