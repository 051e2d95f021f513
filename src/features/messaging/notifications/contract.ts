// Notifications: what a user should know, each once; the channels, and quiet times.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, optionalText, pageOf, pageQuery, queryFlag, text } from '#kernel/shape.ts';

export const notificationTypes = ['payment', 'security', 'warning', 'info'] as const;
export const notificationCategories = ['billing', 'security', 'usage', 'system'] as const;
export type Category = (typeof notificationCategories)[number];

/** The channels besides the console, which shows every notification. */
export const channels = ['email', 'sms', 'push'] as const;
export type Channel = (typeof channels)[number];

/**
 * The state of a delivery. `waiting`: will be sent at `at`; `retrying`: failed `attempts` times, next attempt
 * at `at`; `failed`: permanently, `reason` is the other side's message; `withdrawn`: read in the console
 * before it was sent; `forgotten`: sent so long ago that its record was deleted.
 */
export const deliveryStates = ['sent', 'waiting', 'retrying', 'failed', 'withdrawn', 'forgotten'] as const;
export const Delivery = z.strictObject({
  channel: z.enum(channels),
  state: z.enum(deliveryStates),
  at: z.nullable(instant),
  attempts: z.int(),
  reason: z.nullable(z.string()),
  isDigest: z.boolean(),
});
export type Delivery = z.output<typeof Delivery>;

export const Notification = z.strictObject({
  id: id('ntf'),
  type: z.enum(notificationTypes),
  category: z.enum(notificationCategories),
  message: z.string(),
  link: z.nullable(z.string()),
  read: z.boolean(),
  createdAt: instant,
  deliveries: z.array(Delivery),
});
export type Notification = z.output<typeof Notification>;

/** Why a channel cannot be used; each has a text that explains how to fix it. */
export const channelProblems = [
  'no_mail',
  'no_address',
  'unverified',
  'no_sms',
  'no_phone',
  'phone_wrong',
  'no_device',
] as const;
export type ChannelProblem = (typeof channelProblems)[number];
/** `to` is the destination: an address, a number, the number of devices. */
const ChannelState = z.strictObject({
  isOn: z.boolean(),
  to: z.nullable(z.string()),
  problem: z.nullable(z.enum(channelProblems)),
});

const Wanted = z.strictObject({ email: z.boolean(), sms: z.boolean(), push: z.boolean() });
/** Which categories are sent by which channels. Security e-mails are sent regardless. */
export const Matrix = z.strictObject({ billing: Wanted, security: Wanted, usage: Wanted, system: Wanted });
/** 'HH:MM' in the user's own time zone. */
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
const QuietHours = z.strictObject({ from: clockTime, to: clockTime });
const Digest = z.strictObject({
  hour: z.int().check(z.minimum(0), z.maximum(23)),
  categories: z.array(z.enum(notificationCategories)).check(z.minLength(1), z.maxLength(4)),
});
const deliveryPreferences = {
  matrix: Matrix,
  /** Within these hours, only security e-mails are sent; the rest waits until they end. Null: none. */
  quietHours: z.nullable(QuietHours),
  /** E-mails of these categories are combined into one per day. Null: each is sent separately. */
  digest: z.nullable(Digest),
};
export const Preferences = z.strictObject({
  ...deliveryPreferences,
  channels: z.strictObject({ email: ChannelState, sms: ChannelState, push: ChannelState }),
  timeZone: z.string(),
});
export type Preferences = z.output<typeof Preferences>;
export type DeliveryPreferences = Pick<Preferences, keyof typeof deliveryPreferences>;

/** An e-mail as it is sent. */
export const Letter = z.strictObject({ subject: z.string(), html: z.string(), text: z.string() });
export type Letter = z.output<typeof Letter>;

export const testChannels = ['inApp', ...channels] as const;
/** The state of a test; `tookMs` is the time from the request until the other side accepted it. */
export const TestResult = z.strictObject({
  state: z.enum(['waiting', 'sent', 'retrying', 'failed']),
  attempts: z.int(),
  sentAt: z.nullable(instant),
  tookMs: z.nullable(z.int()),
  nextAt: z.nullable(instant),
  reason: z.nullable(z.string()),
});
export type TestResult = z.output<typeof TestResult>;

export const Template = z.strictObject({
  kind: z.string(),
  category: z.enum(notificationCategories),
  isLocked: z.boolean(),
  channels: z.array(z.enum(channels)),
  message: z.string(),
});
export type Template = z.output<typeof Template>;

const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
const admin = { roles: ['Admin'] } as const;
const category = z.optional(z.enum(notificationCategories));
const one = z.strictObject({ notificationId: id('ntf') });
const listed = z.strictObject({ ...pageQuery, unread: z.optional(queryFlag), category });
/** Selects the caller's notifications for a bulk change, like the filter of a list. */
const filtered = { unread: z.optional(z.boolean()), category, q: z.optional(optionalText(200)) };

