// Administration's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useAdministrationTexts = textsHook<keyof typeof enUS>('administration');
