// Dunning's public API in the browser: its screen, and its parts beside bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDunningScreen = () =>
  withTexts(import('./DunningScreen.tsx'), 'dunning', 'identity', 'latefees').then(
    (module) => module.DunningScreen,
  );
/** For members: what is overdue and the consequences. */
export const loadDunningBanner = () =>
  withTexts(import('./DunningBanner.tsx'), 'dunning').then(({ DunningBanner, useDunningAhead }) => ({
    DunningBanner,
    useDunningAhead,
  }));
/** For Admins: the dunning steps of a bill. */
export const loadBillDunning = () =>
  withTexts(import('./BillDunning.tsx'), 'dunning').then((module) => module.BillDunning);
