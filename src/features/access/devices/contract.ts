// Device authorization (RFC 8628) for machines without a browser: the machine shows a code, a signed-in
// person confirms it, and the machine gets an API key of that person.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { id, instant, role, text } from '#kernel/shape.ts';

const permission = z.enum(everyPermission);
/** Permissions that a machine requests or a person grants; at least one. */
const permissionList = z.array(permission).check(z.minLength(1), z.maxLength(everyPermission.length));
const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
/** Any text is accepted: only its digest is looked up. */
const code = z.string().check(z.minLength(1), z.maxLength(200));
/** As a person types it: with or without the dash, in any case. */
const userCode = z.string().check(z.minLength(1), z.maxLength(40));

/** The lifetimes that a machine's key can have, in days. */
export const keyDays = [7, 30, 90, 365] as const;

/** A machine's request, as shown to the person who confirms it. */
export const DeviceRequest = z.strictObject({
  name: z.string(),
  address: z.string(),
  askedAt: instant,
  expiresAt: instant,
  /** The permissions that it requests. */
  asked: z.array(permission),
  /** The requested permissions that this person can grant: read-only people can grant only reading. */
  possible: z.array(permission),
  irreversible: z.boolean(),
});
export type DeviceRequest = z.output<typeof DeviceRequest>;

/** The person for whom a key acts, and its permissions. */
export const KeyFacts = z.strictObject({
  keyId: id('key'),
  name: z.string(),
  account: z.string(),
  person: z.string(),
  role,
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  permissions: z.array(permission),
  irreversible: z.boolean(),
  expiresAt: z.nullable(instant),
});
export type KeyFacts = z.output<typeof KeyFacts>;

export const devices = contract({
  askDevice: route({
    method: 'POST',
    path: '/auth/device',
    access: 'public',
    perMinute: 20,
    summary: 'Start device sign-in',
    description:
      'Starts signing in a machine (RFC 8628). It shows `userCode` and `verificationUri` to a person and polls `/auth/device/token` every `interval` seconds.',
    input: z.strictObject({
      name: text(80),
      permissions: permissionList,
      irreversible: z.optional(z.boolean()),
    }),
    output: z.strictObject({
      deviceCode: z.string(),
      userCode: z.string(),
      verificationUri: z.string(),
      verificationUriComplete: z.string(),
      /** Seconds. */
      expiresIn: z.int(),
      interval: z.int(),
    }),
  }),
  pollDevice: route({
    method: 'POST',
    path: '/auth/device/token',
    access: 'public',
    summary: 'Poll for a device key',
    description:
      'Returns the key once a person has confirmed. Until then it returns `devices.authorization_pending`; `devices.slow_down` if polled too soon (wait 5 more seconds); and finally `devices.expired_token` or `devices.access_denied`.',
    input: z.strictObject({ deviceCode: code }),
    output: z.strictObject({ secret: z.string(), key: KeyFacts }),
  }),
  findDevice: route({
    method: 'POST',
    path: '/auth/device/find',
    access: everyone,
    summary: 'Look up a device',
    description: 'What the device showing this code is asking for.',
    input: z.strictObject({ userCode }),
    output: DeviceRequest,
  }),
  confirmDevice: route({
    method: 'POST',
    path: '/auth/device/confirm',
    access: everyone,
    summary: 'Approve a device',
    description:
      'Issues a key that acts for you, for the chosen number of days and with the chosen ones of the permissions it asked for. You must have confirmed your identity.',
    input: z.strictObject({
      userCode,
      permissions: permissionList,
      irreversible: z.optional(z.boolean()),
      days: z.int().check(z.minimum(1), z.maximum(365)),
    }),
    output: z.strictObject({ keyId: id('key'), name: z.string(), expiresAt: instant }),
  }),
  refuseDevice: route({
    method: 'POST',
    path: '/auth/device/refuse',
    access: everyone,
    summary: 'Deny a device',
    input: z.strictObject({ userCode }),
    output: nothing,
  }),
  describeKey: route({
    method: 'POST',
    path: '/auth/key',
    access: 'public',
    summary: 'Get whom a key acts for',
    description: 'Takes the secret of a key with permissions in the body.',
    input: z.strictObject({ secret: code }),
    output: KeyFacts,
  }),
  endKey: route({
    method: 'POST',
    path: '/auth/key/end',
    access: 'public',
    summary: 'Revoke a key by its secret',
    description:
      'Ends the key with permissions whose secret is in the body. The response is the same if there is none.',
    input: z.strictObject({ secret: code }),
    output: nothing,
  }),
});

export const devicesPaths = { confirm: '/device' } as const;

export const devicesErrors = {
  'devices.authorization_pending': 400,
  'devices.slow_down': 400,
  'devices.expired_token': 400,
  'devices.access_denied': 400,
  'devices.code_unknown': 404,
  'devices.too_many': 503,
  'devices.more_than_asked': 422,
  'devices.read_only': 422,
  'devices.key_ended': 401,
} as const satisfies ErrorTable;
