// Sign-in's door for the browser: its screens and parts, fetched when opened.
export const loadLoginScreen = () => import('./LoginScreen.tsx').then((module) => module.LoginScreen);
export const loadRegisterScreen = () => import('./RegisterScreen.tsx').then((module) => module.RegisterScreen);
export const loadProofDialog = () => import('./ProofDialog.tsx').then((module) => module.ProofDialog);
export const loadEnrolFirst = () => import('./EnrolFirst.tsx').then((module) => module.EnrolFirst);
export const loadPasswordResetScreen = () => import('./PasswordResetScreen.tsx').then((module) => module.PasswordResetScreen);
export const loadVerifyEmailScreen = () => import('./VerifyEmailScreen.tsx').then((module) => module.VerifyEmailScreen);
export const loadSecuritySection = () => import('./SecuritySection.tsx').then((module) => module.SecuritySection);
export const loadUserReset = () => import('./UserReset.tsx').then((module) => module.UserReset);
export const loadUserFactors = () => import('./UserFactors.tsx').then((module) => module.UserFactors);
export { lastMethod, rememberMethod } from './last-method.ts';
