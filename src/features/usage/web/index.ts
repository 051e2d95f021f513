// Usage's door for the browser: its screen and the parts that other pages place (fetched when opened).

export const loadUsageScreen = () => import('./UsageScreen.tsx').then((module) => module.UsageScreen);
export const loadDailyUsageChart = () => import('./DailyUsageChart.tsx').then((module) => module.DailyUsageChart);
