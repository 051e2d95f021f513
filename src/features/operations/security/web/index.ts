// Security's public API in the browser: its screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadSecurityScreen = () =>
  withTexts(import('./SecurityScreen.tsx'), 'security', 'identity').then((module) => module.SecurityScreen);
