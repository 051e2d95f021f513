// Push's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const usePushTexts = textsHook<keyof typeof enUS>('push');
