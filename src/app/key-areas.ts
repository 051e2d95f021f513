// Which permission an API key needs for each call: by feature in one table, and by call where a feature has
// several kinds.
import type { Route } from '#kernel/contract.ts';
import type { KeyArea, Permission } from '#kernel/permissions.ts';

/** The area of each feature; null: no key may make its calls. */
export const featureAreas: Readonly<Record<string, KeyArea | null>> = {
  identity: 'customers',
  audit: 'operations',
  auditexports: 'operations',
  sandboxes: 'operations',
  // Sign-in, passwords and second factors prove who somebody is, which no program may do for a person.
  providers: null,
  signin: null,
  federation: null,
  // A key may neither create nor confirm another key.
  devices: null,
  // A key may not change what roles can do.
  customroles: null,
  // A program may check what awaits approval, and withdraw requests; it may never approve.
  approvals: 'approvals',
  // Links to an organization's own pages have their own permission, because a link can do what the
  // organization's people can.
  portal: 'portal',
  // A key may not change how long people stay signed in, and from where.
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
  // A full export of everybody's data leaves the console: only a person decides where to.
  dataexports: null,
  // Everything known about people: no program may take that away.
  personaldata: null,
  administration: 'operations',
  security: 'operations',
  monitoring: 'operations',
  console: 'reports',
  grants: 'operations',
};

const all = (area: KeyArea | null, feature: string, verbs: readonly string[]): [string, KeyArea | null][] =>
  verbs.map((verb) => [`${feature}.${verb}`, area]);

/** The calls whose area differs from that of their feature. */
export const callAreas: ReadonlyMap<string, KeyArea | null> = new Map([
  // The person's own profile, pictures, sessions and views; viewing as others; and the keys themselves, so
  // that a key can never create one with more permissions.
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
  // Creating accounts and changing roles can lead to more than any other permission allows, so this is
  // separate from the customers' data.
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
  // Only a person decides which pages may embed the portal.
  ...all(null, 'portal', ['saveSettings']),
  // These can return links that set a person's password.
  ...all(null, 'users', ['startBatch', 'retryBatch']),
  ...all(null, 'approvals', ['setApprovals', 'approve', 'reject', 'takeSecrets']),
  ...all('operations', 'notifications', ['listTemplates', 'previewTemplate']),
  // With the recovery key and a backup one has everything, including the sign-in secrets.
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
 * The permission that a key needs for a call, named feature.verb; undefined when no key may make it. Calls in
 * no table are closed to keys.
 */
export function permissionOf(name: string, route: Route): Permission | undefined {
  if (route.access === 'public' || route.access === 'cookie') return undefined;
  const known = callAreas.get(name);
  const area = known === undefined ? featureAreas[name.split('.')[0] ?? ''] : known;
  return area ? `${area}:${route.method === 'GET' ? 'read' : 'write'}` : undefined;
}
