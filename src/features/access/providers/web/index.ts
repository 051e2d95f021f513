// Identity providers' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadProvidersScreen = () =>
  withTexts(import('./ProvidersScreen.tsx'), 'providers').then((module) => module.ProvidersScreen);
