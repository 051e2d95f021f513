// The texts of rejections.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useRejectionsTexts = textsHook<keyof typeof enUS>('rejections');
