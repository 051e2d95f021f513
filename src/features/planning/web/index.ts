// Planning's door for the browser: the parts that other pages place (fetched when opened).

export const loadOwnMonths = () => import('./OwnMonths.tsx').then((module) => module.OwnMonths);
export const loadRehearsalPanel = () => import('./RehearsalPanel.tsx').then((module) => module.RehearsalPanel);
