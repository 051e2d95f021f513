// Which permission each call needs of a person whose custom role narrows what their built-in role may do: as for API keys, and for
// the calls that no key may make, here.
import type { Route } from '#kernel/contract.ts';
import type { KeyArea, Permission } from '#kernel/permissions.ts';
import type { CallPermissions } from '#platform/server/http/admission.ts';
import { permissionOf } from './key-areas.ts';
import { portalAllows } from './portal-calls.ts';

/** What everybody may do who is signed in: about their own person, sessions, devices and messages. */
const ownFeatures = new Set(['devices', 'push', 'notifications', 'signin', 'federation', 'identity']);
/** What else the console asks for everybody: what they may, and under whose name they see it. */
const everybodys = new Set([
  'grants.ownGrants',
  'administration.seenAs',
  // Their own requests: those of others are shown to whose role says so.
  'approvals.listApprovals',
  'approvals.getApproval',
  'approvals.withdrawApproval',
  'approvals.takeSecrets',
]);

/** The calls that no key may make and that are not about the caller's own person. */
const areas: Readonly<Record<string, KeyArea>> = {
  // Keys for reporting and reading are nobody's, so they are not narrowed by whoever makes them.
  'identity.organizationKeys': 'operations',
  'identity.createOrganizationKey': 'operations',
  'identity.rotateOrganizationKey': 'operations',
  'identity.revokeOrganizationKey': 'operations',
  'identity.listApiKeys': 'operations',
  'identity.createApiKey': 'operations',
  'identity.rotateApiKey': 'operations',
  'identity.revokeApiKey': 'operations',
  'identity.userSessions': 'people',
  'identity.endUserSessions': 'people',
  'identity.endUserSession': 'people',
  // Whoever views as somebody sees all that they see.
  'identity.startView': 'people',
  'portal.saveSettings': 'operations',
  'signin.resetForUser': 'people',
  'signin.removeFactors': 'people',
  'users.startBatch': 'people',
  'users.retryBatch': 'people',
  'federation.testProvider': 'people',
  // Whoever has it and a backup has everything, also the secrets of signing in.
  'backups.revealRecoveryKey': 'people',
  'security.listOpenSessions': 'operations',
  'security.endOpenSession': 'people',
  'security.letTryAgain': 'people',
  'approvals.getApprovalSettings': 'approvals',
  'approvals.setApprovals': 'approvals',
  'approvals.approve': 'approvals',
  'approvals.reject': 'approvals',
  // Who says what roles may do gets past what theirs may not.
  'grants.saveGrants': 'people',
};

const areaOf = (name: string): KeyArea | undefined =>
  areas[name] ??
  (/^(providers|customroles|sessionpolicies|personaldata|dataexports)\./.test(name) ? 'people' : undefined);

/**
 * The permission that a custom role needs for a call, named feature.verb: `own` when everybody may make it for themselves; undefined
 * when none includes it. What is in no table is for nobody.
 */
export function rolePermissionOf(name: string, route: Route): Permission | 'own' | undefined {
  const area = areaOf(name);
  if (area !== undefined) return `${area}:${route.method === 'GET' ? 'read' : 'write'}`;
  if (everybodys.has(name)) return 'own';
  const permission = permissionOf(name, route);
  if (permission !== undefined) return permission;
  return ownFeatures.has(name.split('.')[0] ?? '') ? 'own' : undefined;
}

/** What each call needs, of keys, of people with custom roles, and of those who look through a link. */
export const callPermissions: CallPermissions = { permissionOf, rolePermissionOf, portalAllows };
