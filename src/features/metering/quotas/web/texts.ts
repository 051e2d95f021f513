// The texts of quotas.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useQuotasTexts = textsHook<keyof typeof enUS>('quotas');
