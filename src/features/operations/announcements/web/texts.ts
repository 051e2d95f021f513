// Announcements' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useAnnouncementsTexts = textsHook<keyof typeof enUS>('announcements');
