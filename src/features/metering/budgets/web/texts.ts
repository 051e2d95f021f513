// The texts of budgets.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useBudgetsTexts = textsHook<keyof typeof enUS>('budgets');
