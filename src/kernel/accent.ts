// The colour of a brand or a host page: which can be seen, and how it looks in light and dark.
import { contrast, textOn } from './contrast.ts';

/** The pages that a colour lies on, of the console's theme. */
export const pageGrounds = { light: '#F5F7FA', dark: '#0F1621' } as const;
/** WCAG 2.2, 1.4.11: what is no text differs from its ground by this. */
export const leastContrast = 3;

/** A colour of a mode and the text on it. */
export type AccentTone = { readonly background: string; readonly text: string };

/** A colour (`#RRGGBB`) mixed with a share of another one, from 0 to 1. */
export function mixed(hex: string, other: string, share: number): string {
  const part = (of: string, at: number): number => Number.parseInt(of.slice(at, at + 2), 16);
  const channel = (at: number): string =>
    Math.round(part(hex, at) * (1 - share) + part(other, at) * share)
      .toString(16)
      .padStart(2, '0');
  return `#${channel(1)}${channel(3)}${channel(5)}`.toUpperCase();
}

const steps = 20;

/** An accent (`#RRGGBB`) in both modes: as it is in light, and in dark as light as it must be to stand out from the page. */
export function accentTones(accent: string): Readonly<Record<'light' | 'dark', AccentTone>> {
  let dark = accent;
  for (let step = 1; contrast(dark, pageGrounds.dark) < leastContrast && step <= steps; step++)
    dark = mixed(accent, '#FFFFFF', step / steps);
  return {
    light: { background: accent, text: textOn(accent) },
    dark: { background: dark, text: textOn(dark) },
  };
}

/** Whether a colour is too pale to be seen on the light page. A dark one is lightened where the page is dark. */
export const isPaleAccent = (accent: string): boolean => contrast(accent, pageGrounds.light) < leastContrast;
