// Which actions need approval, and how long requests wait.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { labelStart } from '#platform/web/form/TickBox.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { choiceNames, mostDays, type ApprovalSettings } from '../contract.ts';
import { approvalsApi, approvalsKey } from './api.ts';

const schema = z.strictObject({
  chosen: z.array(z.enum(choiceNames)),
  days: z.string().check(
    z.trim(),
    z.refine((typed) => /^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= mostDays, {
      error: 'approvals.days_wrong',
    }),
  ),
});

export function ApprovalSettingsSection({ query }: { readonly query: UseQueryResult<ApprovalSettings> }) {
  const { t } = useTranslation('approvals');
  return (
    <Section title={t('approvals.setting')} lead={t('approvals.setting_lead')}>
      <QueryState query={query} skeleton={<Lines count={8} />}>
        {(settings) => <Choices key={`${settings.days} ${settings.chosen.join()}`} settings={settings} />}
      </QueryState>
    </Section>
  );
}

function Choices({ settings }: { readonly settings: ApprovalSettings }) {
  const { t } = useTranslation('approvals');
  const { chosen, days, choices, approvers } = settings;
  const form = useZodForm(schema, { chosen: [...chosen], days: String(days) });
  const save = useCall(approvalsApi.setApprovals, {
    invalidates: [approvalsKey()],
    onSuccess: () => toast.success(t('approvals.saved')),
  });
  const wanted = form.watch('chosen');
  const choose = (name: (typeof choiceNames)[number], isOn: boolean): void =>
    form.setValue(
      'chosen',
      choiceNames.filter((each) => (each === name ? isOn : wanted.includes(each))),
      { shouldDirty: true },
    );
  return (
    <Form
      form={form}
      label={t('approvals.setting')}
      onSubmit={(typed) => save.mutateAsync({ chosen: typed.chosen, days: Number(typed.days) })}
    >
      {approvers < 2 && <Alert severity="info">{t('approvals.one_approver_off')}</Alert>}
      <Box
        sx={{
          display: 'grid',
          gap: '12px 24px',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {choices.map(({ name, calls }) => {
          // used as: 'approvals.choice_*'
          const label = t(`approvals.choice_${name}`);
          return (
            <Box key={name}>
              <FormControlLabel
                label={label}
                control={
                  <Checkbox
                    checked={wanted.includes(name)}
                    disabled={approvers < 2 && !wanted.includes(name)}
                    onChange={(_event, isOn) => choose(name, isOn)}
                  />
                }
              />
              {/* A choice of one call may be named like it. */}
              {calls.join() !== label && (
                <Typography variant="caption" component="p" color="textSecondary" sx={labelStart.check}>
                  {calls.map((call, index) => (
                    <Fragment key={call}>
                      {index > 0 && t('approvals.between')}
                      <span>{call}</span>
                    </Fragment>
                  ))}
                </Typography>
              )}
            </Box>
          );
        })}
      </Box>
      <Stack sx={{ maxWidth: 320, marginTop: 2 }}>
        <TextField
          form={form}
          name="days"
          label={t('approvals.days')}
          help={t('approvals.days_help')}
          inputMode="numeric"
          required
        />
      </Stack>
      <Box>
        <SubmitButton form={form}>{t('approvals.save')}</SubmitButton>
      </Box>
    </Form>
  );
}
