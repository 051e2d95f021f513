import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitness, fitting, fold } from './match.ts';

describe('command palette: matching of input', () => {
  it.each([
    ['ＢＩＬＬ', 'bill'],
    ['Ｂｉｌｌ　１２', 'bill 12'],
    ['Café', 'cafe'],
    ['  a   b ', 'a b'],
    ['ﾃﾞｰﾀ', fold('データ')],
    ['帳單', '帳單'],
  ])('%s is the same as %s', (typed, same) => {
    expect(fold(typed)).toBe(same);
  });

  it.each([
    ['bill', ['帳單查詢', 'Bills'], true],
    ['帳單', ['帳單查詢', 'Bills'], true],
    ['單查', ['帳單查詢', 'Bills'], true],
    ['log aud', ['稽核紀錄', 'Audit log'], true],
    ['audit-l', ['稽核紀錄', '/admin/audit-log'], true],
    ['bill zebra', ['Bills'], false],
    ['.*', ['Bills'], false],
    ['(', ['Bills (own)'], true],
  ])('%s finds %j: %s', (typed, names, isFound) => {
    expect(fitness(typed, names) > 0).toBe(isFound);
  });

  it('ranks prefixes before other matches, and the displayed name before others', () => {
    const entries = [
      { names: ['Rebilling'] },
      { names: ['用量', 'Billing'] },
      { names: ['My billing'] },
      { names: ['Billing'] },
    ];
    expect(
      fitting('bill', entries).map(({ names }) => (names.at(-1) === names[0] ? names[0] : names.join(' '))),
    ).toEqual(['Billing', '用量 Billing', 'My billing', 'Rebilling']);
    expect(fitting(' ', entries)).toBe(entries);
  });

  it('never fails, and finds every name by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        fc.pre(fold(name) !== '');
        expect(fitness(name, ['else', name])).toBeGreaterThan(0);
      }),
    );
  });
});
