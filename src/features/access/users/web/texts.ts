// Users' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useUsersTexts = textsHook<keyof typeof enUS>('users');
