// Creates a meter where one is needed, such as in the form of a service, without leaving it.
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Meter } from '../contract.ts';
import { metersApi, metersKey } from './api.ts';
import { fieldsOf, meterFields, newMeterOf, type MeterFields } from './meter-fields.ts';
import { MeterFormParts } from './MeterFormParts.tsx';

export function NewMeterDialog({ onMade, onClose }: { onMade: (meter: Meter) => void; onClose: () => void }) {
  const { t } = useTranslation('meters');
  const form = useZodForm(meterFields, fieldsOf(undefined));
  const create = useCall(metersApi.createMeter, { invalidates: [metersKey()] });
  const submit = async (fields: MeterFields): Promise<void> => {
    const meter = await create.mutateAsync(newMeterOf(fields));
    toast.success(t('meters.made', { name: meter.name }));
    onMade(meter);
  };
  return (
    // In React, events of a dialog bubble to the form in which it is rendered, which must not be submitted by
    // this one.
    <span
      role="presentation"
      onSubmit={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <FormDialog
        form={form}
        title={t('meters.add')}
        confirm={t('meters.make')}
        width="md"
        onSubmit={submit}
        onClose={onClose}
      >
        <MeterFormParts form={form} meter={undefined} />
      </FormDialog>
    </span>
  );
}
