// What other screens place of identity.
export { newPasswordPair } from './new-password.ts';
