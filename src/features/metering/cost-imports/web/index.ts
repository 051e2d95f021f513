// The public API of cost imports in the browser: the Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

// The screen has pickers for subscriptions and organizations, whose texts belong to those features.
export const loadCostsScreen = () =>
  withTexts(import('./CostsScreen.tsx'), 'costs', 'connectors', 'identity').then(
    (module) => module.CostsScreen,
  );
