// Notifications' door for the browser: the screen and the bell (fetched when shown).
import { withTexts } from '#platform/web/i18n.ts';

export const loadNotificationsScreen = () => withTexts(import('./NotificationsScreen.tsx'), 'notifications').then((module) => module.NotificationsScreen);
export const loadBell = () => withTexts(import('./Bell.tsx'), 'notifications').then((module) => module.Bell);
