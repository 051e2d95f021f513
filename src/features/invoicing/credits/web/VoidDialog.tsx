// Voids a bill: the reason, and exactly what is reversed.
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { creditsApi, creditsKey, creditsQueries } from './api.ts';
import { Outcome } from './Outcome.tsx';
import { PreviewedDialog } from './PreviewedDialog.tsx';
import { usePreview } from './use-preview.ts';

export function VoidDialog({ bill, onClose }: { bill: BillDetail; onClose: () => void }) {
  const { t } = useTranslation('credits');
  const [reason, setReason] = useState('');
  const preview = usePreview(creditsQueries.previewVoid({ billId: bill.id }));
  const doVoid = useCall(creditsApi.voidBill, {
    invalidates: [creditsKey(), billingKey()],
    onSuccess: ({ number }) => {
      toast.success(t('credits.voided', { number }));
      onClose();
    },
  });
  return (
    <PreviewedDialog
      title={t('credits.void_title', { number: bill.number })}
      reason={reason}
      onReason={setReason}
      problem={doVoid.error}
      isBusy={doVoid.isPending}
      isReady={preview.isCurrent}
      confirmLabel={t('credits.void_button')}
      tone="error"
      onConfirm={() => doVoid.mutate({ billId: bill.id, reason: reason.trim() })}
      onClose={onClose}
      ask={<Alert severity="warning">{t('credits.void_final')}</Alert>}
    >
      <QueryState query={preview} skeleton={<Lines count={5} />}>
        {(data) => <Outcome preview={data} />}
      </QueryState>
    </PreviewedDialog>
  );
}
