// The public API of e-invoices in the browser: the Admin's screen, and components for bills and the profile
// (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadEinvoicesScreen = () =>
  withTexts(import('./EinvoicesScreen.tsx'), 'einvoices').then((module) => module.EinvoicesScreen);
