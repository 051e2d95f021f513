// Lines break where readers of Chinese and of Latin text expect it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineParts } from './pdf-line-breaks.ts';

const shown = (word: string): string => lineParts(word).join('|');

test.each([
  ['物件儲存', '物|件|儲|存'],
  ['用量，配額。', '用|量，|配|額。'],
  ['（含稅）總額', '（含|稅）|總|額'],
  ['「服務」、', '「服|務」、'],
  ['虛擬主機M（2', '虛|擬|主|機|M|（2'],
  ['PostgreSQL', 'PostgreSQL'],
  ['NT$1,234', 'NT$1,234'],
  ['未稅NT$1,234', '未|稅|NT$1,234'],
  ['/gateways/tpe-1/storage-nodes/17', '/|gateways/|tpe-|1/|storage-|nodes/|17'],
  ['0123456789012345678901234567890123456789', '01234567890123456789|01234567890123456789'],
  ['𠮷野家', '𠮷|野|家'],
  ['', ''],
])('%s breaks as %s', (word, breaks) => {
  expect(shown(word)).toBe(breaks);
});

const words = fc.string({
  unit: fc.constantFrom(...Array.from('中文字，。（）「」、abcXYZ019/_-.$%𠮷')),
  maxLength: 60,
});

test('the parts of any text add up to it', () => {
  fc.assert(
    fc.property(fc.oneof(words, fc.string({ unit: 'grapheme' })), (word) => {
      expect(lineParts(word).join('')).toBe(word);
    }),
  );
});

test('no line begins with a closing sign or ends with an opening one, unless a word is longer than a line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('中文，。（）「」、ab1')), maxLength: 19 }),
      (word) => {
        const parts = lineParts(word);
        for (const part of parts.slice(1)) expect(part).not.toMatch(/^[，。）」、]/);
        for (const part of parts.slice(0, -1)) expect(part).not.toMatch(/[（「]$/);
      },
    ),
  );
});
