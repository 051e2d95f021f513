// Administration's door for the browser: its calls and its screens (fetched when opened).
export { administrationQueries } from './api.ts';

export const loadSetupScreen = () => import('./SetupScreen.tsx').then((module) => module.SetupScreen);
export const loadImportsScreen = () => import('./ImportsScreen.tsx').then((module) => module.ImportsScreen);
export const loadReconciliation = () => import('./Reconciliation.tsx').then((module) => module.Reconciliation);
export const loadSettingsScreen = () => import('./SettingsScreen.tsx').then((module) => module.SettingsScreen);
