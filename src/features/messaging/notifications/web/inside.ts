// Parts for signed-in users, in a separate module, so that the entry bundle, which imports the public API,
// does not contain them.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadNotificationsScreen = () =>
  withTexts(import('./NotificationsScreen.tsx'), 'notifications').then(
    (module) => module.NotificationsScreen,
  );
export const loadBell = () => withTexts(import('./Bell.tsx'), 'notifications').then((module) => module.Bell);
