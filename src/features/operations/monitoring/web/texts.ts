// Monitoring's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useMonitoringTexts = textsHook<keyof typeof enUS>('monitoring');
