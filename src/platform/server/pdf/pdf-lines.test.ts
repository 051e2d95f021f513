// Texts in lines: nothing is lost, nothing stands over the edge.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faces } from './pdf-fonts.ts';
import { textLines } from './pdf-lines.ts';

const size = 10;
const at = (text: string, width: number): readonly string[] => textLines(text, faces.regular, size, width);

test.each([
  ['物件儲存與資料庫', 45, ['物件儲存', '與資料庫']],
  ['用量，配額', 21, ['用', '量，', '配額']],
  ['Object Storage', 45, ['Object', 'Storage']],
  ['一\n\n二', 100, ['一', '', '二']],
  ['虛擬主機 M', 1000, ['虛擬主機 M']],
  ['', 100, ['']],
])('%j in %d points', (text, width, lines) => {
  expect(at(text, width)).toEqual(lines);
});

test('the whole text stands in its lines, and only a sign that is wider than a line stands over the edge', () => {
  const texts = fc
    .array(
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...Array.from('中文，。（）AVWij')), maxLength: 30 }),
        fc.constantFrom('\n', ' '),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('').replaceAll(/ +/g, ' '));
  fc.assert(
    fc.property(texts, fc.double({ min: 4, max: 200, noNaN: true }), (text, width) => {
      const lines = at(text, width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(/\s/g, ''));
      // A tenth of a point: signs are nearer to each other, or further apart, than when they stand alone.
      for (const line of lines)
        if ([...line.trim()].length > 1)
          expect(faces.regular.widthOf(line) * size).toBeLessThanOrEqual(width + 0.1 * [...line].length);
    }),
  );
});

test('what was asked before answers the same', () => {
  const [word] = [faces.bold.widthOf('NT$1,234 AVATAR')];
  for (let index = 0; index < 3; index++)
    faces.bold.font.layout('NT$1,234 ').positions.forEach((position) => {
      position.xAdvance = 0;
    });
  expect(faces.bold.widthOf('NT$1,234 AVATAR')).toBe(word);
  expect(faces.bold.font.layout('NT$1,234 ').advanceWidth).toBeGreaterThan(0);
});
