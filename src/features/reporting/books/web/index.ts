// The books' public API in the browser: the ledger's screen, and the own statement for the bills' screen
// (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAdminLedgerScreen = () =>
  withTexts(import('./AdminLedgerScreen.tsx'), 'books').then((module) => module.AdminLedgerScreen);
