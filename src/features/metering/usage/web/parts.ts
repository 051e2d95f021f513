// Parts of usage for other screens.
export { SubscriptionMonth } from './SubscriptionMonth.tsx';
export { expectedSeries, expectedText, rangeText, shownExpected } from './expected-days.ts';
export { costMoney, tickText } from './cost-texts.ts';
export { useMonthSums } from './month-sums.ts';
export type { EventsFigure, EventsGroup } from './events-figure.ts';
export type { ExplorerSlot } from './UsageScreen.tsx';
export { UsageScreen } from './UsageScreen.tsx';
export { SubscriptionCharges } from './ChargeUsage.tsx';
export { DailyUsageChart } from './DailyUsageChart.tsx';
