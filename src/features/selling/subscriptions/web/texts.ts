// The texts of subscriptions.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useSubscriptionsTexts = textsHook<keyof typeof enUS>('subscriptions');
