// Exchange rates' public API in the browser: the Admin's screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadRatesScreen = () =>
  withTexts(import('./RatesScreen.tsx'), 'rates').then((module) => module.RatesScreen);
