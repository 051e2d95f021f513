// Identity: users, organizations, sessions and API keys, and the API calls about them.
import * as z from 'zod/mini';
import { contract, file, keyScopes, noInput, nothing, route } from '#kernel/contract.ts';
import { organizationFileRoutes, taxStatuses } from './contract-file.ts';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { longestPassword } from '#kernel/patterns.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  day,
  email,
  id,
  instant,
  chosenLanguage,
  contentLanguage,
  language,
  optionalText,
  pageOf,
  pageQuery,
  role,
  text,
  timeZone,
} from '#kernel/shape.ts';

export { taxStatuses } from './contract-file.ts';

export const userStatuses = ['active', 'inactive'] as const;
/** The states of a user: deleted ones can be restored for some days, and their names are kept permanently. */
export const everyUserStatus = [...userStatuses, 'deleted'] as const;
/** The longest time for which an Admin can view the console as another user. */
export const longestViewMinutes = 30;
/** How long a replaced secret of an API key may go on working. */
export const longestOverlapHours = 168;
/** Limits for an uploaded picture: its bytes, and the pixels of its longer side. */
export const maxPictureBytes = 1024 * 1024;
export const longestPictureSide = 4096;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
/**
 * The purpose of a key: to report usage, to read one organization, or `permissions`: to act for the person
 * who created it, within its permissions.
 */
export const keyKinds = [...keyScopes, 'permissions'] as const;
export type KeyKind = (typeof keyKinds)[number];
/** How many networks a key can be limited to. */
export const maxKeyAddresses = 20;
const permission = z.enum(everyPermission);

/** A custom role that limits a person's built-in role to its permissions. */
export const AssignedRole = z.strictObject({
  id: id('rol'),
  name: z.string(),
  permissions: z.array(permission),
});
export type AssignedRole = z.output<typeof AssignedRole>;

/** A user. `account` is their e-mail address; Admins belong to no organization. */
export const User = z.strictObject({
  id: id('usr'),
  account: z.string(),
  name: z.string(),
  phone: z.string(),
  address: z.string(),
  /** The id of their picture, which changes with every new picture; null without one. */
  avatar: z.nullable(id('avt')),
  role,
  /** Null: the whole built-in role. */
  customRole: z.nullable(AssignedRole),
  status: z.enum(everyUserStatus),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  memberLevel: z.string(),
  language: chosenLanguage,
  timeZone: z.string(),
  twoFactor: z.boolean(),
  emailNotifications: z.boolean(),
  smsNotifications: z.boolean(),
  registeredOn: day,
  createdAt: instant,
  lastSignInAt: z.nullable(instant),
  /** When a deleted user's data is erased; null for other users, and after erasing. */
  erasedAfter: z.nullable(instant),
});
export type User = z.output<typeof User>;

export const Organization = z.strictObject({
  id: id('org'),
  name: z.string(),
  taxId: z.string(),
  taxStatus: z.enum(taxStatuses),
  /** Country of establishment, ISO 3166-1 alpha-2; empty: the seller's country. */
  country: z.string(),
  /** VAT id with the country prefix; empty: taxed as a consumer abroad. */
  vatId: z.string(),
  /** Peppol address for electronic documents, `scheme:id`; empty: none. */
  electronicAddress: z.string(),
  billingEmail: z.string(),
  billingAddress: z.string(),
  /** Printed on future bills. */
  purchaseOrder: z.string(),
  billingReference: z.string(),
  timeZone: z.string(),
  language: contentLanguage,
  externalRef: z.nullable(z.string()),
  createdAt: instant,
  /** When it was closed; null while it is open. */
  closedAt: z.nullable(instant),
});
export type Organization = z.output<typeof Organization>;

/**
 * The answer to sign-in and to the session cookie. The browser keeps the token in memory only. `mustEnrol`:
 * the role requires a second factor that is not set up yet; until then most calls are rejected.
 */
