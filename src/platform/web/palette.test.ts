import { describe, expect, it } from 'vitest';
import { contrast, dark, light, type Scheme } from './palette.ts';

const pairs = (colours: Scheme): [string, string, string, number][] => {
  const { background, text, tones } = colours;
  const grounds = Object.entries(background);
  const list: [string, string, string, number][] = [];
  for (const [ground, paint] of grounds) {
    for (const [name, ink] of Object.entries(text)) {
      // A placeholder stands inside inputs only, and those lie on paper.
      if (name !== 'placeholder' || ground === 'paper') list.push([`text.${name} on ${ground}`, ink, paint, 4.5]);
    }
  }
  for (const [name, tone] of Object.entries(tones)) {
    list.push([`${name} contrast text`, tone.contrastText, tone.main, 4.5], [`${name} contrast text on hover`, tone.contrastText, tone.hover, 4.5]);
    list.push([`${name} soft badge`, tone.softText, tone.soft, 4.5]);
    for (const ground of ['default', 'paper', 'raised'] as const) list.push([`${name} on ${ground}`, tone.main, background[ground], 4.5]);
  }
  for (const [name, paint] of [...Object.entries(colours.location), ...Object.entries(colours.order)]) {
    list.push([`${name} on paper`, paint, background.paper, 4.5], [`text on ${name}`, colours.stateText, paint, 4.5]);
  }
  for (const [name, paint] of Object.entries(colours.quota)) list.push([`quota ${name}`, paint, background.paper, 3]);
  for (const [index, paint] of [...colours.chart, colours.chartOther].entries()) list.push([`chart ${index}`, paint, background.paper, 3]);
  list.push(['control border on paper', colours.control, background.paper, 3], ['control border on page', colours.control, background.default, 3]);
  list.push(['focus on paper', colours.focus, background.paper, 3], ['focus on page', colours.focus, background.default, 3]);
  list.push(['app bar', colours.appBar.text, colours.appBar.background, 4.5]);
  return list;
};

describe.each([['light', light], ['dark', dark]] as const)('R-SHELL-16 contrast in %s', (_name, colours) => {
  it.each(pairs(colours))('%s (%s on %s) reaches %d', (_pair, ink, ground, least) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(least);
  });
});

describe('contrast', () => {
  it('agrees with WCAG on the two ends', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#777777')).toBe(1);
  });
});
