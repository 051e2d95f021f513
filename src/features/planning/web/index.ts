// Planning's door for the browser: the parts that other pages place (fetched when opened).

export const loadOwnMonths = () => import('./OwnMonths.tsx').then((module) => module.OwnMonths);
export const loadPlanFit = () => import('./PlanFit.tsx').then((module) => module.PlanFit);
export const loadRehearsalPanel = () => import('./RehearsalPanel.tsx').then((module) => module.RehearsalPanel);
