// The paid amount at a glance, with a link to the receipt.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ReceiptLongOutlined from '~icons/ic/outline-receipt-long';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { subtractMoney } from '#kernel/money.ts';
import type { Payment } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsApi } from './api.ts';

/** Downloads a payment's receipt in the user's language. */
export function useReceipt(): (payment: Pick<Payment, 'id'>) => void {
  const language = useLanguage();
  const download = useDownload();
  return (payment) =>
    void download((options) => paymentsApi.receipt({ paymentId: payment.id, language }, options));
}

export function PaidReceipt({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const take = useReceipt();
  const paid = payment.received ?? payment.amount;
  const rest =
    payment.toBill && payment.billNumber !== null ? subtractMoney(paid, payment.toBill) : undefined;
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      <Stack
        direction="row"
        role="status"
        sx={{ gap: 1, alignItems: 'center', color: payment.isMismatch ? 'warning.main' : 'success.main' }}
      >
        {payment.isMismatch ? <WarningAmberOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />}
        <Typography variant="subtitle1" component="p">
          {payment.isMismatch
            ? t('payments.mismatch')
            : t('payments.paid_amount', { amount: format.money(paid) })}
        </Typography>
      </Stack>
      {payment.isMismatch ? (
        <Alert severity="warning">{t('payments.return_mismatch')}</Alert>
      ) : (
        rest &&
        rest.minor > 0n && (
          <Alert severity="info">{t('payments.return_rest', { amount: format.money(rest) })}</Alert>
        )
      )}
      <Facts
        items={[
          ...(payment.billNumber === null ? [] : [[t('payments.bill'), payment.billNumber] as const]),
          [t('payments.amount'), <Money key="amount" amount={paid} strong />],
          // used as: 'payments.method_*'
          [t('payments.method'), t(`payments.method_${payment.method}`)],
          [
            t('payments.paid_at'),
            <Moment key="at" at={payment.settledAt ?? payment.createdAt} as="dateTime" />,
          ],
          [
            t('payments.payment_id'),
            <Stack key="id" direction="row" component="span" sx={{ alignItems: 'center', gap: 0.5 }}>
              <Typography component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>
                {payment.id}
              </Typography>
              <CopyButton text={payment.id} label={t('payments.copy_payment_id')} />
            </Stack>,
          ],
        ]}
      />
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end', flexWrap: 'wrap' }}>
        <Button variant="outlined" startIcon={<ReceiptLongOutlined />} onClick={() => take(payment)}>
          {t('payments.receipt_download')}
        </Button>
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('payments.done')}
        </Button>
      </Stack>
    </Stack>
  );
}
