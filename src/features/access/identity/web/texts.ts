// Identity's texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const useIdentityTexts = textsHook<keyof typeof enUS>('identity');
