// Opens the top-up dialog, whose code comes then; nothing is shown to those who may not move money.
import AddCardOutlined from '@mui/icons-material/AddCardOutlined';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { usePaymentsTexts } from './texts.ts';
import { useMayPay } from './use-may-pay.ts';

const TopUpDialog = lazy(() => import('./TopUpDialog.tsx').then((module) => ({ default: module.TopUpDialog })));

export function TopUpButton() {
  const t = usePaymentsTexts();
  const mayPay = useMayPay();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayPay) return null;
  return (
    <>
      <Button variant="outlined" startIcon={<AddCardOutlined />} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>{t('payments.top_up')}</Button>
      {isOpen && <Suspense fallback={null}><TopUpDialog onClose={() => setIsOpen(false)} /></Suspense>}
    </>
  );
}
