// The page after returning from the payment provider: it waits for the provider's notice, live, and shows no
// result before it.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { isId, type Id } from '#kernel/ids.ts';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { PaidReceipt } from './PaidReceipt.tsx';
import { ReturnOutcome } from './ReturnOutcome.tsx';
import { TransferDetails } from './TransferDetails.tsx';
import { detailsTitle, hasDetails } from './transfer-details.ts';
import { usePayment } from './use-payment.ts';

/** Open as long as the address contains a payment. */
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
  const query = usePayment(paymentId);
  const title =
    query.data && hasDetails(query.data) ? detailsTitle(t, query.data) : t('payments.return_title');
  return (
    <Modal open width="sm" title={title} onClose={onClose}>
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {(payment) => <Outcome payment={payment} isCancelled={isCancelled} onClose={onClose} />}
      </QueryState>
    </Modal>
  );
}

function Outcome({
  payment,
  isCancelled,
  onClose,
}: {
  payment: Payment;
  isCancelled: boolean;
  onClose: () => void;
}) {
  if (payment.received !== null) return <PaidReceipt payment={payment} onClose={onClose} />;
  if (hasDetails(payment)) return <TransferDetails payment={payment} onClose={onClose} />;
  return <NotYet payment={payment} isCancelled={isCancelled} onClose={onClose} />;
}

/**
 * A payment that continues on its provider's page in another tab, when the app is embedded in a frame; shows
 * its progress live.
 */
export function PaidElsewhere({ paymentId, onClose }: { paymentId: Id<'pay'>; onClose: () => void }) {
  const query = usePayment(paymentId);
  return (
    <QueryState query={query} skeleton={<Lines count={5} />}>
      {(payment) => <Outcome payment={payment} isCancelled={false} onClose={onClose} />}
    </QueryState>
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
      <ReturnOutcome outcome={outcome} />
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
