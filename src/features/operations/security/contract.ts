// Security: failed sign-ins, blocked accounts and addresses, open sessions, and weaknesses.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery, role, text } from '#kernel/shape.ts';

/**
 * What is blocked after failures. `browser` and `step`: failures in a known browser, and of a second step,
 * are counted separately.
 */
export const waitingKinds = ['account', 'address', 'requests', 'browser', 'step'] as const;
/** The method of a failed sign-in; `other` for an external provider's. */
export const refusedWays = [
  'password',
  'passkey',
  'link',
  'twoFactor',
  'prove',
  'changePassword',
  'other',
] as const;

export const Waiting = z.strictObject({
  /** The key of the counter; it identifies an account only by its digest. */
  key: z.string(),
  kind: z.enum(waitingKinds),
  /** The account, the address or the user's name, if the console knows it. */
  name: z.nullable(z.string()),
  failures: z.int(),
  until: instant,
});
export type Waiting = z.output<typeof Waiting>;

export const Refused = z.strictObject({
  id: z.string(),
  at: instant,
  way: z.enum(refusedWays),
  /** The reason, as in the audit log. */
  reason: z.string(),
  /** The user, when the account exists. The typed password is never stored. */
  user: z.nullable(z.strictObject({ id: id('usr'), name: z.string(), account: z.string() })),
  address: z.nullable(z.string()),
});
export type Refused = z.output<typeof Refused>;

export const OpenSession = z.strictObject({
  id: id('ses'),
  userId: id('usr'),
  name: z.string(),
  account: z.string(),
  role,
  device: z.string(),
  address: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  current: z.boolean(),
});
export type OpenSession = z.output<typeof OpenSession>;

export const SecurityState = z.strictObject({
  asOf: instant,
  /** Failed sign-ins of the last day by hour, oldest first. */
  refused: z.array(z.strictObject({ at: instant, count: z.int() })),
  /** What is currently blocked, longest first; the list is truncated, the total is not. */
  waiting: z.strictObject({ total: z.int(), items: z.array(Waiting) }),
  sessions: z.strictObject({ open: z.int(), admins: z.int() }),
  /** Keys that expire within 30 days, earliest first, and how many never expire. */
  keys: z.strictObject({
    expiring: z.array(
      z.strictObject({
        id: id('key'),
        name: z.string(),
        organization: z.nullable(z.string()),
        expiresAt: instant,
        lastUsedAt: z.nullable(instant),
      }),
    ),
    endless: z.int(),
    total: z.int(),
  }),
  /** Active users with a second factor (an authenticator or a passkey), by role. */
  secondFactor: z.array(z.strictObject({ role, on: z.int(), total: z.int() })),
  adminsMustHaveOne: z.boolean(),
  /** Admins without one, sorted by name; at most 20. */
  adminsWithout: z.array(z.strictObject({ id: id('usr'), name: z.string(), account: z.string() })),
});
export type SecurityState = z.output<typeof SecurityState>;

const admin = { roles: ['Admin'] } as const;

export const security = contract({
  securityState: route({
    method: 'GET',
    path: '/admin/security',
    access: admin,
    summary: 'Get the security status',
    description:
      'Failed sign-ins, current lockouts, sessions, keys that are about to expire, and second factors.',
    input: noInput,
    output: SecurityState,
  }),
  listRefused: route({
    method: 'GET',
    path: '/admin/security/refused',
    access: admin,
    summary: 'List failed sign-ins',
    description: 'Newest first. `q` matches part of an account or an address.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(Refused),
  }),
  listOpenSessions: route({
    method: 'GET',
    path: '/admin/security/sessions',
    access: admin,
    summary: 'List all open sessions',
    description: 'Newest first. `q` matches part of a name, an account, or an address.',
    input: z.strictObject({ ...pageQuery, role: z.optional(role) }),
    output: pageOf(OpenSession),
  }),
  endOpenSession: route({
    method: 'DELETE',
    path: '/admin/security/sessions/:sessionId',
    access: admin,
    summary: 'End any session',
    description: 'Its open tabs are signed out immediately.',
    input: z.strictObject({ sessionId: id('ses') }),
    output: z.null(),
  }),
  letTryAgain: route({
    method: 'POST',
    path: '/admin/security/waiting/release',
    access: admin,
    fresh: true,
    summary: 'Lift a lockout',
    description: 'Clears the failures of an account or an address so that it can try again immediately.',
    input: z.strictObject({ key: text(200) }),
    output: z.null(),
  }),
});

export const securityErrors = { 'security.session_not_found': 404 } as const satisfies ErrorTable;
