// The public API of quotas in the browser: its screen and its parts for other pages, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAdminRaisesScreen = () =>
  withTexts(import('./AdminRaisesScreen.tsx'), 'quotas').then((module) => module.AdminRaisesScreen);
