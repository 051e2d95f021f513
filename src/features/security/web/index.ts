// Security's door for the browser: its screen, fetched when opened.

export const loadSecurityScreen = () => import('./SecurityScreen.tsx').then((module) => module.SecurityScreen);
