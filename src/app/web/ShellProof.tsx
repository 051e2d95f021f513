// The re-authentication dialog, loaded when a call requires it.
import { Suspense } from 'react';
import { loadProofDialog } from '#features/access/signin/web/parts.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useProof } from '#platform/web/api/proof.ts';

const ProofDialog = lazyComponent(loadProofDialog).Component;

export function ShellProof() {
  const isAsked = useProof((proof) => proof.answer !== null);
  return isAsked ? (
    <Suspense fallback={null}>
      <ProofDialog />
    </Suspense>
  ) : null;
}
