// The public API of dunning in the browser: its screen, and its components beside bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDunningScreen = () =>
  withTexts(import('./DunningScreen.tsx'), 'dunning', 'identity', 'latefees').then(
    (module) => module.DunningScreen,
  );
