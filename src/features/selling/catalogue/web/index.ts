// The catalogue's public API in the browser: its screens (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadServicesScreen = () =>
  withTexts(import('./ServicesScreen.tsx'), 'catalogue', 'identity').then((module) => module.ServicesScreen);
