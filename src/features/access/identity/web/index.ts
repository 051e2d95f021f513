// Identity's public API in the browser: the session check and its screens, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export { askSession, endOwnSession } from './ask-session.ts';

export const loadInvitationScreen = () =>
  withTexts(import('./InvitationScreen.tsx'), 'identity', 'signin').then((module) => module.InvitationScreen);
export const loadViewBanner = () =>
  withTexts(import('./ViewBanner.tsx'), 'identity').then((module) => module.ViewBanner);
