// Reads past windows again, starting from a day.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { dayPeriod } from '#kernel/time.ts';
import { required } from '#kernel/assert.ts';
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
    const day = required(isDay(from) ? from : undefined, 'the form checked the day');
    await ask.mutateAsync({ connectorId: connector.id, from: dayPeriod(day, timeZone).start });
    toast.success(t('connectors.backfill_asked'));
  };
  return (
    <FormDialog
      form={form}
      title={t('connectors.backfill')}
      confirm={t('connectors.backfill_start')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('connectors.backfill_lead')}
        </Typography>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <PickerField form={form} name="from" type="date" label={t('connectors.backfill_from')} required />
    </FormDialog>
  );
}
