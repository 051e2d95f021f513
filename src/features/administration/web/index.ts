// Administration's door for the browser: its calls and its screens (fetched when opened).
export { administrationQueries } from './api.ts';

export const loadSetupScreen = () => import('./SetupScreen.tsx').then((module) => module.SetupScreen);
