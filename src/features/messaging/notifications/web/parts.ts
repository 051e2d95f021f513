// Parts of notifications for other screens.
export { NotificationLine } from './NotificationLine.tsx';
export { OwnChannelTest } from './OwnChannelTest.tsx';
export { loadNotificationsScreen, loadBell } from './inside.ts';
