// Federation's public API in the browser: its screens and buttons, loaded when shown, and the redirect from
// the provider.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export { takeSignOut } from './provider-sign-in.ts';

export const loadCallbackScreen = () =>
  withTexts(import('./CallbackScreen.tsx'), 'federation').then((module) => module.CallbackScreen);
export const loadGoogleButton = () =>
  withTexts(import('./GoogleButton.tsx'), 'federation', 'signin').then((module) => module.GoogleButton);
export const loadCompanyButton = () =>
  withTexts(import('./CompanyButton.tsx'), 'federation', 'signin').then((module) => module.CompanyButton);
export const loadCompanySignInScreen = () =>
  withTexts(import('./CompanySignInScreen.tsx'), 'federation').then((module) => module.CompanySignInScreen);
export const loadProviderButton = () =>
  withTexts(import('./ProviderButton.tsx'), 'federation', 'signin').then((module) => module.ProviderButton);
