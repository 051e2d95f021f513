// The texts of the dashboards and of the permissions screen; they come with these screens, not with the frame.
import { textsHook } from '#platform/web/i18n.ts';
import type { enUS } from '../locales/console/enUS.ts';
import type { AppKey } from './texts.ts';

export type ConsoleKey = keyof typeof enUS;
/** What these screens can say: their own sentences and the frame's. */
export type ScreenKey = ConsoleKey | AppKey;
export const useConsoleTexts = textsHook<ScreenKey>('console', 'app');
