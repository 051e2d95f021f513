// The public API of planning in the browser: its components for other pages (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadRehearsalPanel = () =>
  withTexts(import('./RehearsalPanel.tsx'), 'planning').then((module) => module.RehearsalPanel);
/** The Admin's screen for contract simulations. */
export const loadContractSimulatorScreen = () =>
  withTexts(
    import('./ContractSimulatorScreen.tsx'),
    'planning',
    'creditgrants',
    'commitments',
    'identity',
  ).then((module) => module.ContractSimulatorScreen);
