// The books' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useBooksTexts = textsHook<keyof typeof enUS>('books');
