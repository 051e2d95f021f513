// Parts of planning for other screens.
export { PlanFit } from './PlanFit.tsx';
export { OwnMonths } from './OwnMonths.tsx';
