// The public API of usage in the browser: its screen and its parts for other pages (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadUsageScreen = () =>
  withTexts(import('./UsageScreen.tsx'), 'usage').then((module) => module.UsageScreen);
export const loadSubscriptionCharges = () =>
  withTexts(import('./ChargeUsage.tsx'), 'usage').then((module) => module.SubscriptionCharges);
export const loadDailyUsageChart = () =>
  withTexts(import('./DailyUsageChart.tsx'), 'usage').then((module) => module.DailyUsageChart);
