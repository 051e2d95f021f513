// An Admin's nightly exports: how they stand, the running one, all of them, and the settings.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import type { DataExport, DataExportOverview } from '../contract.ts';
import { dataExportsApi, dataExportsKey, dataExportsQueries } from './api.ts';
import { ExportList, useFailureText } from './ExportList.tsx';
import { ExportPlanForm } from './ExportPlanForm.tsx';

/** How often it is asked while an export is running, and otherwise, because the schedule begins them too. */
const [progressMs, restMs] = [1000, 30_000];

export function DataExportsScreen() {
  const { t } = useTranslation('dataexports');
  const cache = useQueryClient();
  const overview = useQuery({
    ...dataExportsQueries.dataExportOverview(),
    refetchInterval: (polled) => (polled.state.data?.running ? progressMs : restMs),
  });
  const make = useCall(dataExportsApi.makeDataExport, {
    invalidates: [dataExportsKey()],
    onSuccess: () => toast.success(t('dataexports.making')),
    onError: toast.failure,
  });
  const runningId = overview.data?.running?.id;
  // The list changes when an export starts or ends.
  useEffect(
    () => void cache.invalidateQueries({ queryKey: dataExportsKey('listDataExports') }),
    [cache, runningId],
  );
  return (
    <Page
      title={t('dataexports.title')}
      lead={t('dataexports.lead')}
      actions={
        <Button
          variant="contained"
          loading={make.isPending}
          disabled={runningId !== undefined}
          onClick={() => make.mutate({})}
        >
          {t('dataexports.make')}
        </Button>
      }
    >
      <QueryState query={overview} skeleton={<Lines count={8} />}>
        {(found) => (
          <>
            <Standing overview={found} />
            {found.running && <Running shown={found.running} />}
            <ExportList />
            <ExportPlanForm key={JSON.stringify(found.plan)} overview={found} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function Standing({
  overview: { lastDone, lastFailed, nextAt, place },
}: {
  readonly overview: DataExportOverview;
}) {
  const { t } = useTranslation('dataexports');
  const format = useFormat();
  const now = useNow();
  const failureText = useFailureText();
  const at = lastDone?.finishedAt;
  return (
    <>
      {lastFailed && (
        <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
          {t('dataexports.failed_since', {
            problem: failureText(lastFailed.failure ?? { code: 'interrupted', detail: '' }),
          })}
        </Alert>
      )}
      <Grid columns={3}>
        <StatCard
          label={t('dataexports.last_done')}
          value={at ? format.relative(at, now) : t('dataexports.none')}
          note={at ? format.dateTime(at) : undefined}
        />
        <StatCard
          label={t('dataexports.next')}
          value={nextAt ? format.relative(nextAt, now) : t('dataexports.off')}
          note={nextAt ? format.dateTime(nextAt) : undefined}
        />
        <StatCard
          label={t('dataexports.size')}
          value={lastDone === null || lastDone.sizeBytes === null ? '–' : format.bytes(lastDone.sizeBytes)}
          note={place}
        />
      </Grid>
    </>
  );
}

function Running({ shown: { id, filesDone, filesTotal, rowsDone } }: { readonly shown: DataExport }) {
  const { t } = useTranslation('dataexports');
  const format = useFormat();
  const stop = useCall(dataExportsApi.stopDataExport, {
    invalidates: [dataExportsKey()],
    onSuccess: () => toast.success(t('dataexports.stopping')),
    onError: toast.failure,
  });
  return (
    <Section
      title={t('dataexports.running')}
      actions={
        <Button variant="outlined" loading={stop.isPending} onClick={() => stop.mutate({ exportId: id })}>
          {t('dataexports.stop')}
        </Button>
      }
    >
      <ProgressBar
        label={t('dataexports.running')}
        ratio={filesTotal === 0 ? undefined : filesDone / filesTotal}
        note={t('dataexports.progress', {
          done: format.number(filesDone),
          total: format.number(filesTotal),
          rows: format.number(rowsDone),
        })}
      />
    </Section>
  );
}
