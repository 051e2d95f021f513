// A payment's purpose (a bill or the balance) and method.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { money } from '#kernel/money.ts';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { PaymentState } from './PaymentState.tsx';

export function PaymentKind({ payment, linkTo }: { payment: Payment; linkTo?: string | undefined }) {
  const { t } = useTranslation('payments');
  const { billId, billNumber } = payment;
  const name =
    billNumber === null ? t('payments.top_up_kind') : t('payments.bill_by', { number: billNumber });
  return (
    <Box component="span" sx={{ display: 'block' }}>
      {billId !== null && linkTo !== undefined ? (
        <Link component={RouterLink} to={`${linkTo}?bill=${billId}`}>
          {name}
        </Link>
      ) : (
        name
      )}
      {/* used as: 'payments.method_*' */}
      <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
        {t(`payments.method_${payment.method}`)}
      </Typography>
    </Box>
  );
}

/** A payment's state, with refunds, disputes, and whether an Admin has to check it. */
export function PaymentStanding({
  payment,
  atEnd = false,
}: {
  payment: Payment;
  /** Aligned to the right edge. */ atEnd?: boolean;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const refunded = payment.refunded ?? money(0n, payment.amount.currency);
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        gap: '4px',
        flexDirection: 'column',
        alignItems: atEnd ? 'flex-end' : 'flex-start',
        flexShrink: 0,
      }}
    >
      <PaymentState payment={payment} />
      {/* used as: 'payments.standing_*' */}
      {payment.dispute && (
        <StatusBadge
          tone={payment.dispute.standing === 'lost' ? 'error' : 'alarm'}
          label={t(`payments.standing_${payment.dispute.standing}`)}
        />
      )}
      {payment.dispute && payment.dispute.withdrawn.minor > 0n && (
        <Typography variant="caption" component="span" color="textSecondary">
          {t('payments.withdrawn_amount', { amount: format.money(payment.dispute.withdrawn) })}
        </Typography>
      )}
      {payment.isMismatch && <StatusBadge tone="warning" label={t('payments.mismatch')} />}
      {refunded.minor > 0n && payment.state !== 'refunded' && (
        <Typography variant="caption" component="span" color="textSecondary">
          {t('payments.refunded_amount', { amount: format.money(refunded) })}
        </Typography>
      )}
    </Box>
  );
}
