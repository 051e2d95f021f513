// The texts of planning.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const usePlanningTexts = textsHook<keyof typeof enUS>('planning');
