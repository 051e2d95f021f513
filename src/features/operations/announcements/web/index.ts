// Announcements' public API in the browser: an Admin's screen, fetched when it is opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAnnouncementsScreen = () =>
  withTexts(
    import('./AnnouncementsScreen.tsx'),
    'announcements',
    'catalogue',
    'identity',
    'notifications',
  ).then((module) => module.AnnouncementsScreen);
