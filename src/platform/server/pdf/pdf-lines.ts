// Cuts a text into lines of a width.
import type { Face } from './pdf-fonts.ts';
import { lineParts } from './pdf-line-breaks.ts';

// Layout counts in numbers of 24 bits: what fitted when it was measured must fit when it is drawn.
const tolerance = 0.01;

/** A paragraph's lines: as many words as fit, broken at the end of a line where a reader expects it, and anywhere when a part alone is too wide. */
function linesOf(paragraph: string, widthOf: (text: string) => number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const put = (part: string, gap: string): boolean => {
    const more = widthOf(gap) + widthOf(part);
    if (used + more > width) return false;
    line += gap + part;
    used += more;
    return true;
  };
  const end = (): void => {
    if (line !== '') lines.push(line);
    [line, used] = ['', 0];
  };
  for (const word of paragraph.split(' ')) {
    const gap = line === '' ? '' : ' ';
    if (put(word, gap)) continue;
    lineParts(word).forEach((part, index) => {
      if (put(part, index === 0 ? gap : '')) return;
      end();
      if (put(part, '')) return;
      for (const character of part) {
        if (put(character, '')) continue;
        end();
        if (put(character, '')) continue;
        // Not one sign fits: it stands alone, and over the edge.
        lines.push(character);
      }
    });
  }
  end();
  return lines.length === 0 ? [''] : lines;
}

/** A text's lines in a face and size (points), none wider than `width` points where that can be. A line feed begins a new one. */
export function textLines(text: string, face: Face, size: number, width: number): readonly string[] {
  const most = (width + tolerance) / size;
  return text
    .split('\n')
    .flatMap((paragraph) =>
      face.widthOf(paragraph) <= most ? [paragraph] : linesOf(paragraph, face.widthOf, most),
    );
}
