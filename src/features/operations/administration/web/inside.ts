// Parts for signed-in users, in a separate module, so that the entry bundle, which imports the public API,
// does not contain them.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadSetupScreen = () =>
  withTexts(import('./SetupScreen.tsx'), 'administration', 'identity').then((module) => module.SetupScreen);
export const loadImportsScreen = () =>
  withTexts(import('./ImportsScreen.tsx'), 'administration').then((module) => module.ImportsScreen);
export const loadSettingsScreen = () =>
  withTexts(import('./SettingsScreen.tsx'), 'administration', 'sms', 'notifications').then(
    (module) => module.SettingsScreen,
  );
