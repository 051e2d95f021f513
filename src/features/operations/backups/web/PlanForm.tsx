// The schedule and the retention of backups.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import type { BackupPlan } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { backupsApi, backupsKey } from './api.ts';

const whole = (least: number, most: number) =>
  z.string().check(
    z.trim(),
    z.regex(/^\d{1,3}$/),
    z.refine((text) => Number(text) >= least && Number(text) <= most),
  );
const PlanValues = z.strictObject({
  isOn: z.boolean(),
  hour: z.string(),
  keepDaily: whole(1, 90),
  keepWeekly: whole(0, 52),
  keepMonthly: whole(0, 120),
});
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

export function PlanForm({ plan, timeZone }: { readonly plan: BackupPlan; readonly timeZone: string }) {
  const { t } = useTranslation('backups');
  const form = useZodForm(PlanValues, {
    isOn: plan.isOn,
    hour: String(plan.hour),
    keepDaily: String(plan.keepDaily),
    keepWeekly: String(plan.keepWeekly),
    keepMonthly: String(plan.keepMonthly),
  });
  const save = useCall(backupsApi.saveBackupPlan, {
    invalidates: [backupsKey('backupOverview')],
    onSuccess: () => toast.success(t('backups.saved')),
  });
  return (
    <Section title={t('backups.plan')}>
      <Form
        form={form}
        onSubmit={({ isOn, hour, keepDaily, keepWeekly, keepMonthly }) =>
          save.mutateAsync({
            isOn,
            hour: Number(hour),
            keepDaily: Number(keepDaily),
            keepWeekly: Number(keepWeekly),
            keepMonthly: Number(keepMonthly),
          })
        }
        label={t('backups.plan')}
      >
        <Stack sx={{ gap: 2 }}>
          <CheckField form={form} name="isOn" label={t('backups.plan_is_on')} as="switch" />
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
            }}
          >
            <SelectField form={form} name="hour" label={t('backups.plan_hour')} options={hours} />
            <TextField form={form} name="keepDaily" label={t('backups.plan_daily')} inputMode="numeric" />
            <TextField form={form} name="keepWeekly" label={t('backups.plan_weekly')} inputMode="numeric" />
            <TextField form={form} name="keepMonthly" label={t('backups.plan_monthly')} inputMode="numeric" />
          </Box>
          <Typography variant="body2" color="textSecondary">
            {t('backups.plan_zone', { zone: timeZone })}
            <br />
            {t('backups.plan_hint')}
          </Typography>
          <Box>
            <SubmitButton form={form}>{t('backups.save')}</SubmitButton>
          </Box>
        </Stack>
      </Form>
    </Section>
  );
}
