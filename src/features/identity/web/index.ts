// Identity's door for the browser: the session question and its screens, fetched when opened.
import { withTexts } from '#platform/web/i18n.ts';

export { askSession, callToSignIn } from './ask-session.ts';

export const loadApiKeysScreen = () => withTexts(import('./ApiKeysScreen.tsx'), 'identity').then((module) => module.ApiKeysScreen);
export const loadInvitationScreen = () => withTexts(import('./InvitationScreen.tsx'), 'identity', 'signin').then((module) => module.InvitationScreen);
export const loadOrganizationPanel = () => withTexts(import('./OrganizationPanel.tsx'), 'identity').then((module) => module.OrganizationPanel);
export const loadViewBanner = () => withTexts(import('./ViewBanner.tsx'), 'identity').then((module) => module.ViewBanner);
export const loadListPart = () => withTexts(import('./ListPart.tsx'), 'identity').then((module) => module.ListPart);
export const loadProfileScreen = () => withTexts(import('./ProfileScreen.tsx'), 'identity').then((module) => module.ProfileScreen);
