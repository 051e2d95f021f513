// Identity's door: its calls, and what other columns may ask of it.
import { feature } from '#platform/server/feature.ts';
import { identity, identityErrors } from '../contract.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { listOrganizations, members, organization, updateOrganization } from './organizations.ts';
import { endSession, liveTicket, sessions } from './sessions.ts';
import { login, logout, session } from './sign-in.ts';
import { changePassword, createUser, getUser, listUsers, profile, register, updateProfile, updateUser } from './users.ts';

export const identityFeature = feature({
  name: 'identity',
  contract: identity,
  errors: identityErrors,
  verbs: {
    login, register, logout, session, profile, updateProfile, changePassword, sessions, endSession,
    organization, updateOrganization, members, listUsers, createUser, getUser, updateUser, listOrganizations,
    listApiKeys, createApiKey, revokeApiKey, liveTicket,
  },
  // They hash passwords, which takes longer than a transaction may; they open their own units.
  ownWork: ['login', 'changePassword'],
});

export { authenticate, admitLive } from './authenticate.ts';
export { hashPassword } from './passwords.ts';
export { simulateUser, startSession } from './sign-in.ts';
export { addUser, checkPassword, profile } from './users.ts';
export { activeAdmins, hasAdmin, insertOrganization, membersOfMany, organizationById, organizationsAfter } from './store.ts';
export { mailLanguage, timeZoneSetting } from './settings.ts';
