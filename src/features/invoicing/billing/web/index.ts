// Billing's public API in the browser: its screens (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAdminBillingScreen = () =>
  withTexts(import('./AdminBillingScreen.tsx'), 'billing').then((module) => module.AdminBillingScreen);
export const loadBillsScreen = () =>
  withTexts(import('./BillsScreen.tsx'), 'billing').then(({ BillsScreen, useBillsAhead }) => ({
    BillsScreen,
    useBillsAhead,
  }));
