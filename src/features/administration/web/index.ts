// Administration's door for the browser: the state of the system and its screens (fetched when opened).
import { withTexts } from '#platform/web/i18n.ts';
export { useSystemStatus } from './status.ts';

export const loadSetupScreen = () => withTexts(import('./SetupScreen.tsx'), 'administration', 'identity').then((module) => module.SetupScreen);
export const loadImportsScreen = () => withTexts(import('./ImportsScreen.tsx'), 'administration').then((module) => module.ImportsScreen);
export const loadReconciliation = () => withTexts(import('./Reconciliation.tsx'), 'administration').then((module) => module.Reconciliation);
export const loadSettingsScreen = () => withTexts(import('./SettingsScreen.tsx'), 'administration', 'sms', 'notifications').then((module) => module.SettingsScreen);
