// Parts of proofs of bills for other screens.
export { BillProof } from './BillProof.tsx';
