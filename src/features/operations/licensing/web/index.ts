// Licensing's public API in the browser: its screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadLicencesScreen = () =>
  withTexts(import('./LicencesScreen.tsx'), 'licensing').then((module) => module.LicencesScreen);
