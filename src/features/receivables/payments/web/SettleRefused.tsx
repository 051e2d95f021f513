// Marks an event that could not be applied as handled; the note is kept with it.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import type { RefusedNotice } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { paymentsApi, paymentsKey } from './api.ts';

const noteShape = z.strictObject({ note: text(500) });

export function SettleRefused({ refused, onClose }: { refused: RefusedNotice; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const { provider, eventId, organization, amount, reason } = refused;
  const form = useZodForm(noteShape, { note: '' });
  const settle = useCall(paymentsApi.settleRefused, {
    invalidates: [paymentsKey()],
    onSuccess: () => toast.success(t('payments.refused_settled_toast')),
  });
  const submit = async ({ note }: z.output<typeof noteShape>) => {
    await settle.mutateAsync({ provider, eventId, note });
    onClose();
  };
  return (
    <Modal
      open
      width="xs"
      title={t('payments.refused_settle_title')}
      onClose={form.formState.isSubmitting ? undefined : onClose}
    >
      <Stack sx={{ gap: 2.5, paddingBottom: 1 }}>
        <Typography variant="body2" color="textSecondary">
          {t('payments.refused_settle_lead')}
        </Typography>
        <Facts
          items={[
            ...(organization === null ? [] : [[t('payments.organization'), organization] as const]),
            ...(amount
              ? [[t('payments.amount'), <Money key="amount" amount={amount} strong />] as const]
              : []),
            [t('payments.refused_reason'), reason],
            [
              t('payments.refused_event'),
              <Typography key="event" component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>
                {eventId}
              </Typography>,
            ],
          ]}
        />
        <Form form={form} onSubmit={submit} label={t('payments.refused_settle_title')}>
          <TextField
            form={form}
            name="note"
            label={t('payments.refused_note')}
            help={t('payments.refused_note_help')}
            rows={3}
            required
            autoFocus
          />
          <DialogButtons>
            <Button onClick={onClose} disabled={form.formState.isSubmitting}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('payments.refused_settle')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
