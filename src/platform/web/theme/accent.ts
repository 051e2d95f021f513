// Uses a brand's color as the theme's primary one, for buttons, links and selections. It is darkened (in
// light mode) or lightened (in dark mode) only as far as needed to be readable on every background of the
// console.
import { accentTones, mixed } from '#kernel/accent.ts';
import { contrast, textOn } from '#kernel/contrast.ts';
import { dark, light, type Scheme, type Tone } from './palette.ts';

/** WCAG 2.2, 1.4.3: contrast of text and background. */
const leastOfText = 4.5;
const steps = 40;

const modes = {
  // The color's opacity in a tint, and in a selected row under the pointer (MUI's `selectedOpacity` plus
  // `hoverOpacity`).
  light: { colours: light, towards: '#000000', soft: 0.12, row: 0.08 + 0.04 },
  dark: { colours: dark, towards: '#FFFFFF', soft: 0.2, row: 0.16 + 0.08 },
} as const satisfies Record<string, { colours: Scheme; towards: string; soft: number; row: number }>;

/**
 * Converts an accent (`#RRGGBB`) to the primary tone of both modes; every pair that the console uses reaches
 * 4.5 to 1.
 */
export function primaryOfAccent(accent: string): Readonly<Record<'light' | 'dark', Tone>> {
  return { light: toneOf(accent, 'light'), dark: toneOf(accent, 'dark') };
}

function toneOf(accent: string, mode: 'light' | 'dark'): Tone {
  const { colours, towards, soft, row } = modes[mode];
  const { paper } = colours.background;
  const tint = (colour: string, share: number): string => mixed(paper, colour, share);
  const isRead = (colour: string): boolean =>
    [...Object.values(colours.background), tint(colour, soft), tint(colour, row)].every(
      (ground) => contrast(colour, ground) >= leastOfText,
    );
  const firstOf = (from: string, isGood: (colour: string) => boolean): string =>
    Array.from({ length: steps + 1 }, (_, step) => mixed(from, towards, step / steps)).find(isGood) ??
    towards;
  const main = firstOf(accent, isRead);
  const ground = tint(main, soft);
  return {
    main,
    contrastText: textOn(main),
    hover: mixed(main, towards, 0.25),
    soft: ground,
    softText: firstOf(mixed(main, towards, 0.25), (colour) => contrast(colour, ground) >= leastOfText),
  };
}

const channels = (hex: string): string =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(' ');

/** The theme's variables in a mode. The bar keeps the brand's color, because only its own text lies on it. */
function variables(bar: { background: string; text: string }, tone: Tone): Readonly<Record<string, string>> {
  const { main, hover, contrastText, soft, softText } = tone;
  return {
    'appBar-background': bar.background,
    'appBar-text': bar.text,
    'appBar-border': bar.background,
    'AppBar-darkBg': bar.background,
    'AppBar-darkColor': bar.text,
    'primary-main': main,
    'primary-light': hover,
    'primary-dark': hover,
    'primary-contrastText': contrastText,
    'primary-soft': soft,
    'primary-softText': softText,
    'primary-mainChannel': channels(main),
    'primary-lightChannel': channels(hover),
    'primary-darkChannel': channels(hover),
    'primary-contrastTextChannel': channels(contrastText),
    'LinearProgress-primaryBg': soft,
    'Slider-primaryTrack': soft,
    'Switch-primaryDisabledColor': soft,
  };
}

/** Applies an accent to the page. @returns the function that removes it */
export function paintAccent(accent: string): () => void {
  const [bars, tones] = [accentTones(accent), primaryOfAccent(accent)];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    (
      [
        [':root', 'light'],
        [':root[data-theme="dark"]', 'dark'],
      ] as const
    )
      .map(
        ([where, mode]) =>
          `${where}{${Object.entries(variables(bars[mode], tones[mode]))
            .map(([name, value]) => `--mui-palette-${name}:${value}!important`)
            .join(';')}}`,
      )
      .join(''),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
}
