// The props of the daily usage chart on the dashboards; the routes pass the chart in.
import type { ComponentType } from 'react';
import type { BillingDashboard } from '../../console/contract.ts';

export type DailyChart = ComponentType<{
  readonly title?: string;
  readonly lead?: string;
  readonly daily: BillingDashboard['daily'];
  readonly currency: BillingDashboard['statistics']['currency'];
  readonly expected?: BillingDashboard['expected'] | undefined;
}>;
