// Dunning's public API in the browser: its screen, and its parts beside bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDunningScreen = () =>
  withTexts(import('./DunningScreen.tsx'), 'dunning', 'identity', 'latefees').then(
    (module) => module.DunningScreen,
  );
