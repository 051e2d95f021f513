// Notifications' door: their calls, and how other columns tell people things.
import { feature } from '#platform/server/feature.ts';
import { notifications, notificationsErrors } from '../contract.ts';
import { deleteNotification, listNotifications, markNotification, readAll } from './inbox.ts';

export const notificationsFeature = feature({ name: 'notifications', contract: notifications, errors: notificationsErrors, verbs: { listNotifications, markNotification, deleteNotification, readAll } });

export { listNotifications, noticesTold, postToAdmins, postToOrganizations, postToUsers, type ToldNotice } from './inbox.ts';
export type { Notice } from './store.ts';
