// Whether a figure of the page is the ledger's, with both.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
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

export function ProofText({ isRight, children }: { isRight: boolean; children: string }) {
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'flex-start',
        padding: { xs: '12px 16px 16px', sm: '12px 24px 16px' },
        color: isRight ? 'success.main' : 'error.main',
      }}
    >
      {isRight ? <CheckCircleOutlined aria-hidden /> : <ErrorOutlineOutlined aria-hidden />}
      <Typography variant="body2">{children}</Typography>
    </Box>
  );
}
