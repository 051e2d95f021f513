// Waives a late fee, with the reason.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import type { LateFee } from '../contract.ts';
import { lateFeesApi, lateFeesKey } from './api.ts';

export function WaiveDialog({ fee, onClose }: { fee: LateFee; onClose: () => void }) {
  const { t } = useTranslation('latefees');
  const { t: platform } = useTranslation('platform');
  const format = useFormat();
  const [reason, setReason] = useState('');
  const waive = useCall(lateFeesApi.waiveLateFee, {
    invalidates: [lateFeesKey(), ['billing'], ['credits'], ['oneoffs']],
    onSuccess: () => {
      toast.success(t('latefees.waived'));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t('latefees.waive_title', { amount: format.money(fee.amount) })}
      onClose={waive.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={waive.isPending}>
            {platform('ui.cancel')}
          </Button>
          <Button
            variant="contained"
            loading={waive.isPending}
            disabled={reason.trim() === ''}
            onClick={() => waive.mutate({ lateFeeId: fee.id, reason: reason.trim() })}
          >
            {t('latefees.waive')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingTop: '6px' }}>
        {waive.error && <Alert severity="error">{waive.error.message}</Alert>}
        <Typography variant="body2">
          {fee.onBill
            ? t('latefees.waive_billed', { number: fee.onBill.number })
            : t('latefees.waive_pending')}
        </Typography>
        <TextBox
          name="reason"
          label={t('latefees.waive_reason')}
          value={reason}
          onChange={setReason}
          rows={2}
          required
        />
      </Stack>
    </Modal>
  );
}
