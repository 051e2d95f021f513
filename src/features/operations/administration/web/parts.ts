// Administration's screens, loaded when opened.
export { loadSetupScreen, loadImportsScreen, loadReconciliation, loadSettingsScreen } from './inside.ts';