export const SignedIn = z.strictObject({
  user: User,
  token: z.string(),
  expiresAt: instant,
  mustEnrol: z.boolean(),
  /** Minutes without use after which the session ends; null: it does not end by inactivity. */
  idleMinutes: z.nullable(z.int()),
});
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

/** A key in lists, without its secret; `hint` has the secret's first and last characters. */
export const ApiKey = z.strictObject({
  id: id('key'),
  name: z.string(),
  scope: z.enum(keyKinds),
  /** The person for whom a key with permissions acts; null for other keys. */
  personId: z.nullable(id('usr')),
  person: z.nullable(z.string()),
  permissions: z.array(permission),
  /** Whether it can make irreversible calls, for which a person must prove their identity. */
  irreversible: z.boolean(),
  /** The networks from which it can be used, such as `203.0.113.0/24`; empty: anywhere. */
  addresses: z.array(z.string()),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  hint: z.string(),
  createdAt: instant,
  expiresAt: z.nullable(instant),
  lastUsedAt: z.nullable(instant),
  rotatedAt: z.nullable(instant),
  /** When the secret before the last rotation stops working; null when it does not work. */
  previousUntil: z.nullable(instant),
});
export type ApiKey = z.output<typeof ApiKey>;

/** A member of an organization, as other members see them. */
export const Member = z.strictObject({
  id: id('usr'),
  name: z.string(),
  account: z.string(),
  role,
  customRole: z.nullable(AssignedRole),
  status: z.enum(userStatuses),
  createdAt: instant,
  lastSignInAt: z.nullable(instant),
});
export type Member = z.output<typeof Member>;

/** Filters for a list of users, besides the search. */
export const userFilter = {
  role: z.optional(role),
  status: z.optional(z.enum(everyUserStatus)),
  organizationId: z.optional(id('org')),
};

/** The roles of an organization's members. */
export const memberRoles = ['User', 'ReadOnly'] as const;
const memberRole = z.enum(memberRoles);
export const invitationStates = ['open', 'expired'] as const;

/** An invitation that has not been accepted yet, without its token, which is not stored. */
export const Invitation = z.strictObject({
  id: id('inv'),
  email: z.string(),
  role: memberRole,
  customRole: z.nullable(AssignedRole),
  /** The inviter's name; null when that user no longer exists. */
  invitedBy: z.nullable(z.string()),
  createdAt: instant,
  expiresAt: instant,
  state: z.enum(invitationStates),
});
export type Invitation = z.output<typeof Invitation>;

/** The length of a text in UTF-8 bytes. */
const bytesOf = (typed: string): number =>
  [...typed].reduce(
    (sum, letter) => sum + (letter <= '\u007f' ? 1 : letter <= '\u07ff' ? 2 : letter.length === 1 ? 3 : 4),
    0,
  );
/** A password as typed; the rules decide whether it is acceptable. */
export const password = z.string().check(
  z.minLength(1),
  z.maxLength(longestPassword),
  z.refine((typed) => bytesOf(typed) <= longestPassword),
);
const everyone = { roles: ['Admin', 'User', 'ReadOnly'] } as const;
const admin = { roles: ['Admin'] } as const;
const ownUser = { roles: ['User'] } as const;

const endedSessions = z.strictObject({ ended: z.int() });

/**
 * Any text is accepted as a token: only its digest is looked up, so a malformed token gets the same answer as
 * an unknown one.
 */
const invitationToken = z.string().check(z.minLength(1), z.maxLength(200));
const invitee = { email, role: memberRole, customRoleId: z.optional(id('rol')) };
const oneInvitation = z.strictObject({ invitationId: id('inv') });
/**
 * `link` is only in the answer to the inviter and cannot be read later; `mailed`: whether an e-mail with it
 * was queued.
 */
const SentInvitation = z.strictObject({ invitation: Invitation, link: z.string(), mailed: z.boolean() });

