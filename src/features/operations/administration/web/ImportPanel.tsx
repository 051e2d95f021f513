// One import next to the list: progress, created records, rejected rows, and next steps.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { FocusImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationQueries } from './api.ts';
import { importTones, isGoingOn, progressMs, shareDone } from './import-states.ts';
import { CancelImport } from './ImportList.tsx';
import { ImportReport } from './ImportReport.tsx';

type ImportPanelProps = {
  importId: string | undefined;
  onClose: () => void;
  onReconcile: (month: BillingMonth) => void;
};

export function ImportPanel({ importId, onClose, onReconcile }: ImportPanelProps) {
  const { t } = useTranslation('administration');
  const known = isId('imp', importId) ? importId : undefined;
  return (
    <SidePanel
      open={known !== undefined}
      title={t('administration.import_report')}
      onClose={onClose}
      width={680}
    >
      {known !== undefined && <OneImport importId={known} onReconcile={onReconcile} />}
    </SidePanel>
  );
}

function OneImport({
  importId,
  onReconcile,
}: {
  importId: Id<'imp'>;
  onReconcile: (month: BillingMonth) => void;
}) {
  const query = useQuery({
    ...administrationQueries.getImport({ importId }),
    refetchInterval: (now) => (now.state.data && isGoingOn(now.state.data) ? progressMs : false),
  });
  return <QueryState query={query}>{(one) => <Content one={one} onReconcile={onReconcile} />}</QueryState>;
}

function Content({ one, onReconcile }: { one: FocusImport; onReconcile: (month: BillingMonth) => void }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const [isCanceling, setIsCanceling] = useState(false);
  const rows = t('administration.import_rows_done', {
    done: format.number(one.rowsDone),
    total: format.number(one.rowsTotal),
  });
  return (
    <Stack sx={{ gap: 3 }}>
      <Facts
        items={[
          [t('administration.import_file'), one.fileName],
          [
            t('administration.import_state'),
            <StatusBadge
              key="state"
              tone={importTones[one.state]}
              label={t(`administration.import_state_${one.state}`)}
            />,
          ],
          [t('administration.import_started_at'), <Moment key="at" at={one.createdAt} as="dateTime" />],
          ...(one.finishedAt
            ? [
                [
                  t('administration.import_finished_at'),
                  <Moment key="end" at={one.finishedAt} as="dateTime" />,
                ] as const,
              ]
            : []),
          ...(one.report.months.length > 0
            ? [[t('administration.import_months'), format.list(one.report.months.map(format.month))] as const]
            : []),
        ]}
      />
      {isGoingOn(one) && (
        <Stack sx={{ gap: 1, alignItems: 'stretch' }}>
          <ProgressBar
            label={
              one.rowsTotal === 0 ? t('administration.import_counting') : t('administration.import_running')
            }
            ratio={shareDone(one)}
            note={rows}
          />
          <Button
            aria-haspopup="dialog"
            variant="outlined"
            color="error"
            sx={{ alignSelf: 'flex-start' }}
            onClick={() => setIsCanceling(true)}
          >
            {t('administration.import_cancel')}
          </Button>
        </Stack>
      )}
      {one.state === 'failed' && (
        <Alert severity="error">{t('administration.import_failed', { reason: one.failure ?? '' })}</Alert>
      )}
      {one.state === 'canceled' && (
        <Alert severity="info">{t('administration.import_canceled_text', { rows })}</Alert>
      )}
      {one.state === 'done' && one.report.months.length > 0 && (
        <NextStep months={one.report.months} onReconcile={onReconcile} />
      )}
      <ImportReport report={one.report} isDone={one.state === 'done'} />
      {isCanceling && <CancelImport one={one} onClose={() => setIsCanceling(false)} />}
    </Stack>
  );
}

const maxMonths = 3;

/** After the data come the bills: links to close the file's latest months. */
function NextStep({
  months,
  onReconcile,
}: {
  months: readonly BillingMonth[];
  onReconcile: (month: BillingMonth) => void;
}) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  return (
    <Alert severity="success">
      {t('administration.import_next')}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', marginTop: 1 }}>
        {months
          .slice(-maxMonths)
          .toReversed()
          .map((month) => (
            <Stack direction="row" key={month} sx={{ gap: 1, flexWrap: 'wrap' }}>
              <Button
                variant="contained"
                size="small"
                component={Link}
                to={`${billingPaths.admin}?month=${month}`}
              >
                {t('administration.import_close_month', { month: format.month(month) })}
              </Button>
              <Button variant="outlined" size="small" onClick={() => onReconcile(month)}>
                {t('administration.import_reconcile', { month: format.month(month) })}
              </Button>
            </Stack>
          ))}
      </Stack>
    </Alert>
  );
}
