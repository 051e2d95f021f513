// Scheduled and queued jobs with their last run.
import Box from '@mui/material/Box';
import type { JobState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { brokenAtParts, MachineName } from '#platform/web/ui/MachineName.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { PartTable } from './PartTable.tsx';
import { VerdictBadge } from './VerdictBadge.tsx';

export function JobList({ jobs }: { jobs: readonly JobState[] }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const columns: readonly Column<JobState>[] = [
    {
      key: 'name',
      label: t('monitoring.job'),
      card: 'title',
      render: ({ name }) => (
        <Box
          component="span"
          sx={{ whiteSpace: { md: 'nowrap' }, '& code': { overflowWrap: { sm: 'normal' } } }}
        >
          <MachineName>{brokenAtParts(name)}</MachineName>
        </Box>
      ),
    },
    {
      key: 'state',
      label: t('monitoring.state'),
      render: ({ verdict }) => <VerdictBadge verdict={verdict} />,
    },
    {
      key: 'schedule',
      label: t('monitoring.schedule'),
      render: ({ schedule }) =>
        schedule === null ? (
          t('monitoring.when_asked')
        ) : (
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            <MachineName>{schedule}</MachineName>
          </Box>
        ),
    },
    {
      key: 'waiting',
      label: t('monitoring.waiting'),
      align: 'right',
      render: ({ waiting }) => format.number(waiting),
    },
    {
      key: 'active',
      label: t('monitoring.running'),
      align: 'right',
      show: 'wide',
      render: ({ active }) => format.number(active),
    },
    {
      key: 'done',
      label: t('monitoring.last_done'),
      render: ({ lastDoneAt }) => (lastDoneAt ? <Moment at={lastDoneAt} as="relative" /> : '–'),
    },
    {
      key: 'failed',
      label: t('monitoring.last_failed'),
      show: 'wide',
      render: ({ lastFailedAt }) => (lastFailedAt ? <Moment at={lastFailedAt} as="relative" /> : '–'),
    },
    {
      key: 'failedDay',
      label: t('monitoring.failed_day'),
      align: 'right',
      show: 'wide',
      render: ({ failed }) => format.number(failed),
    },
  ];
  return (
    <PartTable
      title={t('monitoring.part_jobs')}
      columns={columns}
      rows={jobs}
      rowKey={({ name }) => name}
      rowName={({ name }) => name}
    />
  );
}
