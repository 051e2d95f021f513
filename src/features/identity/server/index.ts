// Identity's door: its calls, and what other columns may ask of it.
import { feature } from '#platform/server/feature.ts';
import { identity, identityErrors } from '../contract.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { listOrganizations, members, organization, updateOrganization } from './organizations.ts';
import { endSession, liveTicket, sessions } from './sessions.ts';
import { logout, session } from './open-session.ts';
import { createUser, getUser, listUsers, profile, updateProfile, updateUser } from './users.ts';

export const identityFeature = feature({
  name: 'identity',
  contract: identity,
  errors: identityErrors,
  verbs: {
    logout, session, profile, updateProfile, sessions, endSession,
    organization, updateOrganization, members, listUsers, createUser, getUser, updateUser, listOrganizations,
    listApiKeys, createApiKey, revokeApiKey, liveTicket,
  },
  // It reads as a GET does, and changes the cookie's token in a unit of its own.
  ownWork: ['session'],
});

export { authenticate, admitLive } from './authenticate.ts';
export { hashPassword, isPassword } from './passwords.ts';
export { simulateUser, startSession } from './open-session.ts';
export { forgetUsedTokens, markProved } from './store-sessions.ts';
export { endSessions } from './end-sessions.ts';
export { addUser, checkPassword, profile } from './users.ts';
export { activeAdmins, countActiveAdmins, hasAdmin, insertOrganization, membersOfMany, organizationById, organizationsAfter, passwordHashOf, updateUserRow, userById, userToSignIn } from './store.ts';
export { mailLanguage, timeZoneSetting } from './settings.ts';
