// Accents are readable and visible in both modes, whatever their color.
import { describe, expect, it } from 'vitest';
import { accentTones, isPaleAccent, leastContrast, pageGrounds } from './accent.ts';
import { contrast } from './contrast.ts';

const hex = (value: number): string => `#${value.toString(16).padStart(6, '0').toUpperCase()}`;
/** Colors all over the cube, and some of real companies. */
const colours = [
  ...Array.from({ length: 17 ** 3 }, (_, index) => {
    const step = (at: number): number => Math.min(255, (Math.floor(index / 17 ** at) % 17) * 16);
    return hex(step(2) * 65_536 + step(1) * 256 + step(0));
  }),
  '#1F4E8C',
  '#C2410C',
  '#7048E8',
];

describe('T-RESELL: a reseller’s color', () => {
  it('is visible on the page and has readable text in both modes, unless it is rejected as too pale', () => {
    for (const colour of colours) {
      if (isPaleAccent(colour)) continue;
      const tones = accentTones(colour);
      for (const mode of ['light', 'dark'] as const) {
        const { background, text } = tones[mode];
        expect(contrast(background, text), `text on ${colour} in ${mode}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(background, pageGrounds[mode]), `${colour} in ${mode}`).toBeGreaterThanOrEqual(
          leastContrast,
        );
      }
    }
  });

  it.each([
    ['#FFFFFF', true],
    ['#FFE066', true],
    ['#1F4E8C', false],
    ['#000000', false],
    ['#C2410C', false],
  ])('%s is too pale: %s', (colour, isPale) => {
    expect(isPaleAccent(colour)).toBe(isPale);
  });

  it('is unchanged in light mode, and lightened in dark mode only as much as necessary', () => {
    expect(accentTones('#C2410C').dark.background).toBe('#C2410C');
    expect(accentTones('#1F4E8C')).toMatchObject({
      light: { background: '#1F4E8C', text: '#FFFFFF' },
    });
    expect(accentTones('#1F4E8C').dark.background).not.toBe('#1F4E8C');
  });
});
