// Notifications' public API: calls, and posting notices for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { notifications, notificationsErrors } from '../contract.ts';
import { digestJob } from './digest.ts';
import {
  deleteAll,
  deleteNotification,
  listDeleted,
  listNotifications,
  markNotification,
  readAll,
  restoreDeletion,
  restoreNotification,
} from './inbox.ts';
import { preferences, savePreferences } from './preferences.ts';
import { listTemplates, previewTemplate } from './templates.ts';
import { getTest, sendTest } from './tests.ts';
import { expiringKeysJob } from './expiring-keys.ts';
import { tidyNotificationsJob } from './tidy.ts';

export const notificationsFeature = feature({
  name: 'notifications',
  contract: notifications,
  errors: notificationsErrors,
  verbs: {
    listNotifications,
    markNotification,
    deleteNotification,
    restoreNotification,
    readAll,
    deleteAll,
    restoreDeletion,
    listDeleted,
    preferences,
    savePreferences,
    sendTest,
    getTest,
    listTemplates,
    previewTemplate,
  },
  jobs: [digestJob, tidyNotificationsJob, expiringKeysJob],
});

export { listNotifications } from './inbox.ts';
export { noticesPosted, postToAdmins, postToOrganizations, postToUsers, type PostedNotice } from './post.ts';
export { sendDigests } from './digest.ts';
export { senderForReaders } from './readers.ts';
export {
  notifyAccessChange,
  notifyApproval,
  notifyKeyChange,
  notifyLinkChange,
  notifyView,
} from './security.ts';
export type { Notice } from './store.ts';
