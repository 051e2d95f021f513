// The texts of webhooks.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useWebhooksTexts = textsHook<keyof typeof enUS>('webhooks');
