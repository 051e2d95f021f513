// Subscriptions' door for the browser: its screens (fetched when opened).
export const loadServiceOverviewScreen = () => import('./ServiceOverviewScreen.tsx').then((module) => module.ServiceOverviewScreen);
