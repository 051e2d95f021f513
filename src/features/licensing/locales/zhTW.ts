// Licensing's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {} as const satisfies Record<keyof typeof enUS, string>;
