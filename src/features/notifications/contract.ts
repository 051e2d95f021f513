// Notifications: what a person should know, once each.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { id, instant, pageOf, pageQuery, queryFlag } from '#kernel/shape.ts';

export const notificationTypes = ['payment', 'security', 'warning', 'info'] as const;
export const notificationCategories = ['billing', 'security', 'usage', 'system'] as const;

export const Notification = z.strictObject({
  id: id('ntf'),
  type: z.enum(notificationTypes),
  category: z.enum(notificationCategories),
  message: z.string(),
  link: z.nullable(z.string()),
  read: z.boolean(),
  createdAt: instant,
});
export type Notification = z.output<typeof Notification>;

const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;

export const notifications = contract({
  listNotifications: route({ method: 'GET', path: '/notifications', access: everyone, summary: 'The own notifications, the newest first.', input: z.strictObject({ ...pageQuery, unread: z.optional(queryFlag), category: z.optional(z.enum(notificationCategories)) }), output: z.extend(pageOf(Notification), { unread: z.int() }) }),
  markNotification: route({ method: 'PATCH', path: '/notifications/:notificationId', access: everyone, summary: 'Marks one as read or unread.', input: z.strictObject({ notificationId: id('ntf'), read: z.boolean() }), output: Notification }),
  deleteNotification: route({ method: 'DELETE', path: '/notifications/:notificationId', access: everyone, summary: 'Deletes one.', input: z.strictObject({ notificationId: id('ntf') }), output: nothing }),
  readAll: route({ method: 'POST', path: '/notifications/read-all', access: everyone, summary: 'Marks all as read.', input: z.strictObject({}), output: z.strictObject({ changed: z.int() }) }),
});

export const notificationsErrors = { 'notifications.not_found': 404 } as const satisfies ErrorTable;
