// Whether a figure of the page equals the ledger's, with both.
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ProofText } from '#platform/web/ui/ProofText.tsx';
import type { Proof } from '../contract.ts';

export function ProofLine({
  proof,
  about,
}: {
  proof: Proof;
  about: 'revenue' | 'aging' | 'recognized' | 'receipts' | 'taxes';
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  // used as: 'metrics.revenue_proof_*', 'metrics.aging_proof_*', 'metrics.recognized_proof_*', 'metrics.receipts_proof_*', 'metrics.taxes_proof_*'
  return (
    <ProofText isRight={proof.isEqual}>
      {t(`metrics.${about}_proof_${proof.isEqual ? 'right' : 'wrong'}`, {
        here: format.money(proof.here),
        ledger: format.money(proof.ledger),
      })}
    </ProofText>
  );
}
