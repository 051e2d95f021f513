// The public API of banking in the browser: its screen (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBankStatementsScreen = () =>
  withTexts(import('./BankStatementsScreen.tsx'), 'banking').then((module) => module.BankStatementsScreen);
