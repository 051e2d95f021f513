// What other screens place of planning.
export { PlanFit } from './PlanFit.tsx';
