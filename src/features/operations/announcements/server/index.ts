// Announcements' public API: calls, and the job that sends due announcements.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { announcements, announcementsErrors } from '../contract.ts';
import {
  cancelAnnouncement,
  countAudience,
  createAnnouncement,
  getAnnouncement,
  listAnnouncements,
  sendAnnouncement,
  updateAnnouncement,
} from './compose.ts';
import { announcementKind, announcementSender, sendJob } from './send.ts';

export const announcementsFeature = feature({
  name: 'announcements',
  contract: announcements,
  errors: announcementsErrors,
  verbs: {
    listAnnouncements,
    getAnnouncement,
    createAnnouncement,
    updateAnnouncement,
    sendAnnouncement,
    cancelAnnouncement,
    countAudience,
  },
  jobs: [sendJob],
  senders: { [announcementKind]: announcementSender },
});

export { sendDue } from './send.ts';
