// Notifications' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useNotificationsTexts = textsHook<keyof typeof enUS>('notifications');