const oneKey = z.strictObject({ keyId: id('key') });
const newKey = {
  name: text(120),
  scope: z.optional(z.enum(keyKinds)),
  expiresAt: z.optional(instant),
  /** Only for a key with the scope `permissions`, like the two fields below. */
  permissions: z.optional(z.array(permission).check(z.maxLength(everyPermission.length))),
  irreversible: z.optional(z.boolean()),
  /** IPv4 or IPv6 addresses and networks; empty: anywhere. */
  addresses: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(maxKeyAddresses)),
  ),
};
const rotation = z.strictObject({
  keyId: id('key'),
  overlapHours: z.optional(z.int().check(z.minimum(0), z.maximum(longestOverlapHours))),
});
const keyWithSecret = z.strictObject({ key: ApiKey, secret: z.string() });

/** A saved view of a list. */
export const SavedView = z.strictObject({
  id: id('viw'),
  name: z.string(),
  /** The query string of the screen's URL, without '?'. */
  query: z.string(),
  createdAt: instant,
});
export type SavedView = z.output<typeof SavedView>;
/** The screen that a view belongs to, such as 'services'. */
const viewScreen = z.string().check(z.regex(/^[a-z][a-z-]{0,39}$/));
/** How many views one user can have per screen. */
export const maxViews = 20;
/** Pinned pages are stored as views of this screen, named after the page's path. */
export const pinnedScreen = 'pinned';
export const maxPinned = 12;

const organizationChanges = {
  name: z.optional(text(160)),
  taxId: z.optional(optionalText(20)),
  billingEmail: z.optional(z.union([email, z.literal('')])),
  billingAddress: z.optional(optionalText(400)),
  purchaseOrder: z.optional(optionalText(60)),
  billingReference: z.optional(optionalText(200)),
  electronicAddress: z.optional(optionalText(90)),
  timeZone: z.optional(timeZone),
  language: z.optional(contentLanguage),
};
/** Fields that only an Admin can change, because they determine the tax. */
const taxChanges = {
  taxStatus: z.optional(z.enum(taxStatuses)),
  country: z.optional(z.string().check(z.maxLength(2))),
  vatId: z.optional(optionalText(40)),
};

