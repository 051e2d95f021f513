// Sign-in's door for the browser: its screens and parts, fetched when opened.
import { withTexts } from '#platform/web/i18n.ts';
export const loadLoginScreen = () => withTexts(import('./LoginScreen.tsx'), 'signin').then((module) => module.LoginScreen);
export const loadRegisterScreen = () => withTexts(import('./RegisterScreen.tsx'), 'signin', 'identity').then((module) => module.RegisterScreen);
export const loadProofDialog = () => withTexts(import('./ProofDialog.tsx'), 'signin').then((module) => module.ProofDialog);
export const loadEnrolFirst = () => withTexts(import('./EnrolFirst.tsx'), 'signin').then((module) => module.EnrolFirst);
export const loadPasswordResetScreen = () => withTexts(import('./PasswordResetScreen.tsx'), 'signin', 'identity').then((module) => module.PasswordResetScreen);
export const loadVerifyEmailScreen = () => withTexts(import('./VerifyEmailScreen.tsx'), 'signin').then((module) => module.VerifyEmailScreen);
export const loadSecuritySection = () => withTexts(import('./SecuritySection.tsx'), 'signin').then((module) => module.SecuritySection);
export const loadUserReset = () => withTexts(import('./UserReset.tsx'), 'signin').then((module) => module.UserReset);
export const loadUserFactors = () => withTexts(import('./UserFactors.tsx'), 'signin').then((module) => module.UserFactors);
export { lastMethod, rememberMethod } from './last-method.ts';
