// The event streams' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadEventStreamsScreen = () =>
  withTexts(import('./EventStreamsScreen.tsx'), 'eventstreams').then((module) => module.EventStreamsScreen);
