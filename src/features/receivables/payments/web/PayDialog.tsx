// Pays a bill: the amount and the method; then shows the receipt, a link to the provider, or where to send
// the transfer.
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { money, type Money as Amount } from '#kernel/money.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import type { Balance, PaymentIntent, UnderWay } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { isEmbedded } from '#platform/web/session/embedded.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';
import { redirectToCheckout } from './checkout.ts';
import { PaidElsewhere } from './PaymentReturn.tsx';
import { PayForm } from './PayForm.tsx';
import { PaymentUnderWay } from './PaymentUnderWay.tsx';
import { PaidReceipt } from './PaidReceipt.tsx';
import type { PayableBill } from './payable-bill.ts';
import { TopUpDialog } from './TopUpDialog.tsx';
import { TransferDetails } from './TransferDetails.tsx';
import { detailsTitle, hasDetails } from './transfer-details.ts';

const balanceIn = ({ balances }: Balance, due: Amount): Amount =>
  balances.find((one) => one.currency === due.currency) ?? money(0n, due.currency);

/** Whether payments in progress cover everything that is due on a bill. */
const isAllUnderWay = (bill: PayableBill, underWay: UnderWay | null): underWay is UnderWay =>
  underWay !== null && underWay.amount.minor >= bill.due.minor;

export function PayDialog({ bill, onClose }: { bill: PayableBill; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const [balance, options] = useQueries({
    queries: [
      { ...paymentsQueries.balance(), staleTime: 0 },
      { ...paymentsQueries.paymentOptions({ billId: bill.id }), staleTime: 0 },
    ],
  });
  const [missing, setMissing] = useState<Amount>();
  const pay = useCall(paymentsApi.payBill, {
    invalidates: [paymentsKey(), billingKey()],
    onSuccess: ({ checkout }) => checkout && redirectToCheckout(checkout),
  });
  const { data: result, isPending } = pay;
  if (missing) return <TopUpDialog suggested={missing} onClose={onClose} />;
  const title =
    result?.state === 'succeeded'
      ? t('payments.paid_title')
      : result && hasDetails(result)
        ? detailsTitle(t, result)
        : isAllUnderWay(bill, options.data?.underWay ?? null)
          ? t('payments.under_way_title')
          : t('payments.pay_title', { number: bill.number });
  return (
    <Modal open width="sm" title={title} onClose={isPending ? undefined : onClose}>
      {result ? (
        <Result payment={result} onClose={onClose} />
      ) : (
        <QueryState query={balance} skeleton={<Lines count={6} />}>
          {(found) => (
            <QueryState query={options} skeleton={<Lines count={6} />}>
              {(ways) =>
                isAllUnderWay(bill, ways.underWay) ? (
                  <PaymentUnderWay underWay={ways.underWay} onClose={onClose} />
                ) : (
                  <PayForm
                    bill={bill}
                    balance={balanceIn(found, bill.due)}
                    ways={ways}
                    onPay={(method, amount) => pay.mutateAsync({ billId: bill.id, method, amount })}
                    onTopUp={setMissing}
                    onClose={onClose}
                  />
                )
              }
            </QueryState>
          )}
        </QueryState>
      )}
    </Modal>
  );
}

function Result({ payment, onClose }: { payment: PaymentIntent; onClose: () => void }) {
  const { t } = useTranslation('payments');
  if (payment.checkout && isEmbedded) return <PaidElsewhere paymentId={payment.id} onClose={onClose} />;
  if (payment.checkout)
    return (
      <Stack role="status" sx={{ alignItems: 'center', gap: 2, paddingBlock: 4 }}>
        <CircularProgress size={32} aria-hidden />
        <Typography>{t('payments.leaving')}</Typography>
      </Stack>
    );
  if (hasDetails(payment)) return <TransferDetails payment={payment} onClose={onClose} />;
  // A repeated call whose checkout was completed in the meantime.
  if (payment.state === 'pending')
    return (
      <PaymentUnderWay underWay={{ amount: payment.amount, since: payment.createdAt }} onClose={onClose} />
    );
  return <PaidReceipt payment={payment} onClose={onClose} />;
}
