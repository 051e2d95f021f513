// Announcements' door for the browser: an Admin's screen, fetched when it is opened.

export const loadAnnouncementsScreen = () => import('./AnnouncementsScreen.tsx').then((module) => module.AnnouncementsScreen);
