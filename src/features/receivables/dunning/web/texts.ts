// Dunning's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useDunningTexts = textsHook<keyof typeof enUS>('dunning');
