// Banking's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useBankingTexts = textsHook<keyof typeof enUS>('banking');
