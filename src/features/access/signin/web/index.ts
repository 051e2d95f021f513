// Sign-in's public API in the browser: its screens and parts, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';
export const loadLoginScreen = () =>
  withTexts(import('./LoginScreen.tsx'), 'signin').then((module) => module.LoginScreen);
export const loadRegisterScreen = () =>
  withTexts(import('./RegisterScreen.tsx'), 'signin', 'identity').then((module) => module.RegisterScreen);
export const loadPasswordResetScreen = () =>
  withTexts(import('./PasswordResetScreen.tsx'), 'signin', 'identity').then(
    (module) => module.PasswordResetScreen,
  );
export const loadVerifyEmailScreen = () =>
  withTexts(import('./VerifyEmailScreen.tsx'), 'signin').then((module) => module.VerifyEmailScreen);
export { lastMethod, rememberMethod } from './last-method.ts';