export const identity = contract({
  logout: route({
    method: 'POST',
    path: '/user/logout',
    access: 'cookie',
    summary: 'Sign out',
    description: 'Ends the session that the cookie belongs to.',
    input: noInput,
    output: nothing,
  }),
  session: route({
    method: 'GET',
    path: '/user/session',
    access: 'cookie',
    summary: 'Refresh the access token',
    description: 'Returns a new access token for the session cookie.',
    input: noInput,
    output: SignedIn,
  }),
  profile: route({
    method: 'GET',
    path: '/user/profile',
    access: everyone,
    beforeEnrolment: true,
    isBatchable: true,
    summary: 'Get your profile',
    input: noInput,
    output: User,
  }),
  updateProfile: route({
    method: 'PATCH',
    path: '/user/profile',
    access: { roles: ['Admin', 'User'] },
    summary: 'Update your profile',
    input: z.strictObject({
      name: z.optional(text(120)),
      phone: z.optional(optionalText(40)),
      address: z.optional(optionalText(400)),
      language: z.optional(language),
      emailNotifications: z.optional(z.boolean()),
      smsNotifications: z.optional(z.boolean()),
    }),
    output: User,
  }),
  setAvatar: route({
    method: 'PUT',
    path: '/user/avatar',
    access: { roles: ['Admin', 'User'] },
    perMinute: 10,
    atOnce: 1,
    summary: 'Upload your picture',
    description:
      'PNG, JPEG, or WebP of up to 1 MiB and 4,096 pixels a side. It’s re-encoded as a square without metadata.',
    raw: { types: pictureTypes, maxBytes: maxPictureBytes },
    input: noInput,
    output: User,
  }),
  removeAvatar: route({
    method: 'DELETE',
    path: '/user/avatar',
    access: { roles: ['Admin', 'User'] },
    perMinute: 30,
    summary: 'Remove your picture',
    input: noInput,
    output: User,
  }),
  avatar: route({
    method: 'GET',
    path: '/user/avatars/:avatarId',
    access: everyone,
    lasting: true,
    summary: 'Get a picture',
    description: 'A WebP image: yours, a colleague’s, or for an Admin anyone’s.',
    input: z.strictObject({ avatarId: id('avt') }),
    output: file,
  }),
  sessions: route({
    method: 'GET',
    path: '/user/sessions',
    access: everyone,
    isBatchable: true,
    summary: 'List your sessions',
    description: 'Only sessions that are still open.',
    input: noInput,
    output: z.strictObject({ items: z.array(Session) }),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/user/sessions/:sessionId',
    access: everyone,
    summary: 'End one of your sessions',
    input: z.strictObject({ sessionId: id('ses') }),
    output: nothing,
  }),

  endOtherSessions: route({
    method: 'DELETE',
    path: '/user/sessions',
    access: everyone,
    summary: 'End your other sessions',
    description: 'Every session except the current one.',
    input: noInput,
    output: endedSessions,
  }),

  savedViews: route({
    method: 'GET',
    path: '/saved-views',
    access: everyone,
    isBatchable: true,
    summary: 'List your saved views of a screen',
    input: z.strictObject({ screen: viewScreen }),
    output: z.strictObject({ items: z.array(SavedView) }),
  }),
  saveView: route({
    method: 'POST',
    path: '/saved-views',
    access: everyone,
    status: 201,
    summary: 'Save a view',
    description: 'Stores a list’s filters and sort order under a name.',
    input: z.strictObject({ screen: viewScreen, name: text(60), query: optionalText(2000) }),
    output: SavedView,
  }),
  changeView: route({
    method: 'PATCH',
    path: '/saved-views/:viewId',
    access: everyone,
    summary: 'Update a saved view',
    description: 'Renames it or replaces what it shows.',
    input: z.strictObject({
      viewId: id('viw'),
      name: z.optional(text(60)),
      query: z.optional(optionalText(2000)),
    }),
    output: SavedView,
  }),
  deleteView: route({
    method: 'DELETE',
    path: '/saved-views/:viewId',
    access: everyone,
    summary: 'Delete a saved view',
    input: z.strictObject({ viewId: id('viw') }),
    output: nothing,
  }),

  organization: route({
    method: 'GET',
    path: '/organization',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'Get your organization',
    input: noInput,
    output: Organization,
  }),
  updateOrganization: route({
    method: 'PATCH',
    path: '/organization',
    access: { roles: ['User'] },
    summary: 'Update your organization',
    input: z.strictObject(organizationChanges),
    output: Organization,
  }),
  members: route({
    method: 'GET',
    path: '/organization/members',
    access: { roles: ['User', 'ReadOnly'] },
    isBatchable: true,
    summary: 'List your organization’s members',
    input: noInput,
    output: z.strictObject({ items: z.array(Member) }),
  }),
  updateMember: route({
    method: 'PATCH',
    path: '/organization/members/:userId',
    access: ownUser,
    summary: 'Update a member',
    description:
      'Changes the role or status of another member and ends their sessions. An organization always keeps at least one active User.',
    input: z.strictObject({
      userId: id('usr'),
      role: z.optional(memberRole),
      /** Null: the whole built-in role. Omitted: unchanged, or none if `role` changes. */
      customRoleId: z.optional(z.nullable(id('rol'))),
      status: z.optional(z.enum(userStatuses)),
    }),
    output: Member,
  }),

  invitations: route({
    method: 'GET',
    path: '/organization/invitations',
    access: ownUser,
    isBatchable: true,
    summary: 'List your pending invitations',
    input: noInput,
    output: z.strictObject({ items: z.array(Invitation) }),
  }),
  invite: route({
    method: 'POST',
    path: '/organization/invitations',
    access: ownUser,
    status: 201,
    perMinute: 20,
    returnedOnce: ['link'],
    summary: 'Invite a member',
    description:
      'Invites an email address to your organization. The link is returned only once, and emailed if email is set up.',
    input: z.strictObject(invitee),
    output: SentInvitation,
  }),
  resendInvitation: route({
    method: 'POST',
    path: '/organization/invitations/:invitationId/resend',
    access: ownUser,
    perMinute: 20,
    returnedOnce: ['link'],
    summary: 'Resend an invitation',
    description: 'Sends a new link; the previous one stops working.',
    input: oneInvitation,
    output: SentInvitation,
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/organization/invitations/:invitationId',
    access: ownUser,
    summary: 'Revoke an invitation',
    input: oneInvitation,
    output: nothing,
  }),
  checkInvitation: route({
    method: 'POST',
    path: '/organization/invitations/check',
    access: 'public',
    perMinute: 30,
    summary: 'Look up an invitation',
    description: 'What the link invites to, before it’s accepted.',
    input: z.strictObject({ token: invitationToken }),
    output: z.strictObject({
      organization: z.string(),
      email: z.string(),
      role: memberRole,
      language: contentLanguage,
      expiresAt: instant,
      expired: z.boolean(),
      shortestPassword: z.int(),
    }),
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/organization/invitations/accept',
    access: 'public',
    status: 201,
    perMinute: 20,
    summary: 'Accept an invitation',
    description:
      'Adds the invited person as a member. The link works once and doesn’t sign anyone in. With the link that was returned to a User who invited them, not the emailed one, the address has to be confirmed first (`mustConfirm`); that email is sent now.',
    input: z.strictObject({
      token: invitationToken,
      name: text(120),
      password,
      language: z.optional(language),
    }),
    output: z.strictObject({ user: User, mustConfirm: z.boolean() }),
  }),

  organizationKeys: route({
    method: 'GET',
    path: '/organization/api-keys',
    access: ownUser,
    isBatchable: true,
    summary: 'List your API keys',
    description: 'Secrets are never returned.',
    input: noInput,
    output: z.strictObject({ items: z.array(ApiKey) }),
  }),
  createOrganizationKey: route({
    method: 'POST',
    path: '/organization/api-keys',
    access: ownUser,
    status: 201,
    returnedOnce: ['secret'],
    summary: 'Create an API key for your organization',
    description: 'The secret is returned only once and stored hashed.',
    input: z.strictObject(newKey),
    output: keyWithSecret,
  }),
  rotateOrganizationKey: route({
    method: 'POST',
    path: '/organization/api-keys/:keyId/rotate',
    access: ownUser,
    returnedOnce: ['secret'],
    summary: 'Rotate one of your API keys',
    description: 'Returns a new secret, only once. The old one works until the overlap ends.',
    input: rotation,
    output: keyWithSecret,
  }),
  revokeOrganizationKey: route({
    method: 'DELETE',
    path: '/organization/api-keys/:keyId',
    access: ownUser,
    summary: 'Revoke one of your API keys',
    description: 'Takes effect immediately.',
    input: oneKey,
    output: nothing,
  }),

  listUsers: route({
    method: 'GET',
    path: '/admin/users',
    access: admin,
    input: z.strictObject({ ...pageQuery, ...userFilter, customRoleId: z.optional(id('rol')) }),
    summary: 'List all users',
    description: 'Searchable and filterable. Deleted users are included only on request.',
    output: pageOf(User),
  }),
  createUser: route({
    method: 'POST',
    path: '/admin/users',
    access: admin,
    status: 201,
    idempotent: true,
    returnedOnce: ['password'],
    summary: 'Create a user',
    description: 'Without a password, one is generated and returned only once.',
    input: z.strictObject({
      account: email,
      name: text(120),
      role,
      organizationId: z.optional(id('org')),
      password: z.optional(password),
      phone: z.optional(optionalText(40)),
      language: z.optional(language),
      customRoleId: z.optional(id('rol')),
    }),
    output: z.strictObject({ user: User, password: z.nullable(z.string()) }),
  }),
  getUser: route({
    method: 'GET',
    path: '/admin/users/:userId',
    access: admin,
    expand: {
      sessions: '/admin/users/:userId/sessions',
      organization: '/admin/organizations/:organizationId',
    },
    summary: 'Get a user',
    input: z.strictObject({ userId: id('usr') }),
    output: User,
  }),
  updateUser: route({
    method: 'PATCH',
    path: '/admin/users/:userId',
    access: admin,
    summary: 'Update a user',
    description: 'The last active Admin can’t lose the role or be deactivated.',
    input: z.strictObject({
      userId: id('usr'),
      name: z.optional(text(120)),
      phone: z.optional(optionalText(40)),
      role: z.optional(role),
      organizationId: z.optional(id('org')),
      status: z.optional(z.enum(userStatuses)),
      /** Null: the whole built-in role. Omitted: unchanged, or none if `role` changes. */
      customRoleId: z.optional(z.nullable(id('rol'))),
    }),
    output: User,
  }),
  userSessions: route({
    method: 'GET',
    path: '/admin/users/:userId/sessions',
    access: admin,
    summary: 'List a user’s sessions',
    description: 'Only sessions that are still open.',
    input: z.strictObject({ userId: id('usr') }),
    output: z.strictObject({ items: z.array(Session) }),
  }),
  endUserSessions: route({
    method: 'DELETE',
    path: '/admin/users/:userId/sessions',
    access: admin,
    summary: 'End a user’s sessions',
    description: 'For your own account, all except the current one.',
    input: z.strictObject({ userId: id('usr') }),
    output: endedSessions,
  }),
  endUserSession: route({
    method: 'DELETE',
    path: '/admin/users/:userId/sessions/:sessionId',
    access: admin,
    summary: 'End one of a user’s sessions',
    input: z.strictObject({ userId: id('usr'), sessionId: id('ses') }),
    output: nothing,
  }),
  startView: route({
    method: 'POST',
    path: '/admin/users/:userId/view',
    access: admin,
    fresh: true,
    status: 201,
    perMinute: 60,
    idempotent: false,
    summary: 'View as a user',
    description:
      'Opens a read-only view of the console as that user for up to 30 minutes, never of another Admin. The user is notified.',
    input: z.strictObject({
      userId: id('usr'),
      reason: text(300, 5),
      minutes: z.optional(z.int().check(z.minimum(1), z.maximum(longestViewMinutes))),
    }),
    output: z.strictObject({ viewId: id('vas'), user: User, token: z.string(), expiresAt: instant }),
  }),
  endView: route({
    method: 'POST',
    path: '/user/view/end',
    access: everyone,
    endsView: true,
    summary: 'End viewing as a user',
    input: noInput,
    output: nothing,
  }),
  adminUpdateOrganization: route({
    method: 'PATCH',
    path: '/admin/organizations/:organizationId',
    access: admin,
    fresh: true,
    summary: 'Update an organization',
    description: 'Billing details and tax treatment apply from its next bill.',
    input: z.strictObject({
      organizationId: id('org'),
      ...organizationChanges,
      ...taxChanges,
    }),
    output: Organization,
  }),
  adminOrganization: route({
    method: 'GET',
    path: '/admin/organizations/:organizationId',
    access: admin,
    expand: {
      account: '/admin/organization-accounts/:organizationId',
      tax: '/admin/organizations/:organizationId/tax',
      creditLimit: '/admin/organizations/:organizationId/credit-limit',
      sessionPolicy: '/admin/organizations/:organizationId/session-policy',
    },
    summary: 'Get an organization',
    input: z.strictObject({ organizationId: id('org') }),
    output: Organization,
  }),
  listOrganizations: route({
    method: 'GET',
    path: '/admin/organizations',
    access: admin,
    summary: 'List all organizations',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(Organization),
  }),

  inviteFor: route({
    method: 'POST',
    path: '/admin/organizations/:organizationId/invitations',
    access: admin,
    status: 201,
    perMinute: 60,
    returnedOnce: ['link'],
    summary: 'Invite a member to an organization',
    input: z.strictObject({ organizationId: id('org'), ...invitee }),
    output: SentInvitation,
  }),

  ...organizationFileRoutes,

  listApiKeys: route({
    method: 'GET',
    path: '/admin/api-keys',
    access: admin,
    summary: 'List all API keys',
    description: 'Secrets are never returned.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(ApiKey),
  }),
  createApiKey: route({
    method: 'POST',
    path: '/admin/api-keys',
    access: admin,
    status: 201,
    returnedOnce: ['secret'],
    summary: 'Create an API key',
    description: 'The secret is returned only once and stored hashed.',
    input: z.strictObject({ ...newKey, organizationId: z.optional(id('org')) }),
    output: keyWithSecret,
  }),
  rotateApiKey: route({
    method: 'POST',
    path: '/admin/api-keys/:keyId/rotate',
    access: admin,
    returnedOnce: ['secret'],
    summary: 'Rotate an API key',
    description: 'Returns a new secret, only once. The old one works until the overlap ends.',
    input: rotation,
    output: keyWithSecret,
  }),
  revokeApiKey: route({
    method: 'DELETE',
    path: '/admin/api-keys/:keyId',
    access: admin,
    summary: 'Revoke an API key',
    description: 'Takes effect immediately.',
    input: oneKey,
    output: nothing,
  }),

  liveTicket: route({
    method: 'POST',
    path: '/live/tickets',
    access: everyone,
    beforeEnrolment: true,
    summary: 'Create a live ticket',
    description: 'A single-use ticket for the live connection, valid for 60 seconds.',
    input: noInput,
    output: z.strictObject({ ticket: z.string(), expiresAt: instant }),
  }),
});

