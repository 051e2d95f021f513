// What the signed-in are shown, fetched when it is: apart from the public API that the entry imports.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadNotificationsScreen = () =>
  withTexts(import('./NotificationsScreen.tsx'), 'notifications').then(
    (module) => module.NotificationsScreen,
  );
export const loadBell = () => withTexts(import('./Bell.tsx'), 'notifications').then((module) => module.Bell);
