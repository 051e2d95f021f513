// The audit exports' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAuditExportsScreen = () =>
  withTexts(import('./AuditExportsScreen.tsx'), 'auditexports').then((module) => module.AuditExportsScreen);
