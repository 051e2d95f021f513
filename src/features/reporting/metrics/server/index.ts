// The metrics' public API: their calls, the job that keeps them up to date, and the handling of changed
// bills.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { metrics, metricsErrors } from '../contract.ts';
import { consolidated } from './consolidated.ts';
import { exchangeGains, settlements } from './exchange.ts';
import { exportReport } from './exports.ts';
import { forecast, forecastCustomers, forecastLines, planRecurringJob } from './forecast.ts';
import { margin, marginLines } from './margin.ts';
import { cohorts, customers, lines, movements, summary } from './read.ts';
import { receipts, receivables, revenue, taxes } from './receivables.ts';
import { refreshMetricsJob } from './refresh.ts';

export const metricsFeature = feature({
  name: 'metrics',
  contract: metrics,
  errors: metricsErrors,
  verbs: {
    summary,
    movements,
    customers,
    lines,
    margin,
    marginLines,
    forecast,
    forecastCustomers,
    forecastLines,
    cohorts,
    receivables,
    revenue,
    consolidated,
    exchangeGains,
    settlements,
    receipts,
    taxes,
    export: exportReport,
  },
  jobs: [refreshMetricsJob, planRecurringJob],
});

export { rebuildMetrics, refreshMetrics } from './refresh.ts';
