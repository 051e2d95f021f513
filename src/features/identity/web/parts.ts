// What other screens place of identity.
export { newPasswordPair } from './new-password.ts';
export { MemberLevel } from './MemberLevel.tsx';
