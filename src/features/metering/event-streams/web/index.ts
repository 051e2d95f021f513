// The public API of event streams in the browser: the Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadEventStreamsScreen = () =>
  withTexts(import('./EventStreamsScreen.tsx'), 'eventstreams').then((module) => module.EventStreamsScreen);
