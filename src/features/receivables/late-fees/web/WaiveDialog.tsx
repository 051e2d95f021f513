// Waives a late fee, with the reason.
import Typography from '@mui/material/Typography';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { LateFee } from '../contract.ts';
import { lateFeesApi, lateFeesKey } from './api.ts';

export function WaiveDialog({ fee, onClose }: { fee: LateFee; onClose: () => void }) {
  const { t } = useTranslation('latefees');
  const format = useFormat();
  const waive = useCall(lateFeesApi.waiveLateFee, {
    invalidates: [lateFeesKey(), ['billing'], ['credits'], ['oneoffs']],
    onSuccess: () => toast.success(t('latefees.waived')),
  });
  return (
    <ReasonDialog
      title={t('latefees.waive_title', { amount: format.money(fee.amount) })}
      confirm={t('latefees.waive_confirm')}
      lead={
        <Typography variant="body2">
          {fee.onBill
            ? t('latefees.waive_billed', { number: fee.onBill.number })
            : t('latefees.waive_pending')}
        </Typography>
      }
      field={{ label: t('latefees.waive_reason'), max: 300 }}
      onReason={(reason) => waive.mutateAsync({ lateFeeId: fee.id, reason })}
      onClose={onClose}
    />
  );
}
