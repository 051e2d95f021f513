// What the signed-in are shown, fetched when it is: apart from the public API that the entry imports.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadSetupScreen = () =>
  withTexts(import('./SetupScreen.tsx'), 'administration', 'identity').then((module) => module.SetupScreen);
export const loadImportsScreen = () =>
  withTexts(import('./ImportsScreen.tsx'), 'administration').then((module) => module.ImportsScreen);
export const loadReconciliation = () =>
  withTexts(import('./Reconciliation.tsx'), 'administration').then((module) => module.Reconciliation);
export const loadSettingsScreen = () =>
  withTexts(import('./SettingsScreen.tsx'), 'administration', 'sms', 'notifications').then(
    (module) => module.SettingsScreen,
  );
