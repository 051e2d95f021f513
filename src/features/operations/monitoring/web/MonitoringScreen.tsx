// The health of the console, part by part, and recent unexpected errors (R-ADM-01).
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Monitoring, Verdict } from '../contract.ts';
import { machineVerdict, worst } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { monitoringQueries } from './api.ts';
import { ConsoleList } from './ConsoleList.tsx';
import { FilePlaces } from './FilePlaces.tsx';
import { DatabaseFacts, ProcessFacts } from './ProcessAndDatabase.tsx';
import { UnexpectedErrorList } from './UnexpectedErrorList.tsx';
import { JobList } from './JobList.tsx';
import { QueueList } from './QueueList.tsx';
import { MachineFigures } from './MachineFigures.tsx';

const refreshMs = 10_000;

export function MonitoringScreen() {
  const { t } = useTranslation('monitoring');
  const query = useQuery({ ...monitoringQueries.monitoring(), staleTime: 0, refetchInterval: refreshMs });
  return (
    <Page title={t('monitoring.title')} lead={t('monitoring.lead')}>
      <QueryState
        query={query}
        skeleton={
          <>
            <Block height={48} />
            <Block height={140} />
            <Block height={280} />
            <Block height={240} />
          </>
        }
      >
        {(monitoring) => (
          <>
            <Overall monitoring={monitoring} />
            <MachineFigures monitoring={monitoring} />
            <Grid columns={2}>
              <ProcessFacts monitoring={monitoring} />
              <DatabaseFacts monitoring={monitoring} />
            </Grid>
            <ConsoleList consoles={monitoring.consoles} />
            <FilePlaces files={monitoring.files} archive={monitoring.archive} />
            <QueueList queues={monitoring.lanes} />
            <JobList jobs={monitoring.jobs} />
          </>
        )}
      </QueryState>
      <UnexpectedErrorList />
      <Metrics />
    </Page>
  );
}

/** A summary in one sentence, naming the parts that need attention. */
function Overall({ monitoring }: { monitoring: Monitoring }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  // used as: 'monitoring.part_*'
  const parts: readonly (readonly [Verdict, string])[] = [
    [machineVerdict(monitoring.readings.at(-1)), t('monitoring.part_machine')],
    [monitoring.process.verdict, t('monitoring.part_process')],
    [monitoring.database.verdict, t('monitoring.part_database')],
    [worst(...monitoring.consoles.map((one) => one.verdict)), t('monitoring.part_consoles')],
    [worst(...monitoring.files.map((place) => place.verdict)), t('monitoring.part_files')],
    [monitoring.live.verdict, t('monitoring.part_live')],
    [worst(...monitoring.lanes.map((queue) => queue.verdict)), t('monitoring.part_lanes')],
    [worst(...monitoring.jobs.map((job) => job.verdict)), t('monitoring.part_jobs')],
    [monitoring.faults > 0 ? 'warning' : 'good', t('monitoring.part_unexpected_errors')],
  ];
  const overall = worst(...parts.map(([verdict]) => verdict));
  const names = format.list(parts.filter(([verdict]) => verdict === overall).map(([, name]) => name));
  return overall === 'bad' || overall === 'warning' ? (
    <Alert severity={overall === 'bad' ? 'error' : 'warning'} role="status">
      {t(overall === 'bad' ? 'monitoring.some_bad' : 'monitoring.some_warning', { names })}
    </Alert>
  ) : (
    <Alert severity="success" role="status">
      {t('monitoring.all_good')}
    </Alert>
  );
}

/** The URL of the metrics for a scraper. */
function Metrics() {
  const { t } = useTranslation('monitoring');
  const address = `${window.location.origin}/metrics`;
  return (
    <Section title={t('monitoring.metrics')}>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {t('monitoring.metrics_hint', { address })} <CopyButton inText text={address} />
      </Typography>
    </Section>
  );
}
