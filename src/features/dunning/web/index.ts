// Dunning's door for the browser: its screen, and what it says beside bills (fetched when opened).

export const loadDunningScreen = () => import('./DunningScreen.tsx').then((module) => module.DunningScreen);
/** Members: what is overdue and what follows. */
export const loadDunningBanner = () => import('./DunningBanner.tsx').then((module) => module.DunningBanner);
/** Admins: what dunning did of a bill. */
export const loadBillDunning = () => import('./BillDunning.tsx').then((module) => module.BillDunning);
