// Cancels an active plan, with the reason.
import Typography from '@mui/material/Typography';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { plansApi, plansKey } from './api.ts';

export function CancelPlanDialog({ planId, onClose }: { planId: Id<'ppl'>; onClose: () => void }) {
  const { t } = useTranslation('plans');
  const cancel = useCall(plansApi.cancelPlan, {
    invalidates: [plansKey(), ['billing'], ['dunning'], ['collection']],
    onSuccess: () => toast.success(t('plans.cancelled')),
  });
  return (
    <ReasonDialog
      title={t('plans.cancel_title')}
      confirm={t('plans.cancel')}
      color="error"
      lead={<Typography variant="body2">{t('plans.cancel_text')}</Typography>}
      field={{ label: t('plans.cancel_reason'), max: 300 }}
      onReason={(reason) => cancel.mutateAsync({ planId, reason })}
      onClose={onClose}
    />
  );
}
