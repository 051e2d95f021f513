// The public API of approvals in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadApprovalsScreen = () =>
  withTexts(import('./ApprovalsScreen.tsx'), 'approvals').then((module) => module.ApprovalsScreen);
