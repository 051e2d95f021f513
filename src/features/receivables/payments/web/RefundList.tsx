// The refunds of a payment; if the provider's API cannot report the outcome, an Admin checks there and
// records it.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { PaymentDetail, Refund } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsApi, paymentsKey } from './api.ts';

const tones: Record<Refund['state'], BadgeTone> = {
  pending: 'primary',
  succeeded: 'success',
  failed: 'error',
};

export function RefundList({ payment }: { payment: PaymentDetail }) {
  const { t } = useTranslation('payments');
  if (payment.refunds.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('payments.no_refunds')}
      </Typography>
    );
  return (
    <Box component="ul" aria-label={t('payments.refunds')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {payment.refunds.map((refund) => (
        <OneRefund key={refund.id} payment={payment} refund={refund} />
      ))}
    </Box>
  );
}

function OneRefund({ payment, refund }: { payment: PaymentDetail; refund: Refund }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [happened, setHappened] = useState<boolean>();
  const settle = useCall(paymentsApi.settleRefund, { invalidates: [paymentsKey()] });
  const name = happened === true ? t('payments.refund_happened') : t('payments.refund_not_happened');
  return (
    <Box component="li" sx={{ paddingBlock: '8px', borderTop: '1px solid', borderColor: 'divider' }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        {/* used as: 'payments.refund_*' */}
        {refund.needsHand ? (
          <StatusBadge tone="warning" label={t('payments.refund_unsure')} />
        ) : (
          <StatusBadge tone={tones[refund.state]} label={t(`payments.refund_${refund.state}`)} />
        )}
        <Money amount={refund.amount} strong />
      </Stack>
      <Typography
        variant="caption"
        component="p"
        color="textSecondary"
        sx={{ overflowWrap: 'anywhere', marginTop: '4px' }}
      >
        <Moment at={refund.createdAt} as="dateTime" /> ·{' '}
        {refund.origin === 'provider' ? t('payments.refund_there') : refund.reason}
        {refund.failure !== '' && ` · ${refund.failure}`}
      </Typography>
      {refund.needsHand && (
        <Alert severity="warning" sx={{ marginTop: 1 }}>
          {t('payments.refund_needs_hand')}
          <Stack direction="row" sx={{ gap: 1, marginTop: 1 }}>
            <Button
              aria-haspopup="dialog"
              size="small"
              variant="outlined"
              color="inherit"
              onClick={() => setHappened(true)}
            >
              {t('payments.refund_happened')}
            </Button>
            <Button
              aria-haspopup="dialog"
              size="small"
              variant="outlined"
              color="inherit"
              onClick={() => setHappened(false)}
            >
              {t('payments.refund_not_happened')}
            </Button>
          </Stack>
        </Alert>
      )}
      <ConfirmDialog
        open={happened !== undefined}
        title={t('payments.refund_settle_ask', { amount: format.money(refund.amount) })}
        consequences={[happened === true ? t('payments.refund_settle_yes') : t('payments.refund_settle_no')]}
        confirmLabel={name}
        onConfirm={() =>
          settle.mutateAsync({ paymentId: payment.id, refundId: refund.id, happened: happened === true })
        }
        onClose={() => setHappened(undefined)}
      />
    </Box>
  );
}
