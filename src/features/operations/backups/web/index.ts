// Backups' public API in the browser: their screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBackupsScreen = () =>
  withTexts(import('./BackupsScreen.tsx'), 'backups').then((module) => module.BackupsScreen);
