// Budgets' door for the browser: the part that a dashboard places (fetched when opened).

export const loadBudgetStates = () => import('./BudgetStates.tsx').then((module) => module.BudgetStates);
