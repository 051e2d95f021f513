// Packs' door for the browser: the month packs of all organizations and one's own, for the screens of bills (fetched when opened).

export const loadMonthPacks = () => import('./MonthPacks.tsx').then((module) => ({ MonthPacks: module.MonthPacks, OwnMonthPacks: module.OwnMonthPacks }));
