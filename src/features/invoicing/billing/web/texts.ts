// Billing's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useBillingTexts = textsHook<keyof typeof enUS>('billing');
