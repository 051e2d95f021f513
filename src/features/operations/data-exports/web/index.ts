// Nightly exports' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDataExportsScreen = () =>
  withTexts(import('./DataExportsScreen.tsx'), 'dataexports').then((module) => module.DataExportsScreen);
