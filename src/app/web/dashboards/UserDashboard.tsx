// R-BILL-03: a customer's services, their cost and what needs attention, on one page from one call.
import { useQuery } from '@tanstack/react-query';
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useSeller } from '#features/invoicing/resellers/web/parts.ts';
import { useLive } from '#platform/web/live/live.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { greetingAt } from '../greeting.ts';
import { dashboardKey, dashboardQueries } from './api.ts';
import type { DailyChart } from './daily-chart.ts';
import { dashboardProblem } from './dashboard-problem.ts';
import { DashboardSkeleton } from './DashboardSkeleton.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { OpenBills } from './OpenBills.tsx';
import { UserAside } from './UserAside.tsx';
import { UserFigures } from './UserFigures.tsx';
import { UserSubscriptions } from './UserSubscriptions.tsx';
import { WorstAlert } from './WorstAlert.tsx';

const fresh = [dashboardKey('userDashboard')];

export type UserDashboardProps = {
  /** Shows the consequences of unpaid bills, or the content passed to it if there are none. */
  readonly notice: (otherwise: ReactNode) => ReactNode;
  readonly Daily: DailyChart;
};

export function UserDashboard({ notice, Daily }: UserDashboardProps) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const now = useNow();
  const user = useAuthStore((auth) => auth.user);
  const hasUser = dashboardProblem(user, null) === undefined;
  // A payment or subscription made on another page a moment ago must be visible, so cached data is always
  // refetched.
  const query = useQuery({ ...dashboardQueries.userDashboard(), enabled: hasUser, staleTime: 0 });
  useLive('usage', fresh);
  useLive('bills', fresh);
  useLive('notifications', fresh);
  const seller = useSeller();
  const data = useDeferredRender(query.data);
  const problem = data ? undefined : dashboardProblem(user, query.error);
  const greeting = t(greetingAt(now, format.timeZone), { name: user?.name ?? '' });
  return (
    <Page
      title={t('menu.user_dashboard')}
      lead={
        data
          ? t('user_dashboard.lead', {
              greeting,
              month: format.month(data.current.month),
              time: format.time(data.asOf),
            })
          : greeting
      }
      actions={
        <>
          <Button component={Link} to="/billing/management" variant="outlined">
            {t('billing_dashboard.to_bills')}
          </Button>
          {/* With bills to pay, paying the first of them is the page's main action. */}
          <Button
            component={Link}
            to="/service/overview"
            variant={data?.openBills.length === 0 ? 'contained' : 'outlined'}
          >
            {t('user_dashboard.subscribe_new')}
          </Button>
        </>
      }
    >
      {problem !== undefined && (
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Box sx={{ width: '100%' }}>
            <ErrorState
              error={query.error ?? new Error(t('billing_dashboard.user_incomplete_hint'))}
              title={t(problem)}
              {...(hasUser && { onRetry: () => void query.refetch() })}
            />
          </Box>
          {problem === 'billing_dashboard.user_incomplete' && (
            <Button component={Link} to="/user/profile" variant="outlined">
              {t('user_dashboard.to_profile')}
            </Button>
          )}
        </Stack>
      )}
      {problem === undefined && !data && <DashboardSkeleton />}
      {data && (
        <>
          {notice(<WorstAlert dashboard={data} />)}
          <UserFigures dashboard={data} seller={seller} />
          <Box
            sx={{
              display: 'grid',
              gap: { xs: 2, sm: 3 },
              alignItems: 'start',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 8fr) minmax(0, 4fr)' },
            }}
          >
            <Stack sx={{ gap: { xs: 2, sm: 3 }, minWidth: 0 }}>
              {data.openBills.length > 0 && <OpenBills bills={data.openBills} />}
              {data.subscriptions.total === 0 ? (
                <FirstSteps dashboard={data} seller={seller} />
              ) : (
                <>
                  <Daily
                    title={t('user_dashboard.cost_by_day')}
                    lead={t('billing_dashboard.daily_lead')}
                    daily={data.daily}
                    currency={data.statistics.currency}
                    expected={data.expectedDays}
                  />
                  <UserSubscriptions dashboard={data} />
                </>
              )}
            </Stack>
            <UserAside dashboard={data} seller={seller} />
          </Box>
        </>
      )}
    </Page>
  );
}
