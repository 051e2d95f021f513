// The public API of device authorization in the browser: its screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadDeviceScreen = () =>
  withTexts(import('./DeviceScreen.tsx'), 'devices', 'identity').then((module) => module.DeviceScreen);
