// Public API of packs in the browser: the month packs of all organizations and of the user's own, placed on
// the bills screens (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadMonthPacks = () =>
  withTexts(import('./MonthPacks.tsx'), 'packs').then((module) => ({
    MonthPacks: module.MonthPacks,
    OwnMonthPacks: module.OwnMonthPacks,
  }));
