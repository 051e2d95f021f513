// The changeable grants: which routes each takes from which role. They only narrow what the contracts allow.
import * as z from 'zod/mini';
import type { Role } from '#kernel/roles.ts';
import type { Withdrawn } from '#platform/server/http/admission.ts';
import { loadSettings, setting, settingOf } from '#platform/server/unit-of-work/settings.ts';
import { grantNames, type GrantName } from './contract.ts';

/**
 * None of them moves money, none is an Admin's, and ways out stay open: whoever may not make API keys may still revoke
 * them, whoever may not invite may still take invitations back.
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
    routes: ['identity.createOrganizationKey', 'identity.rotateOrganizationKey'],
  },
  user_invitations: { role: 'User', routes: ['identity.invite', 'identity.resendInvitation'] },
  user_members: { role: 'User', routes: ['identity.updateMember'] },
  reader_statement: { role: 'ReadOnly', routes: ['books.statement', 'books.exportStatement'] },
  reader_packs: {
    role: 'ReadOnly',
    routes: ['packs.makeOwnPack', 'packs.listOwnPacks', 'packs.stopOwnPack', 'packs.downloadOwnPack'],
  },
};

/** Names that a later or earlier version knew are left alone. */
export const withdrawnSetting = setting('permissions.withdrawn', z.array(z.string()), []);
export const knownOf = (stored: readonly string[]): GrantName[] =>
  grantNames.filter((name) => stored.includes(name));

/** Whether a role has lost a route. */
export function isTaken(withdrawn: readonly GrantName[], route: string, role: Role): boolean {
  return withdrawn.some((name) => grants[name].role === role && grants[name].routes.includes(route));
}

const changeable = new Set(
  Object.values(grants).flatMap(({ role, routes }) => routes.map((route) => `${role} ${route}`)),
);

/** Asks the database at each call of a changeable route, and of no other: a change acts on the next call in every process. */
export const isWithdrawn: Withdrawn = async (app, route, role) => {
  if (!changeable.has(`${role} ${route}`)) return false;
  return isTaken(knownOf(settingOf(await loadSettings(app.database.kysely), withdrawnSetting)), route, role);
};
