// Administration's screens, fetched when opened by those who may.
export { loadSetupScreen, loadImportsScreen, loadReconciliation, loadSettingsScreen } from './inside.ts';
