// Cost imports' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCostsScreen = () =>
  withTexts(import('./CostsScreen.tsx'), 'costs').then((module) => module.CostsScreen);
