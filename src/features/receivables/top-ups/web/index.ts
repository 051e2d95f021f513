// Automatic top-ups' public API in the browser: parts for the pages of bills and payments (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** An Admin's list of organizations. */
export const loadAdminTopUps = () =>
  withTexts(import('./AdminTopUps.tsx'), 'topups').then((module) => module.AdminTopUps);
