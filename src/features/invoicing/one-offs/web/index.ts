// The public API of one-offs in the browser: the Admin's screen, and the upcoming items of a customer (loaded
// when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadOneOffsScreen = () =>
  withTexts(import('./OneOffsScreen.tsx'), 'oneoffs').then((module) => module.OneOffsScreen);
