// Notifications' door for the browser: the screen and the bell (fetched when shown).

export const loadNotificationsScreen = () => import('./NotificationsScreen.tsx').then((module) => module.NotificationsScreen);
export const loadBell = () => import('./Bell.tsx').then((module) => module.Bell);
