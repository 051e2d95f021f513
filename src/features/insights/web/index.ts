// Insights' door for the browser: what the usage page explores with (fetched when opened).

export const loadExplorer = () => import('./Explorer.tsx').then((module) => module.Explorer);
