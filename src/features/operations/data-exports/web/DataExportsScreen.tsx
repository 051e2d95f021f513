// An Admin's nightly exports: overview, the running one, all of them, and the settings.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { RunsPage } from '#platform/web/ui/RunsPage.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import type { DataExport, DataExportOverview } from '../contract.ts';
import { dataExportsApi, dataExportsKey, dataExportsQueries } from './api.ts';
import { ExportList, useFailureText } from './ExportList.tsx';
import { ExportPlanForm } from './ExportPlanForm.tsx';

export function DataExportsScreen() {
  const { t } = useTranslation('dataexports');
  const make = useCall(dataExportsApi.makeDataExport, {
    invalidates: [dataExportsKey()],
    onSuccess: () => toast.success(t('dataexports.making')),
    onError: toast.failure,
  });
  return (
    <RunsPage
      title={t('dataexports.title')}
      lead={t('dataexports.lead')}
      overview={dataExportsQueries.dataExportOverview()}
      listKey={dataExportsKey('listDataExports')}
      begin={{
        label: t('dataexports.make'),
        isPending: make.isPending,
        onClick: () => make.mutate({}),
      }}
    >
      {(found) => (
        <>
          <Standing overview={found} />
          {found.running && <Running shown={found.running} />}
          <ExportList />
          <ExportPlanForm key={JSON.stringify(found.plan)} overview={found} />
        </>
      )}
    </RunsPage>
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
