// The public API of connectors in the browser: the Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadConnectorsScreen = () =>
  withTexts(import('./ConnectorsScreen.tsx'), 'connectors').then((module) => module.ConnectorsScreen);
