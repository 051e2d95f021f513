// The public API of rejections in the browser: the Admin's screen, and the notice on a member's usage page,
// loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadRejectedScreen = () =>
  withTexts(import('./RejectedScreen.tsx'), 'rejections').then((module) => module.RejectedScreen);
