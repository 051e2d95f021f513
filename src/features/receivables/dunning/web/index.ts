// Dunning's public API in the browser: its screen, and what it says beside bills (fetched when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDunningScreen = () =>
  withTexts(import('./DunningScreen.tsx'), 'dunning', 'identity').then((module) => module.DunningScreen);
/** Members: what is overdue and what follows. */
export const loadDunningBanner = () =>
  withTexts(import('./DunningBanner.tsx'), 'dunning').then(({ DunningBanner, useDunningAhead }) => ({
    DunningBanner,
    useDunningAhead,
  }));
/** Admins: what dunning did of a bill. */
export const loadBillDunning = () =>
  withTexts(import('./BillDunning.tsx'), 'dunning').then((module) => module.BillDunning);
