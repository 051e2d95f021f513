// Pays the amount due on all bills of a consolidated bill at once; not shown to users with the role ReadOnly
// or if nothing is due.
import PaymentsOutlined from '~icons/ic/outline-payments';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ConsolidatedBill } from '#features/invoicing/billing/contract-consolidated.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { isPaidLater } from '#features/receivables/gateways/contract.ts';
import type { Balance, payments } from '../contract.ts';
import { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';
import { redirectToCheckout } from './checkout.ts';
import { WayChoice, waysFor, type PaymentMethod } from './PayForm.tsx';
import { TopUpDialog } from './TopUpDialog.tsx';
import { TransferDetails } from './TransferDetails.tsx';
import { useMayPay } from './use-may-pay.ts';

type Payable = Pick<ConsolidatedBill, 'id' | 'number' | 'sections' | 'dueNow' | 'currency'>;

export function PayConsolidatedButton({ bill }: { bill: Payable }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const mayPay = useMayPay();
  const [paying, setPaying] = useState<Payable>();
  return (
    <>
      {mayPay && bill.dueNow.minor > 0n && (
        <Button
          variant="contained"
          startIcon={<PaymentsOutlined />}
          aria-haspopup="dialog"
          aria-label={t('payments.pay_bill', { amount: format.money(bill.dueNow), number: bill.number })}
          onClick={() => setPaying(bill)}
          data-screen-only
        >
          {t('payments.pay_now')}
        </Button>
      )}
      {paying && <PayConsolidatedDialog bill={paying} onClose={() => setPaying(undefined)} />}
    </>
  );
}

function PayConsolidatedDialog({ bill, onClose }: { bill: Payable; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const [isToppingUp, setIsToppingUp] = useState(false);
  const [balance, options] = useQueries({
    queries: [
      { ...paymentsQueries.balance(), staleTime: 0 },
      { ...paymentsQueries.paymentOptions({}), staleTime: 0 },
    ],
  });
  const pay = useCall(paymentsApi.payConsolidatedBill, {
    invalidates: [paymentsKey(), billingKey()],
    onSuccess: ({ payment }) => {
      if (payment === null) {
        toast.success(t('payments.paid_title'));
        onClose();
      } else if (payment.checkout) redirectToCheckout(payment.checkout);
    },
  });
  if (isToppingUp) return <TopUpDialog suggested={bill.dueNow} onClose={onClose} />;
  const waiting = pay.data?.payment;
  return (
    <Modal
      open
      width="sm"
      title={waiting ? t('payments.transfer_title') : t('payments.pay_title', { number: bill.number })}
      onClose={pay.isPending ? undefined : onClose}
    >
      {waiting && !waiting.checkout ? (
        <TransferDetails payment={waiting} onClose={onClose} />
      ) : (
        <QueryState query={balance} skeleton={<Lines count={6} />}>
          {(found) => (
            <QueryState query={options} skeleton={<Lines count={6} />}>
              {(ways) => (
                <Ways
                  bill={bill}
                  balance={found}
                  ways={ways}
                  onPay={(method) => pay.mutateAsync({ consolidatedId: bill.id, method })}
                  onTopUp={() => setIsToppingUp(true)}
                  onClose={onClose}
                />
              )}
            </QueryState>
          )}
        </QueryState>
      )}
    </Modal>
  );
}

const nothing = z.strictObject({});

function Ways({
  bill,
  balance,
  ways,
  onPay,
  onTopUp,
  onClose,
}: {
  bill: Payable;
  balance: Balance;
  ways: Out<typeof payments.paymentOptions>;
  /** Throws the server's error. */
  onPay: (method: PaymentMethod) => Promise<unknown>;
  onTopUp: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const form = useZodForm(nothing, {});
  const [chosen, setChosen] = useState<PaymentMethod>();
  const inBalance =
    balance.balances.find(({ currency }) => currency === bill.currency) ?? money(0n, bill.currency);
  const { dueNow } = bill;
  const isOutside = (method: PaymentMethod): boolean =>
    ways.ranges.some(
      ({ provider, min, max }) =>
        provider === method && (dueNow.minor < min.minor || dueNow.minor > max.minor),
    );
  const offered = waysFor(ways, dueNow).filter((method) => !isOutside(method));
  const way = chosen ?? (inBalance.minor >= dueNow.minor ? 'balance' : (offered[1] ?? 'balance'));
  const missing =
    way === 'balance' && dueNow.minor > inBalance.minor
      ? money(dueNow.minor - inBalance.minor, bill.currency)
      : undefined;
  return (
    <DialogForm
      form={form}
      label={t('payments.pay_title', { number: bill.number })}
      confirm={
        way === 'bank_transfer'
          ? t('payments.way_bank_announce')
          : isPaidLater(way)
            ? t('payments.code_get')
            : t('payments.pay_amount', { amount: format.money(dueNow) })
      }
      autoFocus
      instead={
        missing && (
          <Button aria-haspopup="dialog" variant="contained" onClick={onTopUp}>
            {t('payments.top_up_balance')}
          </Button>
        )
      }
      lead={
        <Typography variant="body2" color="textSecondary" component="p">
          {t('payments.consolidated_lead', { count: bill.sections, amount: format.money(dueNow) })}
        </Typography>
      }
      onSubmit={() => onPay(way)}
      onClose={onClose}
    >
      <WayChoice
        offered={offered}
        ranges={ways.ranges}
        way={way}
        balance={inBalance}
        disabled={form.formState.isSubmitting}
        onChoose={setChosen}
      />
      {missing && (
        <Alert severity="warning">{t('payments.balance_missing', { amount: format.money(missing) })}</Alert>
      )}
    </DialogForm>
  );
}
