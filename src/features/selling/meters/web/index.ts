// The public API of meters in the browser: the Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadMetersScreen = () =>
  withTexts(import('./MetersScreen.tsx'), 'meters', 'identity').then((module) => module.MetersScreen);
