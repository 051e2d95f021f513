// Administration's door for the browser: its calls and its screens (loaded when opened).
export { administrationApi, administrationQueries } from './api.ts';

export const loadImportsScreen = () => import('./ImportsScreen.tsx').then((module) => module.ImportsScreen);
export const loadReconciliation = () => import('./Reconciliation.tsx').then((module) => module.Reconciliation);
