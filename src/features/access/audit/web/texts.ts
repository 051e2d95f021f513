// The audit log's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useAuditTexts = textsHook<keyof typeof enUS>('audit');
