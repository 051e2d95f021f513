// Which permission a person with a custom role needs for each call: the same as for API keys, except for the
// calls here that no key may make.
import type { Route } from '#kernel/contract.ts';
import type { KeyArea, Permission } from '#kernel/permissions.ts';
import type { CallPermissions } from '#platform/server/http/admission.ts';
import { demandsOf } from './demands.ts';
import { permissionOf } from './key-areas.ts';
import { portalAllows } from './portal-calls.ts';

/** What every signed-in user may do: about their own person, sessions, devices and messages. */
const ownFeatures = new Set(['devices', 'push', 'notifications', 'signin', 'federation', 'identity']);
/** What else the console requests for everybody: their permissions, and the brand they see. */
const everybodys = new Set([
  'grants.ownGrants',
  'administration.seenAs',
  // A person's own requests; those of others require a permission.
  'approvals.listApprovals',
  'approvals.getApproval',
  'approvals.withdrawApproval',
  'approvals.takeSecrets',
]);

/** Calls that no key may make and that are not about the caller's own person. */
const areas: Readonly<Record<string, KeyArea>> = {
  // Organization keys for reporting and reading belong to nobody, so their creator's role does not narrow
  // them.
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
  // Whoever views as another user sees everything that user sees.
  'identity.startView': 'people',
  'portal.saveSettings': 'operations',
  'signin.resetForUser': 'people',
  'signin.removeFactors': 'people',
  'users.startBatch': 'people',
  'users.retryBatch': 'people',
  'federation.testProvider': 'people',
  // With the recovery key and a backup one has everything, including the sign-in secrets.
  'backups.revealRecoveryKey': 'people',
  'security.listOpenSessions': 'operations',
  'security.endOpenSession': 'people',
  'security.letTryAgain': 'people',
  'approvals.getApprovalSettings': 'approvals',
  'approvals.setApprovals': 'approvals',
  'approvals.approve': 'approvals',
  'approvals.reject': 'approvals',
  // Whoever can change what roles may do can bypass the limits of their own.
  'grants.saveGrants': 'people',
};

const areaOf = (name: string): KeyArea | undefined =>
  areas[name] ??
  (/^(providers|customroles|sessionpolicies|personaldata|dataexports)\./.test(name) ? 'people' : undefined);

/**
 * The permission that a custom role needs for a call, named feature.verb: `own` when everybody may make it
 * for themselves; undefined when no custom role can include it. Calls in no table are closed.
 */
export function rolePermissionOf(name: string, route: Route): Permission | 'own' | undefined {
  const area = areaOf(name);
  if (area !== undefined) return `${area}:${route.method === 'GET' ? 'read' : 'write'}`;
  if (everybodys.has(name)) return 'own';
  const permission = permissionOf(name, route);
  if (permission !== undefined) return permission;
  return ownFeatures.has(name.split('.')[0] ?? '') ? 'own' : undefined;
}

/** What each call requires of keys, of people with custom roles, and of portal links. */
export const callPermissions: CallPermissions = {
  permissionOf,
  rolePermissionOf,
  portalAllows,
  demandsOf,
};
