// Parts of sign-in for other features.
export { SecuritySection } from './SecuritySection.tsx';
export { LastUsed } from './LastUsed.tsx';
export { loadProofDialog, loadEnrolFirst, loadUserReset, loadUserFactors } from './inside.ts';
