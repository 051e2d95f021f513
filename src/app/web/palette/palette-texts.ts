// The sentences of the palette, the shortcuts, the pins, the offline notice and the lost pages; they come with these, not with the frame.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../../locales/palette/enUS.ts';
import type { AppKey } from '../texts.ts';

export type PaletteKey = AppKey | keyof typeof enUS;
export const usePaletteTexts = textsHook<PaletteKey>('palette', 'app');
