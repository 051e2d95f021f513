// R-ADM-01: the machine's state, what needs attention, and links to everything that an Admin manages.
import InfoOutlined from '~icons/ic/outline-info';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { AdminAttention } from './AdminAttention.tsx';
import { AdminCards } from './AdminCards.tsx';
import { AdminFirstSteps } from './AdminFirstSteps.tsx';
import { AdminFigures } from './AdminFigures.tsx';
import { AdminMonitoring } from './AdminMonitoring.tsx';
import { dashboardKey, dashboardQueries } from './api.ts';
import { attentionOf } from './attention.ts';
import { BilledByMonth } from './BilledByMonth.tsx';
import { DemoGuide } from './DemoGuide.tsx';
import { UpdatedAgo } from './UpdatedAgo.tsx';

const refreshMs = 5000;
/** So few entries would leave a hole beside the chart, and stand above it; that all is well takes more room. */
const mostAbove = 2;
const stacked = { display: 'grid', gap: { xs: 2, sm: 3 }, gridTemplateColumns: 'minmax(0, 1fr)' };
const columns = {
  display: 'grid',
  gap: { xs: 2, sm: 3 },
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 4fr) minmax(0, 8fr)' },
};

/** That all is well is as tall as the chart beside it. */
const level = { ...columns, alignItems: 'stretch' };

export function AdminDashboard() {
  const { t } = useTranslation('console');
  const [isPaused, setIsPaused] = useState(false);
  const query = useQuery({
    ...dashboardQueries.adminDashboard(),
    staleTime: 0,
    refetchInterval: isPaused ? false : refreshMs,
    refetchOnWindowFocus: !isPaused,
  });
  const demo = useQuery(dashboardQueries.demoData());
  // Prefetched here, because its chart renders later and would fetch separately.
  useQuery({ ...dashboardQueries.billedByMonth(), staleTime: 60_000 });
  // Demo data may be imported while the page is open.
  useLive('imports', [dashboardKey('demoData')]);
  const status = useSystemStatus();
  const dashboard = useDeferredRender(query.data);
  const isKnown = (dashboard !== undefined || query.isError) && !demo.isPending && !status.isPending;
  // Before the first customer, getting started is what needs attention most.
  const isBeforeStart = demo.data?.others === 0;
  const isUntouched = isBeforeStart && demo.data?.organizations === 0;
  const entries = dashboard === undefined ? 0 : attentionOf(dashboard, isUntouched).length;
  const hasLittleToDo = entries > 0 && entries <= mostAbove;
  const guide = demo.data && <DemoGuide found={demo.data} />;
  const firstSteps = dashboard && demo.data && status.data && (
    <AdminFirstSteps
      dashboard={dashboard}
      demo={demo.data}
      hasMail={status.data.signIn.passwordReset}
      isAboveAttention={isUntouched}
    />
  );
  return (
    <Page
      title={t('menu.admin_dashboard')}
      actions={
        query.data ? (
          <UpdatedAgo at={query.data.asOf} isPaused={isPaused} onPause={() => setIsPaused(!isPaused)} />
        ) : (
          <Box aria-hidden sx={{ minHeight: 36, '@media (pointer: coarse)': { minHeight: 44 } }} />
        )
      }
    >
      {/* After a failed refetch, the old figures stay, with their age and the error above them. */}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <AdminFigures dashboard={dashboard} />
      {/* Whether the checklist is shown depends on all of this data. Until it is loaded, the space stays
          empty, so that nothing moves later. */}
      {isKnown && (
        <>
          {isBeforeStart && guide}
          {isUntouched && firstSteps}
          {/* Before the first customer nothing was billed, and that all is well would be an empty card. */}
          {isUntouched ? (
            entries > 0 && <AdminAttention dashboard={dashboard} hasStepsAbove />
          ) : (
            <Box sx={hasLittleToDo ? stacked : entries === 0 ? level : columns}>
              <AdminAttention dashboard={dashboard} hasStepsAbove={false} />
              <BilledByMonth />
            </Box>
          )}
          {!isBeforeStart && guide}
          {!isUntouched && firstSteps}
          <Box sx={columns}>
            <AdminMonitoring dashboard={dashboard} />
            <AdminCards dashboard={dashboard} />
          </Box>
          <Typography
            variant="body2"
            color="textSecondary"
            sx={{ display: 'flex', gap: 1, alignItems: 'center' }}
          >
            <InfoOutlined aria-hidden />
            {t('admin_dashboard.contact')}
          </Typography>
        </>
      )}
    </Page>
  );
}
