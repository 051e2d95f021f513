// The catalogue's door for the browser: its screens (fetched when opened).

export const loadServicesScreen = () => import('./ServicesScreen.tsx').then((module) => module.ServicesScreen);
