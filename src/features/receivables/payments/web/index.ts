// The public API of payments in the browser: its screens and its components around a bill (loaded when
// opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAdminPaymentsScreen = () =>
  withTexts(import('./AdminPaymentsScreen.tsx'), 'payments').then((module) => module.AdminPaymentsScreen);
export const loadReturnedScreen = () =>
  withTexts(import('./ReturnedScreen.tsx'), 'payments').then((module) => module.ReturnedScreen);
