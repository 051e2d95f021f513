// The month packs' texts.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/enUS.ts';

export const usePacksTexts = textsHook<keyof typeof enUS>('packs');
