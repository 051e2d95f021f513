// Identity's public API: its calls, and functions for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { identity, identityErrors } from '../contract.ts';
import { acceptInvitation, checkInvitation } from './accept-invitation.ts';
import { avatar, removeAvatar, setAvatar } from './avatars.ts';
import {
  createApiKey,
  createOrganizationKey,
  listApiKeys,
  organizationKeys,
  revokeApiKey,
  revokeOrganizationKey,
  rotateApiKey,
  rotateOrganizationKey,
} from './api-keys.ts';
import { endOtherSessions, endUserSession, endUserSessions, userSessions } from './end-sessions.ts';
import { invitations, invite, inviteFor, resendInvitation, revokeInvitation } from './invitations.ts';
import { applyOrganizations, exportOrganizations, planOrganizations } from './organization-file.ts';
import { members, updateMember } from './members.ts';
import { liveTicket } from './live-tickets.ts';
import {
  adminOrganization,
  adminUpdateOrganization,
  listOrganizations,
  organization,
  updateOrganization,
} from './organizations.ts';
import { endSession, sessions } from './sessions.ts';
import { logout, session } from './open-session.ts';
import { changeView, deleteView, savedViews, saveView } from './saved-views.ts';
import { endView, startView } from './view-as.ts';
import { createUser, getUser, listUsers, profile, updateProfile, updateUser } from './users.ts';

export const identityFeature = feature({
  name: 'identity',
  contract: identity,
  errors: identityErrors,
  verbs: {
    logout,
    session,
    profile,
    updateProfile,
    setAvatar,
    removeAvatar,
    avatar,
    sessions,
    endSession,
    endOtherSessions,
    savedViews,
    saveView,
    changeView,
    deleteView,
    organization,
    updateOrganization,
    members,
    updateMember,
    invitations,
    invite,
    inviteFor,
    resendInvitation,
    revokeInvitation,
    checkInvitation,
    acceptInvitation,
    organizationKeys,
    createOrganizationKey,
    rotateOrganizationKey,
    revokeOrganizationKey,
    listUsers,
    createUser,
    getUser,
    updateUser,
    userSessions,
    endUserSession,
    endUserSessions,
    startView,
    endView,
    listOrganizations,
    adminOrganization,
    adminUpdateOrganization,
    exportOrganizations,
    planOrganizations,
    applyOrganizations,
    listApiKeys,
    createApiKey,
    rotateApiKey,
    revokeApiKey,
    liveTicket,
  },
  // `session` looks like a GET but rotates the cookie's token in its own transaction; `acceptInvitation`
  // hashes a password and `setAvatar` decodes a picture, which take longer than a transaction may;
  // `liveTicket` writes nothing and is called by thousands of browsers at the same moment.
  ownUnitOfWork: ['session', 'acceptInvitation', 'setAvatar', 'liveTicket'],
});

export { endOwnKey, giveSecret, keyChanged, makeOwnKey, type KeyChanged } from './api-keys.ts';
export { apiKeyOf, keysExpiring, revokeKey, scopeOfKey } from './store-keys.ts';
export { authenticate, showKey, type KeyActor } from './authenticate.ts';
export { activeKeyActor } from './key-actor.ts';
export { personNow } from './person-now.ts';
export { admitLive, takePortalTicket } from './live-tickets.ts';
export { checkPassword, hashPassword, isPassword, assertHashingHasRoom } from './passwords.ts';
export { organizationOfSession, simulateUser, startSession } from './open-session.ts';
export { applySessionPolicy, forgetUsedTokens, markProved, sessionsOver } from './store-sessions.ts';
export { uploadedPicture } from './avatars.ts';
export { brandName, brandOf, brandsOfUsers, type ShownBrand } from './brand.ts';
export { customRoleFor } from './custom-role.ts';
export { closeOrganizationRow, reopenOrganizationRow } from './close-organization.ts';
export { endSessions, endSessionsOfMany } from './end-sessions.ts';
export { addUser, profile } from './users.ts';
export {
  activeAdmins,
  allUsers,
  countActiveAdmins,
  countUsers,
  hasAdmin,
  insertOrganization,
  insertUser,
  membersOfMany,
  organizationById,
  organizationsByIds,
  passwordHashOf,
  readSignIn,
  signInQuery,
  type SignInRow,
  type SignInUser,
  updateUserRow,
  userById,
  type UserFilter,
  userFacts,
  usersWhere,
  userToSignIn,
} from './store.ts';
export {
  companyPrefix,
  mailLanguage,
  minimumPasswordLength,
  requireAdminTwoFactor,
  supportEmail,
  systemName,
  timeZoneSetting,
} from './settings.ts';
export { organizationZones } from './store-organizations.ts';
export { timeZoneChanging } from './organizations.ts';
export { randomSecret } from './tokens.ts';
export { viewStarted, type ViewStarted } from './view-as.ts';
export { addressUnproven } from './accept-invitation.ts';
export { inviteFor } from './invitations.ts';
