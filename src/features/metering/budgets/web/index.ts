// The public API of budgets in the browser: the part that a dashboard places (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadBudgetStates = () =>
  withTexts(import('./BudgetStates.tsx'), 'budgets').then((module) => module.BudgetStates);
