// Edits the schedule: steps, minimum amounts, and how long a payment in progress postpones a suspension.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Dunning } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { dunningApi, dunningKey } from './api.ts';
import { draftOf, planOfDraft, type Draft } from './schedule-draft.ts';
import { ScheduleSteps, Minimums } from './ScheduleRows.tsx';
import { RehearsalDialog } from './RehearsalDialog.tsx';

export function ScheduleEditor({ dunning: { plan, isOn } }: { dunning: Dunning }) {
  const { t } = useTranslation('dunning');
  const [draft, setDraft] = useState<Draft>(() => draftOf(plan));
  const [looking, setLooking] = useState<'look' | 'save'>();
  const wanted = planOfDraft(draft);
  const save = useCall(dunningApi.saveDunning, {
    invalidates: [dunningKey()],
    onSuccess: () => toast.success(t('dunning.saved')),
  });
  const close = () => setLooking(undefined);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <Section title={t('dunning.schedule')} lead={t('dunning.schedule_lead')}>
      <Stack sx={{ gap: 3, maxWidth: 720 }}>
        <ScheduleSteps steps={draft.steps} onChange={(steps) => change({ steps })} />
        <Box sx={{ maxWidth: 340 }}>
          <TextBox
            name="deferDays"
            label={t('dunning.defer')}
            help={t('dunning.defer_help')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.deferDays}
            onChange={(deferDays) => change({ deferDays })}
          />
        </Box>
        <Stack sx={{ gap: 1.5 }}>
          <Typography variant="h3">{t('dunning.minimums')}</Typography>
          <Minimums minimums={draft.minimums} onChange={(minimums) => change({ minimums })} />
        </Stack>
        {wanted.problem !== undefined && <Alert severity="warning">{t(wanted.problem)}</Alert>}
        {save.error && <Alert severity="error">{save.error.message}</Alert>}
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {/* While dunning is on, the schedule is only saved after its rehearsal was shown. */}
          <Button
            aria-haspopup={isOn ? 'dialog' : undefined}
            variant="contained"
            loading={save.isPending}
            disabled={!wanted.plan}
            onClick={() => wanted.plan && (isOn ? setLooking('save') : save.mutate({ plan: wanted.plan }))}
          >
            {t('dunning.save')}
          </Button>
          <Button
            variant="outlined"
            aria-haspopup="dialog"
            disabled={!wanted.plan}
            onClick={() => setLooking('look')}
          >
            {t('dunning.rehearse')}
          </Button>
        </Stack>
      </Stack>
      {looking && wanted.plan && (
        <RehearsalDialog
          plan={wanted.plan}
          onClose={close}
          {...(looking === 'save' && {
            confirm: {
              label: t('dunning.confirm_save'),
              act: (rehearsalId) => save.mutateAsync({ plan: draftPlan(draft), rehearsalId }),
            },
          })}
        />
      )}
    </Section>
  );
}

const draftPlan = (draft: Draft) => {
  const { plan } = planOfDraft(draft);
  if (!plan) throw new Error('only a schedule without a problem is rehearsed');
  return plan;
};
