// Backups' door for the browser: their screen (fetched when opened).

export const loadBackupsScreen = () => import('./BackupsScreen.tsx').then((module) => module.BackupsScreen);
