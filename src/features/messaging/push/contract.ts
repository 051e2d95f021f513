// Push: browser notifications, even while no page of the console is open (Web Push: RFC 8030, 8291, 8292).
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, text } from '#kernel/shape.ts';

/** The most browsers of one user; a script that registers repeatedly must not fill the table. */
export const maxDevices = 20;

const endpoint = text(1000);
/** Unpadded base64url with a fixed number of bytes. */
const bytes = (pattern: RegExp) => z.string().check(z.regex(pattern));

export const PushDevice = z.strictObject({
  id: id('psu'),
  /** The address of the browser's push service, by which a browser recognizes its own entry. */
  endpoint: z.string(),
  /** The browser's User-Agent. */
  device: z.string(),
  createdAt: instant,
  lastTriedAt: z.nullable(instant),
  /** Why the last message was rejected; empty when it was accepted. */
  lastError: z.string(),
});
export type PushDevice = z.output<typeof PushDevice>;

const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;

export const push = contract({
  listPushSubscriptions: route({
    method: 'GET',
    path: '/notifications/push-subscriptions',
    access: everyone,
    summary: 'List your push browsers',
    description:
      'The browsers that receive your push notifications, and the key with which a browser subscribes (VAPID).',
    input: noInput,
    output: z.strictObject({ publicKey: z.string(), items: z.array(PushDevice) }),
  }),
  addPushSubscription: route({
    method: 'POST',
    path: '/notifications/push-subscriptions',
    access: everyone,
    status: 201,
    summary: 'Register a browser for push',
    description:
      'Takes the subscription from its PushManager. A browser belongs to whoever registered it last.',
    // 65 bytes of an uncompressed P-256 point, and 16 of a secret (RFC 8291, section 3.2).
    input: z.strictObject({
      endpoint,
      keys: z.strictObject({ p256dh: bytes(/^[A-Za-z0-9_-]{87}$/), auth: bytes(/^[A-Za-z0-9_-]{22}$/) }),
    }),
    output: PushDevice,
  }),
  removePushSubscription: route({
    method: 'DELETE',
    path: '/notifications/push-subscriptions',
    access: everyone,
    summary: 'Remove a push browser',
    input: z.strictObject({ endpoint }),
    output: nothing,
  }),
});

export const pushErrors = {
  'push.not_found': 404,
  'push.too_many': 409,
  // Invalid fields: the answer names them (400).
  'push.endpoint_refused': 400,
  'push.keys_wrong': 400,
} as const satisfies ErrorTable;
