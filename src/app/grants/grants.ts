// The permissions that can be revoked: which routes each removes from which role. They can only narrow the
// contracts.
import * as z from 'zod/mini';
import type { Role } from '#kernel/roles.ts';
import type { Withdrawn } from '#platform/server/http/admission.ts';
import { loadSettings, setting, settingOf } from '#platform/server/unit-of-work/settings.ts';
import { grantNames, type GrantName } from './contract.ts';

/**
 * None of them moves money and none belongs to Admins. Revoking access always stays possible: a user who may
 * not create API keys may still revoke them, and one who may not invite may still withdraw invitations.
 */
export const grants: Readonly<
  Record<GrantName, { readonly role: Role; readonly routes: readonly string[] }>
> = {
  user_webhooks: {
    role: 'User',
    routes: [
      'listEndpoints',
      'createEndpoint',
      'getEndpoint',
      'updateEndpoint',
      'deleteEndpoint',
      'rotateSecret',
      'endPreviousSecret',
      'sendTest',
      'listDeliveries',
      'getDelivery',
      'replayDelivery',
      'replayFailed',
    ].map((verb) => `webhooks.${verb}`),
  },
  user_api_keys: {
    role: 'User',
    // Whoever confirms a device creates an API key for it.
    routes: ['identity.createOrganizationKey', 'identity.rotateOrganizationKey', 'devices.confirmDevice'],
  },
  user_invitations: { role: 'User', routes: ['identity.invite', 'identity.resendInvitation'] },
  user_members: { role: 'User', routes: ['identity.updateMember'] },
  reader_statement: { role: 'ReadOnly', routes: ['books.statement', 'books.exportStatement'] },
  reader_packs: {
    role: 'ReadOnly',
    routes: ['packs.makeOwnPack', 'packs.listOwnPacks', 'packs.stopOwnPack', 'packs.downloadOwnPack'],
  },
};

/** Names from another version are ignored. */
export const withdrawnSetting = setting('permissions.withdrawn', z.array(z.string()), []);
export const knownOf = (stored: readonly string[]): GrantName[] =>
  grantNames.filter((name) => stored.includes(name));

/** Whether a route has been revoked from a role. */
export function isTaken(withdrawn: readonly GrantName[], route: string, role: Role): boolean {
  return withdrawn.some((name) => grants[name].role === role && grants[name].routes.includes(route));
}

const changeable = new Set(
  Object.values(grants).flatMap(({ role, routes }) => routes.map((route) => `${role} ${route}`)),
);

/**
 * Reads the setting at each call of a revocable route, so that a change applies to the next call in every
 * console process. Other routes need no query.
 */
export const isWithdrawn: Withdrawn = async (app, route, role) => {
  if (!changeable.has(`${role} ${route}`)) return false;
  return isTaken(knownOf(settingOf(await loadSettings(app.database.kysely), withdrawnSetting)), route, role);
};
