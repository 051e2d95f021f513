// What other screens place of notifications.
export { NotificationLine } from './NotificationLine.tsx';
export { OwnChannelTest } from './OwnChannelTest.tsx';
export { loadNotificationsScreen, loadBell } from './inside.ts';
