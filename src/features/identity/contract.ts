// Identity: people, organizations, sessions and API keys, and the calls about them.
import * as z from 'zod/mini';
import { contract, keyScopes, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { day, email, id, instant, language, optionalText, pageOf, pageQuery, role, text, timeZone } from '#kernel/shape.ts';

export const userStatuses = ['active', 'inactive'] as const;
export const taxStatuses = ['standard', 'zero', 'exempt'] as const;

/** A person. `account` is their e-mail address; Admins belong to no organization. */
export const User = z.strictObject({
  id: id('usr'),
  account: z.string(),
  name: z.string(),
  phone: z.string(),
  address: z.string(),
  role,
  status: z.enum(userStatuses),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  memberLevel: z.string(),
  language,
  timeZone: z.string(),
  twoFactor: z.boolean(),
  emailNotifications: z.boolean(),
  smsNotifications: z.boolean(),
  registeredOn: day,
  createdAt: instant,
  lastSignInAt: z.nullable(instant),
});
export type User = z.output<typeof User>;

export const Organization = z.strictObject({
  id: id('org'),
  name: z.string(),
  taxId: z.string(),
  taxStatus: z.enum(taxStatuses),
  billingEmail: z.string(),
  billingAddress: z.string(),
  timeZone: z.string(),
  language,
  externalRef: z.nullable(z.string()),
  createdAt: instant,
});
export type Organization = z.output<typeof Organization>;

/**
 * What sign-in and the session cookie answer. The token goes into memory only.
 * `mustEnrol`: the role needs a second factor that is not set up yet; until then little else is open.
 */
export const SignedIn = z.strictObject({ user: User, token: z.string(), expiresAt: instant, mustEnrol: z.boolean() });
export type SignedIn = z.output<typeof SignedIn>;

export const Session = z.strictObject({
  id: id('ses'),
  device: z.string(),
  address: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant,
  current: z.boolean(),
});

export const ApiKey = z.strictObject({
  id: id('key'),
  name: z.string(),
  scope: z.enum(keyScopes),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  createdAt: instant,
  expiresAt: z.nullable(instant),
  lastUsedAt: z.nullable(instant),
});

/** A password as typed; the rules decide whether it may be chosen. */
export const password = z.string().check(z.minLength(1), z.maxLength(1024));
const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
const admin = { roles: ['Admin'] } as const;

export const identity = contract({
  logout: route({ method: 'POST', path: '/user/logout', access: 'cookie', summary: 'Ends the session of the cookie.', input: noInput, output: nothing }),
  session: route({ method: 'GET', path: '/user/session', access: 'cookie', summary: 'Answers a fresh access token for the session cookie.', input: noInput, output: SignedIn }),
  profile: route({ method: 'GET', path: '/user/profile', access: everyone, beforeEnrolment: true, summary: 'The signed-in person.', input: noInput, output: User }),
  updateProfile: route({
    method: 'PATCH', path: '/user/profile', access: { roles: ['Admin', 'User'] }, summary: 'Changes the own profile.',
    input: z.strictObject({
      name: z.optional(text(120)), phone: z.optional(optionalText(40)), address: z.optional(optionalText(400)), language: z.optional(language),
      emailNotifications: z.optional(z.boolean()), smsNotifications: z.optional(z.boolean()),
    }),
    output: User,
  }),
  sessions: route({ method: 'GET', path: '/user/sessions', access: everyone, summary: 'The own open sessions.', input: noInput, output: z.strictObject({ items: z.array(Session) }) }),
  endSession: route({ method: 'DELETE', path: '/user/sessions/:sessionId', access: everyone, summary: 'Ends one of the own sessions.', input: z.strictObject({ sessionId: id('ses') }), output: nothing }),

  organization: route({ method: 'GET', path: '/organization', access: { roles: ['User', 'ReadOnly'] }, summary: 'The own organization.', input: noInput, output: Organization }),
  updateOrganization: route({
    method: 'PATCH', path: '/organization', access: { roles: ['User'] }, summary: 'Changes the own organization.',
    input: z.strictObject({
      name: z.optional(text(160)), taxId: z.optional(optionalText(20)), billingEmail: z.optional(z.union([email, z.literal('')])),
      billingAddress: z.optional(optionalText(400)), timeZone: z.optional(timeZone), language: z.optional(language),
    }),
    output: Organization,
  }),
  members: route({ method: 'GET', path: '/organization/members', access: { roles: ['User', 'ReadOnly'] }, summary: 'The people of the own organization.', input: noInput, output: z.strictObject({ items: z.array(z.strictObject({ id: id('usr'), name: z.string(), account: z.string(), role, status: z.enum(userStatuses) })) }) }),

  listUsers: route({
    method: 'GET', path: '/admin/users', access: admin, summary: 'Everybody, searched and filtered.',
    input: z.strictObject({ ...pageQuery, role: z.optional(role), status: z.optional(z.enum(userStatuses)), organizationId: z.optional(id('org')) }),
    output: pageOf(User),
  }),
  createUser: route({
    method: 'POST', path: '/admin/users', access: admin, status: 201, idempotent: true, summary: 'Makes a user; without a password one is generated and answered once.',
    input: z.strictObject({ account: email, name: text(120), role, organizationId: z.optional(id('org')), password: z.optional(password), phone: z.optional(optionalText(40)), language: z.optional(language) }),
    output: z.strictObject({ user: User, password: z.nullable(z.string()) }),
  }),
  getUser: route({ method: 'GET', path: '/admin/users/:userId', access: admin, summary: 'One user.', input: z.strictObject({ userId: id('usr') }), output: User }),
  updateUser: route({
    method: 'PATCH', path: '/admin/users/:userId', access: admin, summary: 'Changes a user. The last active Admin cannot lose the role or be deactivated.',
    input: z.strictObject({ userId: id('usr'), name: z.optional(text(120)), phone: z.optional(optionalText(40)), role: z.optional(role), organizationId: z.optional(id('org')), status: z.optional(z.enum(userStatuses)) }),
    output: User,
  }),
  listOrganizations: route({
    method: 'GET', path: '/admin/organizations', access: admin, summary: 'All organizations, searched.',
    input: z.strictObject({ ...pageQuery }), output: pageOf(Organization),
  }),

  listApiKeys: route({ method: 'GET', path: '/admin/api-keys', access: admin, summary: 'All API keys; never their secrets.', input: z.strictObject({ ...pageQuery }), output: pageOf(ApiKey) }),
  createApiKey: route({
    method: 'POST', path: '/admin/api-keys', access: admin, status: 201, summary: 'Makes an API key; its secret is answered once and stored hashed.',
    input: z.strictObject({ name: text(120), scope: z.optional(z.enum(keyScopes)), organizationId: z.optional(id('org')), expiresAt: z.optional(instant) }),
    output: z.strictObject({ key: ApiKey, secret: z.string() }),
  }),
  revokeApiKey: route({ method: 'DELETE', path: '/admin/api-keys/:keyId', access: admin, summary: 'Revokes an API key at once.', input: z.strictObject({ keyId: id('key') }), output: nothing }),

  liveTicket: route({ method: 'POST', path: '/live/tickets', access: everyone, beforeEnrolment: true, summary: 'A single-use ticket for the live connection, good for 60 s.', input: noInput, output: z.strictObject({ ticket: z.string(), expiresAt: instant }) }),
});

export const identityErrors = {
  'identity.session_ended': 401,
  'identity.account_taken': 409,
  'identity.user_not_found': 404,
  'identity.organization_not_found': 404,
  'identity.key_not_found': 404,
  'identity.session_not_found': 404,
  'identity.last_admin': 409,
  'identity.organization_required': 422,
  'identity.password_too_short': 422,
  'identity.tax_id_invalid': 422,
  'identity.time_zone_unknown': 422,
  'identity.busy': 503,
} as const satisfies ErrorTable;
