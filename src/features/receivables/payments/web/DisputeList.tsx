// The disputes of a payment: the bank's reason, the deadline for evidence, and the withdrawn amount.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Dispute } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<Dispute['state'], BadgeTone> = {
  inquiry: 'warning',
  needs_response: 'alarm',
  under_review: 'primary',
  won: 'success',
  lost: 'error',
  closed: 'neutral',
};
const reasons = [
  'bank_cannot_process',
  'check_returned',
  'credit_not_processed',
  'customer_initiated',
  'debit_not_authorized',
  'duplicate',
  'fraudulent',
  'general',
  'incorrect_account_details',
  'insufficient_funds',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const;

export function DisputeList({ disputes }: { disputes: readonly Dispute[] }) {
  const { t } = useTranslation('payments');
  return (
    <PanelPart title={t('payments.disputes')}>
      <Box
        component="ul"
        aria-label={t('payments.disputes')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {disputes.map((dispute) => (
          <OneDispute key={dispute.id} dispute={dispute} />
        ))}
      </Box>
    </PanelPart>
  );
}

function OneDispute({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation('payments');
  const { state, evidenceDueAt, withdrawn, toBill, fee } = dispute;
  const known = reasons.find((one) => one === dispute.reason);
  return (
    <Stack
      component="li"
      sx={{ gap: 1, paddingBlock: '8px', borderTop: '1px solid', borderColor: 'divider' }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        {/* used as: 'payments.dispute_*' */}
        <StatusBadge tone={tones[state]} label={t(`payments.dispute_${state}`)} />
        <Money amount={dispute.amount} strong />
      </Stack>
      {(state === 'needs_response' || state === 'inquiry') && (
        <Alert severity="warning">{t('payments.dispute_hint')}</Alert>
      )}
      <Facts
        items={[
          // used as: 'payments.dispute_reason_*'
          [t('payments.dispute_reason'), known ? t(`payments.dispute_reason_${known}`) : dispute.reason],
          ...(evidenceDueAt
            ? [[t('payments.dispute_due'), <Moment key="due" at={evidenceDueAt} as="dateTime" />] as const]
            : []),
          [t('payments.dispute_withdrawn'), <Money key="withdrawn" amount={withdrawn} />],
          ...(toBill.minor > 0n
            ? [[t('payments.dispute_to_bill'), <Money key="bill" amount={toBill} />] as const]
            : []),
          ...(fee.minor === 0n
            ? []
            : [[t('payments.dispute_fee'), <Money key="fee" amount={fee} />] as const]),
          [
            t('payments.provider_reference'),
            <Typography key="reference" component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>
              {dispute.reference}
            </Typography>,
          ],
        ]}
      />
    </Stack>
  );
}
