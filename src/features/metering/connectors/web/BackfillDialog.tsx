// Reads past windows again from a day on.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { dayPeriod } from '#kernel/time.ts';
import { isDay } from '#kernel/shape.ts';
import type { Connector } from '../contract.ts';
import { connectorsApi, connectorsKey } from './api.ts';

const shape = z.strictObject({
  from: z.string().check(z.refine((typed) => isDay(typed), 'connectors.time_wrong')),
});

export function BackfillDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { t } = useTranslation('connectors');
  const timeZone = useBrand((brand) => brand.timeZone);
  const form = useZodForm(shape, { from: '' });
  const ask = useCall(connectorsApi.backfillConnector, { invalidates: [connectorsKey()] });
  const submit = async ({ from }: { from: string }) => {
    if (!isDay(from)) return;
    await ask.mutateAsync({ connectorId: connector.id, from: dayPeriod(from, timeZone).start });
    toast.success(t('connectors.backfill_asked'));
    onClose();
  };
  return (
    <Modal
      open
      width="xs"
      title={t('connectors.backfill')}
      onClose={form.formState.isSubmitting ? undefined : onClose}
    >
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('connectors.backfill_lead')}
      </Typography>
      <Form form={form} onSubmit={submit} label={t('connectors.backfill')}>
        <TextField form={form} name="from" type="date" label={t('connectors.backfill_from')} required />
        <DialogButtons>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('ui.cancel')}
          </Button>
          <SubmitButton form={form} size="medium">
            {t('connectors.backfill_start')}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Modal>
  );
}
