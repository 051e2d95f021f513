// The console's own parts: database, live connections, outbox, version and uptime.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { AdminDashboard } from '../../console/contract.ts';

export function AdminMonitoring({ dashboard }: { dashboard: AdminDashboard | undefined }) {
  const { t } = useTranslation('console');
  return (
    <Section
      title={t('menu.monitoring')}
      lead={t('admin_dashboard.monitoring_lead')}
      actions={
        <Button component={Link} to="/admin/monitoring" size="small">
          {t('admin_dashboard.see_all')}
        </Button>
      }
    >
      {dashboard ? <Figures dashboard={dashboard} /> : <Lines count={4} />}
    </Section>
  );
}

function Figures({ dashboard }: { dashboard: AdminDashboard }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  return (
    <Facts
      items={[
        [t('admin_dashboard.database'), format.bytes(dashboard.databaseBytes)],
        [t('admin_dashboard.live_clients'), format.number(dashboard.liveClients)],
        [
          t('admin_dashboard.outbox'),
          dashboard.outboxWaiting === 0
            ? t('admin_dashboard.outbox_empty')
            : t('admin_dashboard.waiting_for', {
                count: format.number(dashboard.outboxWaiting),
                seconds: format.number(dashboard.outboxLagSeconds),
              }),
        ],
        [
          t('admin_dashboard.jobs'),
          dashboard.jobsWaiting === 0
            ? t('admin_dashboard.jobs_empty')
            : t('admin_dashboard.waiting_for', {
                count: format.number(dashboard.jobsWaiting),
                seconds: format.number(dashboard.jobLagSeconds),
              }),
        ],
        [
          t('admin_dashboard.backup'),
          dashboard.backup.lastProvenAt ? (
            <Moment key="backup" at={dashboard.backup.lastProvenAt} as="relative" />
          ) : (
            t('admin_dashboard.backup_none')
          ),
        ],
        [t('admin_dashboard.version'), dashboard.version],
        [
          t('admin_dashboard.started'),
          <Box key="started" component="span">
            <Moment at={dashboard.startedAt} as="relative" />
            <Box component="span" sx={{ color: 'text.secondary' }}>
              <NoWrap text={format.aside(format.dateTime(dashboard.startedAt))} />
            </Box>
          </Box>,
        ],
        [t('admin_dashboard.organizations'), format.number(dashboard.organizations)],
        [
          t('admin_dashboard.bills'),
          t('admin_dashboard.bills_of', {
            total: format.number(dashboard.bills.total),
            open: format.number(dashboard.bills.open),
          }),
        ],
      ]}
    />
  );
}
