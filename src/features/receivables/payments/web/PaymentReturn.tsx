// The page after returning from the payment provider: it waits for the provider's notice, live, and shows no
// result before.
import CancelOutlined from '~icons/ic/outline-cancel';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { paymentsKey, paymentsQueries } from './api.ts';
import { PaidReceipt } from './PaidReceipt.tsx';
import { TransferDetails } from './TransferDetails.tsx';
import { detailsTitle, hasDetails } from './transfer-details.ts';

/** Polls, in case there is no live connection. */
const lookAgainMs = 3000;

/** Open as long as the address names a payment. */
export function PaymentReturn() {
  const [back, setBack] = useParam('payment');
  const [cancelled, setCancelled] = useParam('cancelled');
  const paymentId = back ?? cancelled;
  const close = () => (back === undefined ? setCancelled : setBack)(undefined, { replace: true });
  if (!isId('pay', paymentId)) return null;
  return <Returned paymentId={paymentId} isCancelled={back === undefined} onClose={close} />;
}

function Returned({
  paymentId,
  isCancelled,
  onClose,
}: {
  paymentId: Id<'pay'>;
  isCancelled: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('payments');
  const query = useQuery({
    ...paymentsQueries.getPayment({ paymentId }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? lookAgainMs : false),
  });
  useLive('bills', [paymentsKey(), billingKey()]);
  const title =
    query.data && hasDetails(query.data) ? detailsTitle(t, query.data) : t('payments.return_title');
  return (
    <Modal open width="sm" title={title} onClose={onClose}>
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {(payment) =>
          payment.received !== null ? (
            <PaidReceipt payment={payment} onClose={onClose} />
          ) : hasDetails(payment) ? (
            <TransferDetails payment={payment} onClose={onClose} />
          ) : (
            <NotYet payment={payment} isCancelled={isCancelled} onClose={onClose} />
          )
        }
      </QueryState>
    </Modal>
  );
}

function NotYet({
  payment,
  isCancelled,
  onClose,
}: {
  payment: Payment;
  isCancelled: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('payments');
  const outcome = payment.state === 'failed' ? 'failed' : isCancelled ? 'cancelled' : 'waiting';
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      <Stack direction="row" role="status" sx={{ gap: 1.5, alignItems: 'center' }}>
        {outcome === 'waiting' ? (
          <CircularProgress size={22} aria-hidden />
        ) : (
          <CancelOutlined aria-hidden sx={{ color: 'text.secondary' }} />
        )}
        {/* used as: 'payments.return_*' */}
        <Typography variant="subtitle1" component="p">
          {t(`payments.return_${outcome}`)}
        </Typography>
      </Stack>
      <Typography variant="body2">{t(`payments.return_${outcome}_hint`)}</Typography>
      <Facts
        items={[
          ...(payment.billNumber === null ? [] : [[t('payments.bill'), payment.billNumber] as const]),
          [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
          // used as: 'payments.method_*'
          [t('payments.method'), t(`payments.method_${payment.method}`)],
        ]}
      />
      {outcome === 'waiting' && <Alert severity="info">{t('payments.return_unpaid')}</Alert>}
      <DialogButtons>
        <Button variant={outcome === 'waiting' ? 'outlined' : 'contained'} onClick={onClose}>
          {t('ui.close')}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
