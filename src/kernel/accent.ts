// Brand and host-page accent colors: whether they are visible, and how they look in light and dark mode.
import { contrast, textOn } from './contrast.ts';

/** The page backgrounds of the console's theme. */
export const pageGrounds = { light: '#F5F7FA', dark: '#0F1621' } as const;
/** WCAG 2.2, 1.4.11: minimum contrast between a non-text element and its background. */
export const leastContrast = 3;

/** An accent in one mode, and the text color used on it. */
export type AccentTone = { readonly background: string; readonly text: string };

/** Mixes `hex` (`#RRGGBB`) with `share` (0 to 1) of `other`. */
export function mixed(hex: string, other: string, share: number): string {
  const part = (of: string, at: number): number => Number.parseInt(of.slice(at, at + 2), 16);
  const channel = (at: number): string =>
    Math.round(part(hex, at) * (1 - share) + part(other, at) * share)
      .toString(16)
      .padStart(2, '0');
  return `#${channel(1)}${channel(3)}${channel(5)}`.toUpperCase();
}

const steps = 20;

/**
 * The tones of an accent (`#RRGGBB`): unchanged in light mode, and lightened in dark mode until it stands out
 * from the page.
 */
export function accentTones(accent: string): Readonly<Record<'light' | 'dark', AccentTone>> {
  let dark = accent;
  for (let step = 1; contrast(dark, pageGrounds.dark) < leastContrast && step <= steps; step++)
    dark = mixed(accent, '#FFFFFF', step / steps);
  return {
    light: { background: accent, text: textOn(accent) },
    dark: { background: dark, text: textOn(dark) },
  };
}

/**
 * Whether a color is too pale to be visible on the light page. Colors that are too dark need no check: dark
 * mode lightens them.
 */
export const isPaleAccent = (accent: string): boolean => contrast(accent, pageGrounds.light) < leastContrast;
