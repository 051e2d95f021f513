// The public API of automatic top-ups in the browser: components for the pages of bills and payments (loaded
// when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The Admin's list of organizations. */
export const loadAdminTopUps = () =>
  withTexts(import('./AdminTopUps.tsx'), 'topups').then((module) => module.AdminTopUps);
