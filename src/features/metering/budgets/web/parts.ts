// Parts of budgets for other screens.
export { BudgetStates } from './BudgetStates.tsx';
