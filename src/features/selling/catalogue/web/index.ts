// The public API of the catalogue in the browser: its screens (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadServicesScreen = () =>
  withTexts(import('./ServicesScreen.tsx'), 'catalogue', 'meters', 'identity').then(
    (module) => module.ServicesScreen,
  );
export const loadMeterServices = () =>
  withTexts(import('./MeterServices.tsx'), 'catalogue').then((module) => module.MeterServices);
