// Licensing's door for the browser: its screen (fetched when opened).

export const loadLicencesScreen = () => import('./LicencesScreen.tsx').then((module) => module.LicencesScreen);
