// Pays what is due on a bill; nothing is shown to readers who may not pay or when nothing is due.
import PaymentsOutlined from '@mui/icons-material/PaymentsOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useFormat } from '#platform/web/use-format.ts';
import type { PayableBill } from './payable-bill.ts';
import { PayDialog } from './PayDialog.tsx';
import { usePaymentsTexts } from './texts.ts';
import { useMayPay } from './use-may-pay.ts';


export function PayButton({ bill, size = 'medium' }: { bill: PayableBill; size?: 'small' | 'medium' | 'large' }) {
  const t = usePaymentsTexts();
  const format = useFormat();
  const mayPay = useMayPay();
  const [paying, setPaying] = useState<PayableBill>();
  const isDue = bill.state === 'open' && bill.due.minor > 0n;
  return (
    <>
      {mayPay && isDue && (
        <Button variant="contained" size={size} startIcon={<PaymentsOutlined />} aria-haspopup="dialog" aria-label={t('payments.pay_bill', { amount: format.money(bill.due), number: bill.number })} onClick={() => setPaying(bill)} data-screen-only>
          {t('payments.pay_now')}
        </Button>
      )}
      {/* Kept as it was when it was opened: once paid, the bill is due no more, but its receipt stays. */}
      {paying && <PayDialog bill={paying} onClose={() => setPaying(undefined)} />}
    </>
  );
}
