// The frame's own texts.
import type { enUS } from '../locales/enUS.ts';
import { textsHook } from '#platform/web/i18n.ts';

export type AppKey = keyof typeof enUS;
export const useAppTexts = textsHook<AppKey>('app');
