// Monitoring's door for the browser: its screen, fetched when opened.

export const loadMonitoringScreen = () => import('./MonitoringScreen.tsx').then((module) => module.MonitoringScreen);
