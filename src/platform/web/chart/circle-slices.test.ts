import { describe, expect, it } from 'vitest';
import { axisAt, sharesOf, sliceAt, withRestGrouped } from './circle-slices.ts';

describe('slices of a ring', () => {
  const slices = [3, 9, 1, 5].map((value) => ({
    key: `s${value}`,
    label: `S${value}`,
    value,
    text: String(value),
  }));
  it('keep the largest and sum the rest', () => {
    const top = withRestGrouped(slices, 2, { label: 'Other', text: (value) => `${value}!` });
    expect(top.map((slice) => [slice.key, slice.text])).toEqual([
      ['s9', '9'],
      ['s5', '5'],
      ['other', '4!'],
    ]);
    expect(withRestGrouped(slices, 4, { label: 'Other', text: String })).toHaveLength(4);
  });

  it.each([
    [
      [1, 3],
      [0.25, 0.75],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [-5, 2, Number.NaN],
      [0, 1, 0],
    ],
  ])('%j are shares %j of a whole', (values, expected) => {
    expect(sharesOf(values)).toEqual(expected);
  });
});

describe('the slice under the pointer', () => {
  const quarters = [0.25, 0.25, 0.5];
  it.each<[string, [number, number], number | undefined]>([
    ['above, a little to the right', [0.1, -0.8], 0],
    ['to the right, a little below', [0.8, 0.1], 1],
    ['to the left', [-0.8, 0], 2],
    ['above, a little to the left', [-0.01, -0.8], 2],
    ['in the middle', [0, 0.1], undefined],
    ['beside the ring', [0.9, 0.9], undefined],
  ])('%s', (_, point, expected) => {
    expect(sliceAt(quarters, point, 0.5)).toBe(expected);
  });
  it('does not exist in an empty ring', () => {
    expect(sliceAt([0, 0], [0.7, 0], 0.5)).toBeUndefined();
  });

  it.each<[string, [number, number], number | undefined]>([
    ['above', [0, -1], 0],
    ['above, a little to the left', [-0.1, -1], 0],
    ['to the right', [0.5, 0.02], 1],
    ['below', [0.02, 0.9], 2],
    ['to the left, at its name', [-1.2, 0], 3],
    ['far outside', [2, 0], undefined],
  ])('is the nearest of four axes: %s', (_, point, expected) => {
    expect(axisAt(4, point)).toBe(expected);
  });
});
