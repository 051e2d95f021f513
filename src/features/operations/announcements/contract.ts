// Announcements: messages from Admins to all users, to a role, to an organization, or to the subscribers of a
// service.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { day, id, instant, pageOf, pageQuery, role, text } from '#kernel/shape.ts';

export const severities = ['info', 'warning'] as const;
export const announcementStates = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export type AnnouncementState = (typeof announcementStates)[number];
export const audienceKinds = ['all', 'role', 'organization', 'service'] as const;
export type AudienceKind = (typeof audienceKinds)[number];

/**
 * The active users in the audience at the time of sending. `service`: the users of organizations with a
 * subscription to the service that has not ended.
 */
export const Audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('role'), role }),
  z.strictObject({ kind: z.literal('organization'), organizationId: id('org') }),
  z.strictObject({ kind: z.literal('service'), serviceId: id('svc') }),
]);
export type Audience = z.output<typeof Audience>;

export const longestTitle = 80;
export const longestText = 1000;
const both = {
  zhTW: z.strictObject({ title: text(longestTitle), text: text(longestText) }),
  enUS: z.strictObject({ title: text(longestTitle), text: text(longestText) }),
};
const content = {
  /** In both languages, because each user reads it in their own. */
  words: z.strictObject(both),
  severity: z.enum(severities),
  /** A path of this console. */
  link: z.nullable(z.string().check(z.maxLength(2000))),
  audience: Audience,
};

export const Announcement = z.strictObject({
  id: id('ann'),
  ...content,
  /** The name of the audience's organization or service at that time; '' for other audiences. */
  audienceName: z.string(),
  state: z.enum(announcementStates),
  sendAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  /** How many users it has been sent to, and how many there were when sending began. */
  reached: z.int(),
  expected: z.nullable(z.int()),
  author: z.string(),
  createdAt: instant,
});
export type Announcement = z.output<typeof Announcement>;
const Detail = z.extend(Announcement, {
  /** How many users have read or deleted it. */
  read: z.int(),
  /** How many users it would reach now; null once sending has begun. */
  people: z.nullable(z.int()),
});
export type AnnouncementDetail = z.output<typeof Detail>;

const admin = { roles: ['Admin'] } as const;
const one = { announcementId: id('ann') };
/** In the console's time zone. */
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

export const announcements = contract({
  listAnnouncements: route({
    method: 'GET',
    path: '/admin/announcements',
    access: admin,
    summary: 'List announcements',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(announcementStates)) }),
    output: pageOf(Announcement),
  }),
  getAnnouncement: route({
    method: 'GET',
    path: '/admin/announcements/:announcementId',
    access: admin,
    summary: 'Get an announcement',
    description: 'Includes how many people it reaches or has reached, and how many have read it.',
    input: z.strictObject(one),
    output: Detail,
  }),
  createAnnouncement: route({
    method: 'POST',
    path: '/admin/announcements',
    access: admin,
    status: 201,
    summary: 'Create an announcement',
    description: 'Saves a draft in both languages. Nothing is sent.',
    input: z.strictObject(content),
    output: Announcement,
  }),
  updateAnnouncement: route({
    method: 'PUT',
    path: '/admin/announcements/:announcementId',
    access: admin,
    summary: 'Update an announcement',
    description: 'Only before it’s being sent. Its schedule is kept.',
    input: z.strictObject({ ...one, ...content }),
    output: Announcement,
  }),
  sendAnnouncement: route({
    method: 'POST',
    path: '/admin/announcements/:announcementId/send',
    access: admin,
    status: 202,
    summary: 'Send an announcement',
    description: 'Now, or at a time in the console’s time zone. Each person gets it once.',
    input: z.strictObject({ ...one, at: z.optional(z.strictObject({ day, time: clockTime })) }),
    output: Announcement,
  }),
  cancelAnnouncement: route({
    method: 'POST',
    path: '/admin/announcements/:announcementId/cancel',
    access: admin,
    summary: 'Cancel an announcement',
    description: 'Only before it’s being sent.',
    input: z.strictObject(one),
    output: Announcement,
  }),
  countAudience: route({
    method: 'GET',
    path: '/admin/announcement-audience',
    access: admin,
    summary: 'Count an audience',
    description: 'How many people it has now.',
    input: z.strictObject({
      kind: z.enum(audienceKinds),
      role: z.optional(role),
      organizationId: z.optional(id('org')),
      serviceId: z.optional(id('svc')),
    }),
    output: z.strictObject({ people: z.int() }),
  }),
});

export const announcementsErrors = {
  'announcements.not_found': 404,
  'announcements.audience_not_found': 400,
  'announcements.audience_incomplete': 400,
  'announcements.link_outside': 400,
  'announcements.time_past': 400,
  'announcements.time_far': 400,
  'announcements.already_sent': 409,
  'announcements.is_cancelled': 409,
  'announcements.nobody': 409,
} as const satisfies ErrorTable;
