// Backups' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useBackupsTexts = textsHook<keyof typeof enUS>('backups');
