// What a schedule would do with the real bills before it is used, with a button that confirms it if the dialog
// was opened for that purpose.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { asError } from '#kernel/errors.ts';
import { maxShown, rehearsalDays, type DunningPlan, type Rehearsal } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useActionName } from './action-words.ts';
import { dunningQueries } from './api.ts';

export type RehearsalDialogProps = {
  readonly plan: DunningPlan;
  /** The action to confirm; undefined if the rehearsal is only viewed. */
  readonly confirm?: { readonly label: string; readonly act: (rehearsalId: Id<'reh'>) => Promise<unknown> };
  readonly onClose: () => void;
};

export function RehearsalDialog({ plan, confirm, onClose }: RehearsalDialogProps) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const { t: platform } = useTranslation('platform');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Computed once each time it is opened and not refetched, so that the Admin confirms exactly what was
  // shown.
  const query = useQuery({
    ...dunningQueries.rehearseDunning({ plan }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const goOn = async (rehearsalId: Id<'reh'>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await confirm?.act(rehearsalId);
      onClose();
    } catch (error) {
      setProblem(asError(error).message);
      setBusy(false);
    }
  };
  const { data } = query;
  return (
    <Modal
      open
      width="md"
      title={t('dunning.rehearsal')}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {platform(confirm ? 'ui.cancel' : 'ui.close')}
          </Button>
          {confirm && (
            <Button
              variant="contained"
              loading={isBusy}
              disabled={!data}
              onClick={() => data && void goOn(data.id)}
            >
              {confirm.label}
            </Button>
          )}
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingTop: '6px' }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        <Typography variant="body2">
          {t('dunning.rehearsal_lead', { days: format.number(rehearsalDays) })}
        </Typography>
        <QueryState query={query} skeleton={<Lines count={8} />}>
          {(rehearsal) => <RehearsalResult rehearsal={rehearsal} />}
        </QueryState>
      </Stack>
    </Modal>
  );
}

function RehearsalResult({ rehearsal: { counts, due, steps, isCut, isOn } }: { rehearsal: Rehearsal }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  return (
    <>
      {!isOn && <Alert severity="info">{t('dunning.rehearsal_old')}</Alert>}
      <Facts
        items={[
          [t('dunning.count_reminders'), format.number(counts.reminders)],
          [t('dunning.count_past_due'), format.number(counts.pastDue)],
          [t('dunning.count_suspended'), format.number(counts.suspended)],
          [
            t('dunning.count_due'),
            due.length === 0 ? '–' : due.map((amount) => format.money(amount)).join(' + '),
          ],
        ]}
      />
      {steps.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('dunning.rehearsal_none', { days: format.number(rehearsalDays) })}
        </Typography>
      ) : (
        <StepTable steps={steps} />
      )}
      {isCut && (
        <Typography variant="caption" color="textSecondary">
          {t('dunning.rehearsal_cut', { count: format.number(maxShown) })}
        </Typography>
      )}
    </>
  );
}

const tones = { reminder: 'info', past_due: 'warning', suspend: 'error' } as const;

function StepTable({ steps }: { steps: Rehearsal['steps'] }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const name = useActionName();
  return (
    // Without side margins, as tables in dialogs are.
    <Box sx={{ marginInline: { xs: '-16px', sm: '-24px' } }}>
      <PlainTable
        label={t('dunning.rehearsal')}
        heads={[
          t('dunning.organization'),
          t('dunning.date'),
          t('dunning.step_action'),
          t('dunning.bill'),
          t('dunning.due'),
        ]}
        words={4}
        rows={steps.map((step) => ({
          key: `${step.billId} ${step.on} ${step.action}`,
          cells: [
            step.organization,
            format.dayTable(step.on),
            <StatusBadge key="action" tone={tones[step.action]} label={name(step.action)} />,
            step.number,
            format.money(step.due),
          ],
        }))}
      />
    </Box>
  );
}
