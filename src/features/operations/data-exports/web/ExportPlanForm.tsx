// The schedule, destination and tables of nightly exports.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { useCall } from '#platform/web/api/queries.ts';
import { BucketFields } from '#platform/web/form/BucketFields.tsx';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import type { DataExportOverview } from '../contract.ts';
import { dataExportsApi, dataExportsKey } from './api.ts';
import { useFailureText } from './ExportList.tsx';
import { fieldsOf, planFields, planOf, type PlanFields } from './plan-fields.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

export function ExportPlanForm({
  overview: { plan, timeZone, tables },
}: {
  readonly overview: DataExportOverview;
}) {
  const { t } = useTranslation('dataexports');
  const format = useFormat();
  const failureText = useFailureText();
  const form = useZodForm(planFields, fieldsOf(plan));
  const save = useCall(dataExportsApi.saveDataExportPlan, {
    invalidates: [dataExportsKey('dataExportOverview')],
    onSuccess: () => toast.success(t('dataexports.saved')),
  });
  const test = useCall(dataExportsApi.testDataExport, { onError: toast.failure });
  return (
    <Section title={t('dataexports.plan')}>
      <Form form={form} onSubmit={(fields) => save.mutateAsync(planOf(fields))} label={t('dataexports.plan')}>
        <Stack sx={{ gap: 2, maxWidth: 720 }}>
          <CheckField form={form} name="isOn" label={t('dataexports.plan_is_on')} as="switch" />
          <Box sx={pairs}>
            <SelectField form={form} name="hour" label={t('dataexports.plan_hour')} options={hours} />
            <TextField form={form} name="keepDays" label={t('dataexports.plan_keep')} inputMode="numeric" />
            <Box sx={whole}>
              <TextField
                form={form}
                name="tables"
                label={t('dataexports.plan_tables')}
                help={t('dataexports.plan_tables_help', { count: format.number(tables.length) })}
                autoComplete="off"
                rows={2}
              />
            </Box>
            {/* used as: 'dataexports.target_*' */}
            <SelectField
              form={form}
              name="target"
              label={t('dataexports.target')}
              options={(['files', 'bucket'] as const).map((value) => ({
                value,
                label: t(`dataexports.target_${value}`),
              }))}
            />
            <TargetFields form={form} isKept={plan.bucket !== null} />
          </Box>
          <Typography variant="body2" color="textSecondary">
            {t('dataexports.plan_zone', { zone: timeZone })}
          </Typography>
          {test.data && (
            <Alert severity={test.data.failure ? 'error' : 'success'} sx={{ overflowWrap: 'anywhere' }}>
              {test.data.failure ? failureText(test.data.failure) : t('dataexports.test_taken')}
            </Alert>
          )}
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <SubmitButton form={form}>{t('dataexports.save')}</SubmitButton>
            <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate({})}>
              {t('dataexports.test')}
            </Button>
          </Stack>
        </Stack>
      </Form>
    </Section>
  );
}

function TargetFields({ form, isKept }: { form: FormOf<PlanFields, PlanFields>; isKept: boolean }) {
  const { t } = useTranslation('dataexports');
  if (useWatch({ control: form.control, name: 'target' }) !== 'bucket') return null;
  return (
    <BucketFields
      form={form}
      nameOf={(field) => `bucket.${field}` as const}
      secretName="secretAccessKey"
      prefixHelp={t('dataexports.prefix_help')}
      isKept={isKept}
    />
  );
}
