// The texts of insights.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useInsightsTexts = textsHook<keyof typeof enUS>('insights');
