// Announcements' public API in the browser: an Admin's screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAnnouncementsScreen = () =>
  withTexts(
    import('./AnnouncementsScreen.tsx'),
    'announcements',
    'catalogue',
    'identity',
    'notifications',
  ).then((module) => module.AnnouncementsScreen);
