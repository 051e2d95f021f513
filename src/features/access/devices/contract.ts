// Signing a machine in without a browser (RFC 8628): it shows a code, a signed-in person confirms it, and it gets an API key of theirs.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { id, instant, role, text } from '#kernel/shape.ts';

const permission = z.enum(everyPermission);
/** What a machine asks for, or a person gives it; at least one. */
const permissionList = z.array(permission).check(z.minLength(1), z.maxLength(everyPermission.length));
const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
/** Any text is taken: only its digest is looked up. */
const code = z.string().check(z.minLength(1), z.maxLength(200));
/** As a person types it: with or without the dash, in any case. */
const userCode = z.string().check(z.minLength(1), z.maxLength(40));

/** For how many days a machine's key works. */
export const keyDays = [7, 30, 90, 365] as const;

/** What a machine asks for, as the person sees it who is to confirm. */
export const DeviceRequest = z.strictObject({
  name: z.string(),
  address: z.string(),
  askedAt: instant,
  expiresAt: instant,
  /** What it asks for. */
  asked: z.array(permission),
  /** What of it this person can give: read-only people can only give reading. */
  possible: z.array(permission),
  irreversible: z.boolean(),
});
export type DeviceRequest = z.output<typeof DeviceRequest>;

/** Whom a key acts for, and what it may do. */
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
    summary:
      'Begins to sign a machine in (RFC 8628): it shows `userCode` and `verificationUri` to a person and asks /auth/device/token every `interval` seconds.',
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
    summary:
      'Answers the key once a person has confirmed; until then `devices.authorization_pending`, sooner than asked for `devices.slow_down` (5 seconds more), and at the end `devices.expired_token` or `devices.access_denied`.',
    input: z.strictObject({ deviceCode: code }),
    output: z.strictObject({ secret: z.string(), key: KeyFacts }),
  }),
  findDevice: route({
    method: 'POST',
    path: '/auth/device/find',
    access: everyone,
    summary: 'What the device showing this code requests.',
    input: z.strictObject({ userCode }),
    output: DeviceRequest,
  }),
  confirmDevice: route({
    method: 'POST',
    path: '/auth/device/confirm',
    access: everyone,
    summary:
      'Gives the machine a key that acts for the caller, who proves who they are: for so many days, with these of the permissions that it asked for.',
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
    summary: 'Denies the device.',
    input: z.strictObject({ userCode }),
    output: nothing,
  }),
  describeKey: route({
    method: 'POST',
    path: '/auth/key',
    access: 'public',
    summary: 'Whom a key with permissions acts for; its secret is in the body.',
    input: z.strictObject({ secret: code }),
    output: KeyFacts,
  }),
  endKey: route({
    method: 'POST',
    path: '/auth/key/end',
    access: 'public',
    summary:
      'Ends the key with permissions whose secret is in the body. Answers the same when there is none.',
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
