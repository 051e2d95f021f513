// The question who one is, fetched when a call asks for it.
import { lazy, Suspense } from 'react';
import { loadProofDialog } from '#features/signin/web/index.ts';
import { useProof } from '#platform/web/proof.ts';

const ProofDialog = lazy(async () => ({ default: await loadProofDialog() }));

export function ShellProof() {
  const isAsked = useProof((proof) => proof.answer !== null);
  return isAsked ? <Suspense fallback={null}><ProofDialog /></Suspense> : null;
}
