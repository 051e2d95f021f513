// Checks contrast and distinguishability of every color, computed from the theme that the screens use.
import { describe, expect, it } from 'vitest';
import { contrast } from '#kernel/contrast.ts';
import { isPaleAccent } from '#kernel/accent.ts';
import { primaryOfAccent } from './accent.ts';
import { ciede2000, linear, nearest } from './test-colours.ts';
import { makeTheme } from './theme.ts';

const theme = makeTheme();
const schemes = { light: theme.colorSchemes.light?.palette, dark: theme.colorSchemes.dark?.palette };
type Palette = NonNullable<(typeof schemes)['light']>;
type Pair = readonly [what: string, ink: string, ground: string, least: number];

const tones = [
  'primary',
  'secondary',
  'error',
  'warning',
  'info',
  'success',
  'admin',
  'logo',
  'alarm',
  'neutral',
] as const;

/** `rgba` of a hover or selection over a background, as `#RRGGBB`. */
function over(ground: string, ink: string, alpha: number): string {
  const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(channel(ink, at) * alpha + channel(ground, at) * (1 - alpha))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function grounds(p: Palette): Record<string, string> {
  return {
    page: p.background.default,
    paper: p.background.paper,
    sunken: p.sunken,
    raised: p.raised,
    overlay: p.overlay,
  };
}

function textPairs(p: Palette): Pair[] {
  const rowTints = {
    'hovered row': over(p.background.paper, p.text.primary, p.action.hoverOpacity),
    'selected row': over(p.background.paper, p.primary.main, p.action.selectedOpacity),
    'hovered selected row': over(
      p.background.paper,
      p.primary.main,
      p.action.selectedOpacity + p.action.hoverOpacity,
    ),
    'marked row': p.warning.soft,
  };
  return [
    // Text, and text in a semantic color (links, buttons, errors below a field), on every background.
    ...Object.entries({ ...grounds(p), ...rowTints }).flatMap(([where, ground]): Pair[] =>
      [
        ['text', p.text.primary, ground, 4.5],
        ['secondary text', p.text.secondary, ground, 4.5],
        ['link', p.primary.main, ground, 4.5],
      ].map(([what, ink, on, least]): Pair => [
        `${what} on ${where}`,
        String(ink),
        String(on),
        Number(least),
      ]),
    ),
    ...tones.flatMap((tone): Pair[] => [
      ...Object.entries(grounds(p))
        .filter(([where]) => where !== 'sunken')
        .map(([where, ground]): Pair => [`${tone} on ${where}`, p[tone].main, ground, 4.5]),
      [`text on ${tone}`, p[tone].contrastText, p[tone].main, 4.5],
      [`text on hovered ${tone}`, p[tone].contrastText, p[tone].dark, 4.5],
      [`${tone} badge`, p[tone].softText, p[tone].soft, 4.5],
    ]),
    // The bar with the actions for selected rows.
    ['button in the bulk bar', p.primary.main, p.primary.soft, 4.5],
    ['danger in the bulk bar', p.error.main, p.primary.soft, 4.5],
    // A placeholder is only in inputs, which are on paper.
    ['placeholder', p.placeholder, p.background.paper, 4.5],
    ['tooltip', p.background.paper, p.text.primary, 4.5],
    ['app bar', p.appBar.text, p.appBar.background, 4.5],
    ...[...Object.entries(p.location), ...Object.entries(p.order)].map(([name, paint]): Pair => [
      `text on ${name}`,
      p.stateText,
      paint,
      4.5,
    ]),
  ];
}

function graphicPairs(p: Palette): Pair[] {
  return [
    ...Object.entries(grounds(p)).flatMap(([where, ground]): Pair[] => [
      [`control border on ${where}`, p.control, ground, 3],
      [`focus on ${where}`, p.focusRing, ground, 3],
    ]),
    ['focus on the app bar', p.appBar.text, p.appBar.background, 3],
    [
      'focus on a selected row',
      p.focusRing,
      over(p.background.paper, p.primary.main, p.action.selectedOpacity),
      3,
    ],
    ...[...Object.entries(p.location), ...Object.entries(p.order)].map(([name, paint]): Pair => [
      `${name} on paper`,
      paint,
      p.background.paper,
      4.5,
    ]),
    ...Object.entries(p.quota).flatMap(([name, paint]): Pair[] => [
      [`quota ${name} on paper`, paint, p.background.paper, 3],
      [`quota ${name} on its track`, paint, p.sunken, 3],
    ]),
    ...Object.entries(p.chart).map(([slot, paint]): Pair => [
      `chart ${slot} on paper`,
      paint,
      p.background.paper,
      3,
    ]),
    ['switch on its track', p.primary.main, p.primary.soft, 3],
    ['switch off on its track', p.control, p.sunken, 3],
  ];
}

/** Colors that only separate, repeat others, or belong to MUI and are not used. */
const unjudged =
  /^(mode|common\..*|grey\..*|action\..*|divider|shadow\..*|appBar\.border|Alert|AppBar|Avatar|Button|Chip|FilledInput|LinearProgress|Skeleton|Slider|SnackbarContent|SpeedDialAction|StepConnector|StepContent|Switch|TableCell|Tooltip|text\.disabled|text\.icon|contrastThreshold|tonalOffset|colorSpace|.*\.light|dividerChannel|.*Channel)/;

function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => leaves(part, path === '' ? name : `${path}.${name}`))
    : [];
}

