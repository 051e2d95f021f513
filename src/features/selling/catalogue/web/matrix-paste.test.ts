import { describe, expect, it } from 'vitest';
import { isCells, withPasted } from './matrix-paste.ts';

const rate = (unitPrice: string, ...values: string[]) => ({ values, unitPrice, agreed: '' });
const matrix = { dimensions: ['region', 'size'], rates: [rate('', '', '')] };

describe('R-CAT-05 rates pasted from a spreadsheet', () => {
  it('are rows, from the cell on in which one pastes', () =>
    expect(
      withPasted({ ...matrix, rates: [rate('9', 'a', 'b')] }, 'tpe\tm\t1.2\r\nkhh\tl\t2\r\n', 1, 500),
    ).toEqual({ ...matrix, rates: [rate('9', 'a', 'b'), rate('1.2', 'tpe', 'm'), rate('2', 'khh', 'l')] }));
  it('bring the names of their columns', () =>
    expect(withPasted(matrix, 'zone\ttier\tprice\nx\ty\t3', 0, 500)).toEqual({
      dimensions: ['zone', 'tier'],
      rates: [rate('3', 'x', 'y')],
    }));
  it('add columns that the matrix does not have', () =>
    expect(withPasted(matrix, 'a\tb\tc\t1\n', 0, 500)).toEqual({
      dimensions: ['region', 'size', ''],
      rates: [rate('1', 'a', 'b', 'c')],
    }));
  it('fill the prices when they are one column', () =>
    expect(
      withPasted({ ...matrix, rates: [rate('', 'a', 'b'), rate('', 'c', 'd')] }, '1\n2\n3', 0, 500).rates,
    ).toEqual([rate('1', 'a', 'b'), rate('2', 'c', 'd'), rate('3', '', '')]));
  it('are read without signs and commas, and not beyond the most', () =>
    expect(withPasted(matrix, 'tpe\tm\tNT$ 1,200.5\nkhh\tm\t1', 0, 1).rates).toEqual([
      rate('1200.5', 'tpe', 'm'),
    ]));
  it.each([
    ['tpe\t1', true],
    ['1\n2', true],
    ['tpe', false],
    ['tpe\n', false],
  ])('%j is cells: %s', (text, expected) => expect(isCells(text)).toBe(expected));
});
