// Books all certain matches with one click: exactly the shown rows and total.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { BankOverview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { bankingApi, bankingKey } from './api.ts';

export function CertainBar({ certain }: { certain: BankOverview['certain'][number] }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const [confirming, setConfirming] = useState<typeof certain>();
  const figures = (each: typeof certain) => ({
    count: format.number(each.count),
    amount: format.money(each.total),
  });
  const book = useCall(bankingApi.applyCertain, {
    invalidates: [bankingKey()],
    onSuccess: ({ applied, amount, leftOut }) => {
      const params = { count: format.number(applied), amount: format.money(amount) };
      if (leftOut > 0) toast.info(t('banking.booked_some', { ...params, left: format.number(leftOut) }));
      else toast.success(t('banking.booked_all', params));
    },
  });
  return (
    <>
      <Alert
        severity="info"
        action={
          <Button aria-haspopup="dialog" color="inherit" size="small" onClick={() => setConfirming(certain)}>
            {t('banking.book_all', figures(certain))}
          </Button>
        }
      >
        {t('banking.certain_bar', figures(certain))}
      </Alert>
      {confirming && (
        <ConfirmDialog
          open
          title={t('banking.book_all_ask', figures(confirming))}
          consequences={[t('banking.book_all_pays'), t('banking.book_all_tells'), t('banking.book_all_left')]}
          confirmLabel={t('banking.book_all_button', figures(confirming))}
          onConfirm={() => book.mutateAsync({ rowIds: confirming.rowIds, total: confirming.total })}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  );
}
