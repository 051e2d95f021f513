import { describe, expect, it } from 'vitest';
import { missingDigits } from './missing-digits.ts';

describe('digits that figures lack to stand below each other', () => {
  it('are counted by column, and only for figures', () => {
    expect(
      missingDigits([
        ['2026/11/01', 'NT$17.6', 'NT$0', '17.6 GB', ''],
        ['2026/11/02', 'NT$1,024', 'NT$5', '3 GB', '–'],
        ['Sum', '-NT$0.125', 'NT$5', '', 'NT$1.5'],
      ]),
    ).toEqual([
      [undefined, '00', undefined, undefined, undefined],
      [undefined, '.000', undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined, undefined],
    ]);
  });
});
