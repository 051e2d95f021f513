// The audit log's public API in the browser: its screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAuditLogScreen = () =>
  withTexts(import('./AuditLogScreen.tsx'), 'audit').then((module) => module.AuditLogScreen);
