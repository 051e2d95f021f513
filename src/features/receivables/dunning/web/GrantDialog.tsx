// Grants a later date: for one bill, or for everything that an organization has overdue, which lets it go on.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isDay } from '#kernel/shape.ts';
import type { Dunned } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { dunningApi, dunningKey } from './api.ts';

export type GrantDialogProps = {
  readonly bill: Pick<Dunned, 'billId' | 'number' | 'organizationId' | 'organization' | 'usedBy'>;
  readonly action: 'extend' | 'resume';
  readonly onClose: () => void;
};

export function GrantDialog({ bill, action, onClose }: GrantDialogProps) {
  const { t } = useTranslation('dunning');
  const { t: platform } = useTranslation('platform');
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const done = (sentence: string) => () => {
    toast.success(sentence);
    onClose();
  };
  const extend = useCall(dunningApi.extendBill, {
    invalidates: [dunningKey()],
    onSuccess: done(t('dunning.extended_done')),
  });
  const resume = useCall(dunningApi.resumeOrganization, {
    invalidates: [dunningKey()],
    onSuccess: done(t('dunning.resumed_done')),
  });
  const isBusy = extend.isPending || resume.isPending;
  const problem = extend.error ?? resume.error;
  const isExtension = action === 'extend';
  // Whose services are restricted, whoever pays for them.
  const { organizationId, organization } = bill.usedBy ?? bill;
  const confirm = () => {
    if (!isDay(until)) return;
    if (isExtension) extend.mutate({ billId: bill.billId, until, reason: reason.trim() });
    else resume.mutate({ organizationId, until, reason: reason.trim() });
  };
  return (
    <Modal
      open
      title={
        isExtension
          ? t('dunning.extend_title', { number: bill.number })
          : t('dunning.resume_title', { organization })
      }
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {platform('ui.cancel')}
          </Button>
          <Button
            variant="contained"
            loading={isBusy}
            disabled={!isDay(until) || reason.trim() === ''}
            onClick={confirm}
          >
            {t(isExtension ? 'dunning.extend' : 'dunning.resume')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingTop: '6px' }}>
        {problem && <Alert severity="error">{problem.message}</Alert>}
        <Typography variant="body2">
          {t(isExtension ? 'dunning.extend_text' : 'dunning.resume_text')}
        </Typography>
        <TextBox
          name="until"
          type="date"
          autoComplete="off"
          label={t('dunning.until')}
          value={until}
          onChange={setUntil}
          required
        />
        <TextBox
          name="reason"
          label={t('dunning.reason')}
          value={reason}
          onChange={setReason}
          rows={2}
          required
        />
      </Stack>
    </Modal>
  );
}
