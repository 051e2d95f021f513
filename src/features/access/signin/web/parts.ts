// What other features place of sign-in.
export { LastUsed } from './LastUsed.tsx';
export {
  loadProofDialog,
  loadEnrolFirst,
  loadSecuritySection,
  loadUserReset,
  loadUserFactors,
} from './inside.ts';
