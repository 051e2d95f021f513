// R-USE-02: the current month at a glance; the same page for User and, without actions, for ReadOnly.
import { useQuery } from '@tanstack/react-query';
import VisibilityOutlined from '~icons/ic/outline-visibility';
import Button from '@mui/material/Button';
import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BillingDashboard as Answer } from '../../console/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useLive } from '#platform/web/live/live.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { dashboardKey, dashboardQueries } from './api.ts';
import { BillingFigures } from './BillingFigures.tsx';
import type { DailyChart } from './daily-chart.ts';
import { dashboardProblem } from './dashboard-problem.ts';
import { DashboardSkeleton } from './DashboardSkeleton.tsx';
import { ServiceDistribution } from './ServiceDistribution.tsx';

type QuotaItem = Answer['quotas']['items'][number];
/** Parts of other features on this page, passed in by the routes. */
export type BillingDashboardProps = {
  readonly Daily: DailyChart;
  readonly Quotas: ComponentType<{
    readonly quotas: Answer['quotas'];
    readonly nameOf?: (quota: QuotaItem) => ReactNode;
    readonly onChange?: () => void;
  }>;
  readonly Budgets: ComponentType;
  /** The remaining credit, and a link to credits and discounts. */
  readonly Credits: ComponentType;
  /** The consequences of unpaid bills. */
  readonly Notice: ComponentType;
};

export function BillingDashboard({ Daily, Quotas, Budgets, Credits, Notice }: BillingDashboardProps) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const user = useAuthStore((auth) => auth.user);
  const isReadOnly = user?.role.trim() === 'ReadOnly';
  const hasUser = dashboardProblem(user, null) === undefined;
  const query = useQuery({ ...dashboardQueries.billingDashboard(), enabled: hasUser });
  useLive('usage', [dashboardKey('billingDashboard')]);
  useLive('bills', [dashboardKey('billingDashboard')]);
  const data = useDeferredRender(query.data);
  const problem = data ? undefined : dashboardProblem(user, query.error);
  return (
    <Page
      title={t('menu.billing_dashboard')}
      lead={
        data
          ? t('billing_dashboard.as_of', {
              month: format.month(data.statistics.month),
              time: format.time(data.asOf),
            })
          : '\u00a0'
      }
      aside={
        isReadOnly && (
          <StatusBadge tone="neutral" icon={<VisibilityOutlined aria-hidden />} label={t('role.ReadOnly')} />
        )
      }
      actions={
        !isReadOnly && (
          <Button component={Link} to="/billing/management" variant="contained">
            {t('billing_dashboard.to_bills')}
          </Button>
        )
      }
    >
      {problem !== undefined && (
        <ErrorState
          error={query.error ?? new Error(t('billing_dashboard.user_incomplete_hint'))}
          title={t(problem)}
          {...(hasUser && { onRetry: () => void query.refetch() })}
        />
      )}
      {problem === undefined && <Notice />}
      {problem === undefined && !data && <DashboardSkeleton />}
      {data && (
        <>
          <BillingFigures dashboard={data} />
          <Daily
            title={t('billing_dashboard.daily')}
            lead={t('billing_dashboard.daily_lead')}
            daily={data.daily}
            currency={data.statistics.currency}
            expected={data.expected}
          />
          <Grid columns={2}>
            <ServiceDistribution figures={data.statistics} />
            <Quotas
              quotas={data.quotas}
              nameOf={(quota) => <UsageLink quota={quota} month={data.statistics.month} />}
              onChange={() => void query.refetch()}
            />
          </Grid>
          <Budgets />
          <Credits />
        </>
      )}
    </Page>
  );
}

/** Each figure links to its events. */
function UsageLink({ quota, month }: { quota: QuotaItem; month: string }) {
  return (
    <Button
      component={Link}
      to={`/usage/statistics?month=${month}&service=${quota.subscriptionId}`}
      size="small"
      sx={{ marginInlineStart: '-10px', minWidth: 0, textAlign: 'start', whiteSpace: 'normal' }}
    >
      {quota.serviceName}
    </Button>
  );
}
