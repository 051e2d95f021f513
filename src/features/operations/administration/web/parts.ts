// Administration's screens, loaded when opened.
export { loadSetupScreen, loadImportsScreen, loadSettingsScreen } from './inside.ts';
export { administrationApi } from './api.ts';
export { DemoProgress } from './DemoProgress.tsx';
export { Reconciliation } from './Reconciliation.tsx';
