// Subscriptions' door for the browser: its screens (fetched when opened).
export const loadOrganizationSubscriptions = () => import('./OrganizationSubscriptions.tsx').then((module) => module.OrganizationSubscriptions);
export const loadServiceOverviewScreen = () => import('./ServiceOverviewScreen.tsx').then((module) => module.ServiceOverviewScreen);
