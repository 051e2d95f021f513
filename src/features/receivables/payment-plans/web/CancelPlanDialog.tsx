// Cancels a running plan, with the reason.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { plansApi, plansKey } from './api.ts';

export function CancelPlanDialog({ planId, onClose }: { planId: Id<'ppl'>; onClose: () => void }) {
  const { t } = useTranslation('plans');
  const { t: platform } = useTranslation('platform');
  const [reason, setReason] = useState('');
  const cancel = useCall(plansApi.cancelPlan, {
    invalidates: [plansKey(), ['billing'], ['dunning'], ['collection']],
    onSuccess: () => {
      toast.success(t('plans.cancelled'));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t('plans.cancel_title')}
      onClose={cancel.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={cancel.isPending}>
            {platform('ui.cancel')}
          </Button>
          <Button
            variant="contained"
            color="error"
            loading={cancel.isPending}
            disabled={reason.trim() === ''}
            onClick={() => cancel.mutate({ planId, reason: reason.trim() })}
          >
            {t('plans.cancel')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingTop: '6px' }}>
        {cancel.error && <Alert severity="error">{cancel.error.message}</Alert>}
        <Typography variant="body2">{t('plans.cancel_text')}</Typography>
        <TextBox
          name="reason"
          label={t('plans.cancel_reason')}
          value={reason}
          onChange={setReason}
          rows={2}
          required
        />
      </Stack>
    </Modal>
  );
}
