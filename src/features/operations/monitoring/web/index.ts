// Monitoring's public API in the browser: its screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadMonitoringScreen = () =>
  withTexts(import('./MonitoringScreen.tsx'), 'monitoring').then((module) => module.MonitoringScreen);
