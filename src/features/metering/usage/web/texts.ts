// The texts of usage.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useUsageTexts = textsHook<keyof typeof enUS>('usage');
