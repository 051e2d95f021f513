// Parts of commitments for other screens.
export { OwnCommitments } from './OwnCommitments.tsx';