export const identityErrors = {
  'identity.session_ended': 401,
  'identity.network_refused': 401,
  'identity.account_taken': 409,
  'identity.account_deleted': 409,
  'identity.own_account': 409,
  'identity.user_not_found': 404,
  'identity.organization_not_found': 404,
  'identity.key_not_found': 404,
  'identity.picture_kind': 422,
  'identity.picture_too_wide': 422,
  'identity.picture_broken': 422,
  'identity.picture_not_found': 404,
  'identity.session_not_found': 404,
  'identity.last_admin': 409,
  'identity.view_of_admin': 409,
  'identity.view_of_inactive': 409,
  'identity.organization_closed': 409,
  'identity.custom_role_not_found': 404,
  'identity.custom_role_base': 422,
  'identity.custom_role_elsewhere': 422,
  'identity.organization_required': 422,
  'identity.last_user': 409,
  'identity.member_self': 409,
  'identity.already_member': 409,
  'identity.invitation_open': 409,
  'identity.invitation_not_found': 404,
  'identity.invitation_invalid': 404,
  'identity.invitation_expired': 410,
  'identity.invitation_account_taken': 409,
  'identity.too_many_invitations': 409,
  'identity.too_many_keys': 409,
  'identity.key_ran_out': 409,
  'identity.key_changed': 409,
  'identity.key_of_other': 403,
  'identity.view_not_found': 404,
  'identity.view_name_taken': 409,
  'identity.too_many_views': 409,
  'identity.plan_changed': 409,
  'identity.file_ref_or_id': 422,
  'identity.file_named_twice': 422,
  'identity.busy': 503,
} as const satisfies ErrorTable;

export const identityPaths = { invitation: '/invitation' } as const;
