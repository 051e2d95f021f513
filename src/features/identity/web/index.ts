// Identity's door for the browser: its calls, its screens (fetched when opened) and the session question.
import { withTexts } from '#platform/web/i18n.ts';
import { ApiError } from '#platform/web/api-error.ts';
import type { SignedIn } from '#platform/web/session.ts';
import { identityApi } from './api.ts';

export { identityApi, identityKey } from './api.ts';
export { PersonAvatar } from './PersonAvatar.tsx';
export { useSessionWatch } from './watch-session.ts';

export const loadApiKeysScreen = () => withTexts(import('./ApiKeysScreen.tsx'), 'identity').then((module) => module.ApiKeysScreen);
export const loadInvitationScreen = () => withTexts(import('./InvitationScreen.tsx'), 'identity', 'signin').then((module) => module.InvitationScreen);
export const loadOrganizationPanel = () => withTexts(import('./OrganizationPanel.tsx'), 'identity').then((module) => module.OrganizationPanel);
export const loadViewBanner = () => withTexts(import('./ViewBanner.tsx'), 'identity').then((module) => module.ViewBanner);
export const loadListPart = () => withTexts(import('./ListPart.tsx'), 'identity').then((module) => module.ListPart);
export const loadProfileScreen = () => withTexts(import('./ProfileScreen.tsx'), 'identity').then((module) => module.ProfileScreen);

/** Asks for a fresh token by the session cookie; null when the session is over. */
export async function askSession(): Promise<SignedIn | null> {
  try {
    return await identityApi.session();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** A single-use ticket for the live connection. */
export async function askLiveTicket(): Promise<string> {
  return (await identityApi.liveTicket()).ticket;
}
