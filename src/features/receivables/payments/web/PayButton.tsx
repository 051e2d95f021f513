// Pays what is due on a bill; not shown to users with the role ReadOnly or if nothing is due.
import PaymentsOutlined from '~icons/ic/outline-payments';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { dueNext } from '#features/invoicing/billing/contract.ts';
import type { PayableBill } from './payable-bill.ts';
import { useMayPay } from './use-may-pay.ts';

const PayDialog = lazyComponent(() => import('./PayDialog.tsx').then((module) => module.PayDialog)).Component;

export function PayButton({ bill }: { bill: PayableBill }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const mayPay = useMayPay();
  const [paying, setPaying] = useState<PayableBill>();
  const isDue = bill.state === 'open' && bill.due.minor > 0n;
  return (
    <>
      {mayPay && isDue && (
        <Button
          variant="contained"
          startIcon={<PaymentsOutlined />}
          aria-haspopup="dialog"
          aria-label={t('payments.pay_bill', { amount: format.money(dueNext(bill)), number: bill.number })}
          onClick={() => setPaying(bill)}
          data-screen-only
        >
          {t('payments.pay_now')}
        </Button>
      )}
      {/* The bill as it was when the dialog opened: once paid nothing is due, but the dialog still shows the receipt. */}
      {paying && (
        <Suspense fallback={null}>
          <PayDialog bill={paying} onClose={() => setPaying(undefined)} />
        </Suspense>
      )}
    </>
  );
}
