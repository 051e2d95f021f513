// The public API of proofs of bills on the server: its calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { billProofErrors, billProofs } from '../contract.ts';
import { adminBillProof, billProof } from './make-proof.ts';

export const billProofsFeature = feature({
  name: 'billproofs',
  contract: billProofs,
  errors: billProofErrors,
  verbs: { billProof, adminBillProof },
});
