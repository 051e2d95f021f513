// Planning's public API in the browser: its parts for other pages (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadRehearsalPanel = () =>
  withTexts(import('./RehearsalPanel.tsx'), 'planning').then((module) => module.RehearsalPanel);
/** The Admin's screen of contract simulations. */
export const loadContractSimulatorScreen = () =>
  withTexts(
    import('./ContractSimulatorScreen.tsx'),
    'planning',
    'creditgrants',
    'commitments',
    'identity',
  ).then((module) => module.ContractSimulatorScreen);
