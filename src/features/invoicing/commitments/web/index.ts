// The public API of commitments in the browser: the Admin's screen and the customer's component, loaded when
// opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadCommitmentsScreen = () =>
  withTexts(import('./CommitmentsScreen.tsx'), 'commitments', 'creditgrants', 'identity').then(
    (module) => module.CommitmentsScreen,
  );