describe.each(Object.entries(schemes))('R-SHELL-16 colors in %s', (name, palette) => {
  if (!palette) throw new Error(`There is no ${name} scheme.`);
  const pairs = [...textPairs(palette), ...graphicPairs(palette)];

  it.each(pairs)('contrast: %s (%s on %s) reaches %d', (_what, ink, ground, least) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(least);
  });

  it('cover every color of the theme', () => {
    const judged = new Set(pairs.flatMap(([, ink, ground]) => [ink, ground]));
    expect(
      leaves(palette, '')
        .filter(
          ([path, colour]) => /^#[0-9a-f]{6}$/i.test(colour) && !unjudged.test(path) && !judged.has(colour),
        )
        .map(([path]) => path),
    ).toEqual([]);
  });

  // The smallest distances that the design states, rounded down: by normal, protan, deutan and tritan sight.
  it.each<[string, readonly string[], number]>([
    ['states of a location', Object.values(palette.location), name === 'light' ? 15 : 14.3],
    ['states of an order', Object.values(palette.order), name === 'light' ? 16.9 : 19.4],
    ['levels of a quota', Object.values(palette.quota), name === 'light' ? 18 : 12.1],
    [
      'series of a chart',
      [1, 2, 3, 4, 5, 6, 7].map((slot) => palette.chart[slot as 1]),
      name === 'light' ? 15.7 : 12.7,
    ],
  ])('can be distinguished: %s', (_what, colours, least) => {
    expect(nearest(colours)).toBeGreaterThanOrEqual(least);
  });
});

describe('R-SHELL-16 a brand’s color as the primary one', () => {
  const part = (value: number): string => value.toString(16).padStart(2, '0');
  /** Colors all over the cube, and some of real companies. */
  const accents = [
    ...Array.from({ length: 9 ** 3 }, (_, index) =>
      [81, 9, 1].reduce((hex, at) => hex + part(Math.min(255, (Math.floor(index / at) % 9) * 32)), '#'),
    ),
    '#C2410C',
    '#0B6E4F',
    '#7048E8',
  ].filter((accent) => !isPaleAccent(accent));

  it.each(Object.entries(schemes))('in %s gives readable text for any color', (name, palette) => {
    if (!palette) throw new Error(`There is no ${name} scheme.`);
    expect(accents.length).toBeGreaterThan(300);
    for (const accent of accents) {
      const { main, hover, contrastText, soft, softText } = primaryOfAccent(accent)[name as 'light'];
      const primary = { ...palette.primary, main, light: hover, dark: hover, contrastText, soft, softText };
      const wrong = textPairs({ ...palette, primary }).filter(
        ([, ink, ground, least]) => contrast(ink, ground) < least,
      );
      expect(wrong, `${accent} in ${name}`).toEqual([]);
    }
  });

  it('is the brand’s own wherever that is readable', () => {
    expect(primaryOfAccent('#0B6E4F').light.main).toBe('#0B6E4F');
    expect(primaryOfAccent('#7CD4FD').dark.main).toBe('#7CD4FD');
  });
});

describe('measuring colors', () => {
  it('contrast agrees with WCAG at both ends', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#777777')).toBe(1);
  });

  it('distance agrees with the published test data (Sharma et al. 2005, pairs 1, 17 and 34)', () => {
    expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(ciede2000([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
    expect(ciede2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
    expect(linear('#FFFFFF')).toEqual([1, 1, 1]);
  });
});
