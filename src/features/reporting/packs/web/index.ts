// Packs' public API in the browser: the month packs of all organizations and one's own, for the screens of bills (fetched when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadMonthPacks = () =>
  withTexts(import('./MonthPacks.tsx'), 'packs').then((module) => ({
    MonthPacks: module.MonthPacks,
    OwnMonthPacks: module.OwnMonthPacks,
  }));
