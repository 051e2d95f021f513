// Every name of a page or action in both languages, so that a search works in both, whichever is active.
import { enUS as appEn } from '../../locales/enUS.ts';
import { zhTW as appZh } from '../../locales/zhTW.ts';
import { enUS as paletteEn } from '../../locales/palette/enUS.ts';
import { zhTW as paletteZh } from '../../locales/palette/zhTW.ts';

export type PaletteKey = keyof typeof appZh | keyof typeof paletteZh;

const zhTW: Readonly<Record<PaletteKey, string>> = { ...appZh, ...paletteZh };
const enUS: Readonly<Record<PaletteKey, string>> = { ...appEn, ...paletteEn };

/** A sentence in both languages. */
export const inBoth = (key: PaletteKey): readonly string[] => [zhTW[key], enUS[key]];
