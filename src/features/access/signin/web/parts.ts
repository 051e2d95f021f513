// Parts of sign-in for other features.
export { LastUsed } from './LastUsed.tsx';
export {
  loadProofDialog,
  loadEnrolFirst,
  loadSecuritySection,
  loadUserReset,
  loadUserFactors,
} from './inside.ts';
