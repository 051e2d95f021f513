// Closes a month: chooses it, previews the effect, and shows the result.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { billing, CloseRun } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingApi, billingKey } from './api.ts';
import { FailedOrganizations } from './CloseRuns.tsx';

type CloseMonthProps = {
  month: BillingMonth;
  latest: BillingMonth;
  onMonth: (month: BillingMonth) => void;
  runs: readonly CloseRun[];
};
type Result = Out<typeof billing.closeMonth> & { readonly month: BillingMonth };

export function CloseMonth({ month, latest, onMonth, runs }: CloseMonthProps) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const [result, setResult] = useState<Result>();
  const close = useCall(billingApi.closeMonth, {
    invalidates: [billingKey()],
    onSuccess: (done, input) => setResult({ ...done, month: input.month }),
  });
  const name = format.month(month);
  const closedAt = runs.find(
    (run) => run.month === month && run.kind === 'close' && run.state === 'done' && run.parked.length === 0,
  )?.finishedAt;
  const progress = close.isPending
    ? runs.find((run) => run.month === month && run.state === 'running')
    : undefined;
  return (
    <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
        <MonthPicker value={month} max={latest} onChange={onMonth} />
        <Button
          aria-haspopup="dialog"
          variant={closedAt ? 'outlined' : 'contained'}
          onClick={() => setIsAsking(true)}
        >
          {t('billing.close_button', { month: name })}
        </Button>
      </Stack>
      <Typography variant="body2">
        {/* An old month has no run in the list any more. The line keeps its place. */}
        {closedAt ? t('billing.month_closed', { month: name, time: format.dateTime(closedAt) }) : '\u00a0'}
      </Typography>
      {result && (
        <ResultAlert result={result} failed={runs.find((run) => run.id === result.runId)?.parked ?? []} />
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('billing.close_ask', { month: name })}
        consequences={[
          t('billing.close_issues', { month: name }),
          t('billing.close_fixed'),
          t('billing.close_repeat'),
          t('billing.close_parks'),
        ]}
        confirmLabel={t('billing.close_button', { month: name })}
        onConfirm={() => close.mutateAsync({ month })}
        onClose={() => setIsAsking(false)}
      >
        {close.isPending ? (
          <ProgressBar
            label={t('billing.close_running')}
            ratio={
              progress && progress.organizationsTotal > 0
                ? progress.organizationsDone / progress.organizationsTotal
                : undefined
            }
            {...(progress && {
              note: t('billing.run_organizations', {
                done: format.number(progress.organizationsDone),
                total: format.number(progress.organizationsTotal),
              }),
            })}
          />
        ) : undefined}
      </ConfirmDialog>
    </Stack>
  );
}

function ResultAlert({ result, failed }: { result: Result; failed: CloseRun['parked'] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Alert
      severity={result.parked > 0 || result.stopped ? 'warning' : 'success'}
      role="status"
      sx={{ width: '100%', '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}
    >
      <AlertTitle component="p" sx={{ fontSize: 'inherit', fontWeight: 700, margin: 0 }}>
        {t(result.stopped ? 'billing.close_stopped' : 'billing.close_done', {
          month: format.month(result.month),
        })}
      </AlertTitle>
      {t('billing.close_result', {
        issued: format.number(result.issued),
        skipped: format.number(result.skipped),
        parked: format.number(result.parked),
      })}
      {failed.length > 0 && <FailedOrganizations failed={failed} />}
    </Alert>
  );
}
