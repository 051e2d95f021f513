// The sandboxes' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadSandboxesScreen = () =>
  withTexts(import('./SandboxesScreen.tsx'), 'sandboxes').then((module) => module.SandboxesScreen);
