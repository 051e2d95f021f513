// The form of a new sandbox in its panel.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { isDay, text, type LocalDay } from '#kernel/shape.ts';
import { dayPeriod, firstDayOf } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { sandboxesApi, sandboxesKey } from './api.ts';
import type { Opened } from './KeysHandOver.tsx';

const shape = z.strictObject({
  name: text(80),
  startOn: z.pipe(z.string(), z.custom<LocalDay>(isDay, 'sandboxes.start_wrong')),
  copyCatalogue: z.boolean(),
});

export function NewSandbox({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (opened: Opened) => void;
}) {
  const { t } = useTranslation('sandboxes');
  const timeZone = useBrand((brand) => brand.timeZone);
  const form = useZodForm(shape, {
    name: '',
    startOn: firstDayOf(monthNow(timeZone)),
    copyCatalogue: true,
  });
  const create = useCall(sandboxesApi.createSandbox, { invalidates: [sandboxesKey()] });
  const submit = async ({ name, startOn, copyCatalogue }: z.output<typeof shape>) => {
    const { sandbox, key, meteringKey } = await create.mutateAsync({
      name,
      startAt: dayPeriod(startOn, timeZone).start,
      copyCatalogue,
    });
    onMade({ sandbox, key, meteringKey });
  };
  return (
    <FormPanel
      form={form}
      title={t('sandboxes.add')}
      submitLabel={t('sandboxes.create')}
      width={640}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldGroup title={t('sandboxes.sandbox')}>
        <Box sx={pairs}>
          <TextField form={form} name="name" label={t('sandboxes.name')} autoComplete="off" required />
          <PickerField
            form={form}
            name="startOn"
            type="date"
            label={t('sandboxes.start')}
            help={t('sandboxes.start_help')}
            required
          />
          <Box sx={whole}>
            <CheckField form={form} name="copyCatalogue" label={t('sandboxes.copy')} />
          </Box>
        </Box>
        {form.formState.isSubmitting && <Alert severity="info">{t('sandboxes.creating')}</Alert>}
      </FieldGroup>
    </FormPanel>
  );
}
