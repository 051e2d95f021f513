// Which permission of an API key each call needs: by feature in one table, and by call where a feature has more than one kind.
import type { Route } from '#kernel/contract.ts';
import type { KeyArea, Permission } from '#kernel/permissions.ts';

/** The area of each feature; null: no key may make its calls. */
export const featureAreas: Readonly<Record<string, KeyArea | null>> = {
  identity: 'customers',
  audit: 'operations',
  auditexports: 'operations',
  sandboxes: 'operations',
  // Sign-in, passwords and second factors prove who somebody is. No program does that for a person.
  providers: null,
  signin: null,
  federation: null,
  // A key never makes another one, and never confirms one.
  devices: null,
  // A key never says what roles may do.
  customroles: null,
  // A program may look whether something waits, and withdraw it; it never agrees to anything.
  approvals: 'approvals',
  // Links to an organization's own pages: the permission for it is apart, because a link does what the organization's people may.
  portal: 'portal',
  // Nor how long people stay signed in, and from where.
  sessionpolicies: null,
  users: 'people',
  // A person's own browser and inbox.
  push: null,
  notifications: null,
  sms: 'operations',
  webhooks: 'operations',
  meters: 'catalogue',
  catalogue: 'catalogue',
  subscriptions: 'subscriptions',
  usage: 'usage',
  connectors: 'usage',
  costs: 'usage',
  eventstreams: 'usage',
  reconciliation: 'usage',
  insights: 'usage',
  rejections: 'usage',
  quotas: 'usage',
  budgets: 'usage',
  taxes: 'billing',
  oneoffs: 'billing',
  creditgrants: 'billing',
  commitments: 'billing',
  payers: 'billing',
  resellers: 'billing',
  discounts: 'billing',
  billing: 'billing',
  planning: 'billing',
  credits: 'billing',
  quotes: 'billing',
  gateways: 'payments',
  payments: 'payments',
  plans: 'payments',
  collection: 'payments',
  topups: 'payments',
  creditlimits: 'payments',
  latefees: 'payments',
  banking: 'payments',
  einvoices: 'payments',
  dunning: 'payments',
  books: 'reports',
  packs: 'reports',
  en16931: 'reports',
  billproofs: 'reports',
  rates: 'reports',
  metrics: 'reports',
  accounting: 'reports',
  announcements: 'operations',
  licensing: 'operations',
  backups: 'operations',
  // Everything of everybody leaves the console: only a person says where to.
  dataexports: null,
  // All that there is about people: no program takes that away.
  personaldata: null,
  administration: 'operations',
  security: 'operations',
  monitoring: 'operations',
  console: 'reports',
  grants: 'operations',
};

const all = (area: KeyArea | null, feature: string, verbs: readonly string[]): [string, KeyArea | null][] =>
  verbs.map((verb) => [`${feature}.${verb}`, area]);

/** The calls that belong elsewhere than the rest of their feature. */
export const callAreas: ReadonlyMap<string, KeyArea | null> = new Map([
  // The person's own profile, pictures, sessions and views; viewing as others; and the keys themselves, so
  // that a key never makes one that may do more than it.
  ...all(null, 'identity', [
    'logout',
    'session',
    'profile',
    'updateProfile',
    'setAvatar',
    'removeAvatar',
    'avatar',
    'sessions',
    'endSession',
    'endOtherSessions',
    'savedViews',
    'saveView',
    'changeView',
    'deleteView',
    'userSessions',
    'endUserSession',
    'endUserSessions',
    'startView',
    'endView',
    'liveTicket',
    'organizationKeys',
    'createOrganizationKey',
    'rotateOrganizationKey',
    'revokeOrganizationKey',
    'listApiKeys',
    'createApiKey',
    'rotateApiKey',
    'revokeApiKey',
  ]),
  // Who makes accounts and changes roles can reach more than any other permission gives, so this is apart
  // from the customers' data.
  ...all('people', 'identity', [
    'listUsers',
    'getUser',
    'createUser',
    'updateUser',
    'members',
    'updateMember',
    'invitations',
    'invite',
    'inviteFor',
    'resendInvitation',
    'revokeInvitation',
    'checkInvitation',
    'acceptInvitation',
  ]),
  // Which pages may show the portal in a frame is said by a person.
  ...all(null, 'portal', ['saveSettings']),
  // They can hand out links that set a person's password.
  ...all(null, 'users', ['startBatch', 'retryBatch']),
  ...all(null, 'approvals', ['setApprovals', 'approve', 'reject', 'takeSecrets']),
  ...all('operations', 'notifications', ['listTemplates', 'previewTemplate']),
  // With it, whoever has a backup has everything, also the secrets of signing in.
  ...all(null, 'backups', ['revealRecoveryKey']),
  ...all(null, 'security', ['listOpenSessions', 'endOpenSession', 'letTryAgain']),
  ...all(null, 'administration', [
    'systemStatus',
    'systemManifest',
    'seenAs',
    'initialize',
    'checkSetupToken',
  ]),
  ...all('customers', 'console', [
    'listOrganizationAccounts',
    'getOrganizationAccount',
    'suspendOrganization',
    'resumeOrganization',
    'closeOrganization',
    'reopenOrganization',
  ]),
  ...all('operations', 'console', ['permissions']),
]);

/**
 * The permission that a key needs for a call, named feature.verb; undefined when no key may make it. What is
 * in no table is for no key.
 */
export function permissionOf(name: string, route: Route): Permission | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  const known = callAreas.get(name);
  const area = known === undefined ? featureAreas[name.split('.')[0] ?? ''] : known;
  return area ? `${area}:${route.method === 'GET' ? 'read' : 'write'}` : undefined;
}
