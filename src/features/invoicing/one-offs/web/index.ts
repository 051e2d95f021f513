// One-offs' public API in the browser: the Admin's screen, and what comes on a customer's next bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadOneOffsScreen = () =>
  withTexts(import('./OneOffsScreen.tsx'), 'oneoffs').then((module) => module.OneOffsScreen);
