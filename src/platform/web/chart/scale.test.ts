import { describe, expect, it } from 'vitest';
import { labelStep, niceTicks, polygonPath, ringPath, stack, topAndRest, turns } from './scale.ts';

describe('ticks', () => {
  it.each<[number, number[]]>([
    [0, [0, 1]],
    [Number.NaN, [0, 1]],
    [Number.POSITIVE_INFINITY, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [94, [0, 25, 50, 75, 100]],
    [6420, [0, 2000, 4000, 6000, 8000]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [1e12, [0, 2.5e11, 5e11, 7.5e11, 1e12]],
  ])('up to %d', (max, expected) => {
    expect(niceTicks(max)).toEqual(expected);
  });
  it('reach below zero for credits', () => {
    const ticks = niceTicks(100, 4, -40);
    expect(ticks[0]).toBeLessThanOrEqual(-40);
    expect(ticks).toContain(0);
  });
});

describe('shapes', () => {
  it('stack on each other; holes and negatives take no room', () => {
    expect(stack([[1, 2], [3, Number.NaN], [-1]], 2)).toEqual([
      [
        { from: 0, to: 1 },
        { from: 0, to: 2 },
      ],
      [
        { from: 1, to: 4 },
        { from: 2, to: 2 },
      ],
      [
        { from: 4, to: 4 },
        { from: 2, to: 2 },
      ],
    ]);
  });
  it('a whole ring is still drawn, and nothing is ever NaN', () => {
    expect(ringPath(0, 1, 10, 6)).toMatch(/^M0,-10A10,10 0 1 1/);
    expect(polygonPath([1, Number.NaN, 2], 10)).not.toContain('NaN');
    expect(polygonPath([], 10)).toBe('');
  });
  it('turns follow each other and make a whole', () => {
    expect(turns([1, 3])).toEqual([
      { from: 0, to: 0.25, share: 0.25 },
      { from: 0.25, to: 1, share: 0.75 },
    ]);
    expect(turns([0, 0])).toEqual([
      { from: 0, to: 0, share: 0 },
      { from: 0, to: 0, share: 0 },
    ]);
  });
  it('labels are left out when they would touch', () => {
    expect(labelStep(30, 40)).toBe(1);
    expect(labelStep(30, 10)).toBe(3);
    expect(labelStep(30, 0)).toBe(30);
  });
});

describe('slices', () => {
  const slices = [3, 9, 1, 5].map((value) => ({
    key: `s${value}`,
    label: `S${value}`,
    value,
    text: String(value),
  }));
  it('keep the biggest and sum the rest', () => {
    const top = topAndRest(slices, 2, { label: 'Other', text: (value) => `${value}!` });
    expect(top.map((slice) => [slice.key, slice.text])).toEqual([
      ['s9', '9'],
      ['s5', '5'],
      ['other', '4!'],
    ]);
    expect(topAndRest(slices, 4, { label: 'Other', text: String })).toHaveLength(4);
  });
});
