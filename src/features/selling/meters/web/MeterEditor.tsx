// The form that creates or changes a meter, in its panel. A change is rejected if another user has changed
// the meter in the meantime.
import { useState } from 'react';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { OutdatedNotice } from '#platform/web/form/OutdatedNotice.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Meter } from '../contract.ts';
import { metersApi, metersKey } from './api.ts';
import { changesOf, fieldsOf, meterFields, newMeterOf, type MeterFields } from './meter-fields.ts';
import { MeterFormParts } from './MeterFormParts.tsx';

export type MeterEditorProps = {
  /** The meter to change; undefined to create one. */
  readonly meter?: Meter;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Reloads the meter after another user changed it. */
  readonly onReload?: () => void;
};

export function MeterEditor({ meter, onClose, onSaved, onReload }: MeterEditorProps) {
  const { t } = useTranslation('meters');
  const initial = fieldsOf(meter);
  const form = useZodForm(meterFields, initial);
  const [isOutdated, setIsOutdated] = useState(false);
  const invalidates = [metersKey()];
  const create = useCall(metersApi.createMeter, { invalidates });
  const update = useCall(metersApi.updateMeter, { invalidates });
  const submit = async (fields: MeterFields) => {
    try {
      if (meter)
        await update.mutateAsync({
          meterId: meter.id,
          version: meter.version,
          ...changesOf(meter, initial, fields),
        });
      else await create.mutateAsync(newMeterOf(fields));
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.code === 'meters.changed_meanwhile');
      throw error;
    }
    toast.success(t(meter ? 'meters.changed' : 'meters.made', { name: fields.name }));
    onSaved();
  };
  const title = t(meter ? 'meters.edit_title' : 'meters.add');
  return (
    <FormPanel
      form={form}
      title={title}
      width={640}
      submitLabel={t(meter ? 'ui.save' : 'meters.make')}
      isEdit={meter !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {isOutdated && onReload && <OutdatedNotice onReload={onReload} />}
      <MeterFormParts form={form} meter={meter} />
    </FormPanel>
  );
}
