// Opens the top-up dialog, whose code is loaded then; not shown to users with the role ReadOnly.
import AddCardOutlined from '~icons/ic/outline-add-card';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useMayPay } from './use-may-pay.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';

const TopUpDialog = lazyComponent(() =>
  import('./TopUpDialog.tsx').then((module) => module.TopUpDialog),
).Component;

export function TopUpButton() {
  const { t } = useTranslation('payments');
  const mayPay = useMayPay();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayPay) return null;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<AddCardOutlined />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('payments.top_up')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TopUpDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