export const notifications = contract({
  listNotifications: route({
    method: 'GET',
    path: '/notifications',
    access: everyone,
    isBatchable: true,
    summary: 'List your notifications',
    description: 'Newest first. `q` searches the text in both languages.',
    input: listed,
    output: z.extend(pageOf(Notification), { unread: z.int() }),
  }),
  markNotification: route({
    method: 'PATCH',
    path: '/notifications/:notificationId',
    access: everyone,
    summary: 'Mark a notification as read or unread',
    input: z.strictObject({ notificationId: id('ntf'), read: z.boolean() }),
    output: Notification,
  }),
  deleteNotification: route({
    method: 'DELETE',
    path: '/notifications/:notificationId',
    access: everyone,
    summary: 'Delete a notification',
    description: 'It can be restored for a day.',
    input: one,
    output: nothing,
  }),
  restoreNotification: route({
    method: 'POST',
    path: '/notifications/:notificationId/restore',
    access: everyone,
    summary: 'Restore a notification',
    input: one,
    output: Notification,
  }),
  readAll: route({
    method: 'POST',
    path: '/notifications/read-all',
    access: everyone,
    summary: 'Mark notifications as read',
    description: 'All of them, or those that match a filter.',
    input: z.strictObject(filtered),
    output: z.strictObject({ changed: z.int() }),
  }),
  deleteAll: route({
    method: 'POST',
    path: '/notifications/delete-all',
    access: everyone,
    summary: 'Delete notifications',
    description: 'All that match a filter. They can be restored for a day.',
    input: z.strictObject(filtered),
    output: z.strictObject({ deleted: z.int(), deletionId: id('ndl') }),
  }),
  restoreDeletion: route({
    method: 'POST',
    path: '/notifications/restore',
    access: everyone,
    summary: 'Undo a deletion',
    description: 'Restores everything that one deletion removed.',
    input: z.strictObject({ deletionId: id('ndl') }),
    output: z.strictObject({ restored: z.int() }),
  }),
  listDeleted: route({
    method: 'GET',
    path: '/notifications/deleted',
    access: everyone,
    summary: 'List deleted notifications',
    description: 'Those deleted within the last day, the newest deletion first.',
    input: z.strictObject({ limit: pageQuery.limit, cursor: pageQuery.cursor, sort: pageQuery.sort }),
    output: pageOf(z.extend(Notification, { deletedAt: instant })),
  }),
  preferences: route({
    method: 'GET',
    path: '/notifications/preferences',
    access: everyone,
    summary: 'Get notification preferences',
    description: 'Through which channels your notifications are sent, and when.',
    input: noInput,
    output: Preferences,
  }),
  savePreferences: route({
    method: 'PUT',
    path: '/notifications/preferences',
    access: everyone,
    summary: 'Update notification preferences',
    description: '`isEmailOn` and `isSmsOn` are the switches in your profile.',
    input: z.strictObject({ ...deliveryPreferences, isEmailOn: z.boolean(), isSmsOn: z.boolean() }),
    output: Preferences,
  }),
  sendTest: route({
    method: 'POST',
    path: '/notifications/test',
    access: everyone,
    perMinute: 20,
    summary: 'Send a test notification',
    description:
      'Sends through one channel, the same way as any other notification. If it can’t, the reason is returned.',
    input: z.strictObject({ channel: z.enum(testChannels) }),
    output: z.strictObject({
      testId: id('out'),
      message: z.string(),
      to: z.nullable(z.string()),
      letter: z.nullable(Letter),
    }),
  }),
  getTest: route({
    method: 'GET',
    path: '/notifications/tests/:testId',
    access: everyone,
    summary: 'Get a test notification',
    description: 'Shows its delivery status.',
    input: z.strictObject({ testId: id('out') }),
    output: TestResult,
  }),
  listTemplates: route({
    method: 'GET',
    path: '/admin/notifications/templates',
    access: admin,
    summary: 'List notification templates',
    description: 'Every kind of notification with a sample.',
    input: noInput,
    output: z.strictObject({ items: z.array(Template) }),
  }),
  previewTemplate: route({
    method: 'GET',
    path: '/admin/notifications/templates/preview',
    access: admin,
    summary: 'Preview a notification email',
    description: 'The email for one kind of notification, exactly as it would be sent.',
    input: z.strictObject({ kind: text(60), language }),
    output: Letter,
  }),
});

export const notificationsErrors = {
  'notifications.not_found': 404,
  'notifications.test_not_found': 404,
  'notifications.kind_not_found': 404,
  'notifications.quiet_empty': 422,
  'notifications.no_mail': 422,
  'notifications.no_address': 422,
  'notifications.unverified': 422,
  'notifications.no_sms': 422,
  'notifications.no_phone': 422,
  'notifications.phone_wrong': 422,
  'notifications.no_device': 422,
} as const satisfies ErrorTable;

/** The page of notifications by role. ReadOnly has none (R-SHELL-11): the bell on each page shows them. */
export const notificationsPaths = {
  Admin: '/admin/notifications',
  User: '/user/notifications',
  ReadOnly: '/dashboard',
} as const;

/**
 * The page on which a role sets its preferences. ReadOnly uses a dialog, which this path opens over its
 * dashboard.
 */
export const preferencesPaths = {
  Admin: `${notificationsPaths.Admin}?tab=preferences`,
  User: `${notificationsPaths.User}?tab=preferences`,
  ReadOnly: `${notificationsPaths.ReadOnly}?preferences=notifications`,
} as const;
