// Sign-in's door for the browser: its screens, fetched when opened.
export const loadLoginScreen = () => import('./LoginScreen.tsx').then((module) => module.LoginScreen);
export const loadRegisterScreen = () => import('./RegisterScreen.tsx').then((module) => module.RegisterScreen);
export const loadProofDialog = () => import('./ProofDialog.tsx').then((module) => module.ProofDialog);
export const loadPasswordChange = () => import('./PasswordChange.tsx').then((module) => module.PasswordChange);
