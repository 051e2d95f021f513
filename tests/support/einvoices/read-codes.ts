// Reads the codes on a proof from their drawings, independent of the library that makes them: Code 39
// (ISO/IEC 16388) and QR codes of version 6 with level L (ISO/IEC 18004). Drawings contain no errors, so none
// are corrected.
import type { PdfDrawing } from '#platform/server/pdf/pdf-document.ts';

type Rectangle = { x: number; y: number; width: number };

/** The rectangles of a drawing's only path: `M<x> <y>h<width>v<height>h-<width>z`. Throws for anything else. */
function rectanglesOf({ paths }: PdfDrawing): Rectangle[] {
  const d = paths.map((path) => path.d).join('');
  const shape = /M(\d+) (\d+)h(\d+)v([\d.]+)h-\3z/g;
  if (d.replaceAll(shape, '') !== '') throw new Error('the drawing has other shapes than rectangles');
  return [...d.matchAll(shape)].map(([, x, y, width]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
  }));
}

const code39Signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. *';
/** For each character, which of its nine elements are wide. */
const code39Patterns = (
  '000110100 100100001 001100001 101100000 000110001 100110000 001110000 000100101 100100100 001100100 ' +
  '100001001 001001001 101001000 000011001 100011000 001011000 000001101 100001100 001001100 000011100 ' +
  '100000011 001000011 101000010 000010011 100010010 001010010 000000111 100000110 001000110 000010110 ' +
  '110000001 011000001 111000000 010010001 110010000 011010000 010000101 110000100 011000100 010010100'
).split(' ');

/** The text of a Code 39 barcode, without its start and stop characters. */
export function readCode39(drawing: PdfDrawing): string {
  const bars = rectanglesOf(drawing);
  const elements = bars.flatMap(({ x, width }, index) => {
    const next = bars[index + 1];
    return next === undefined ? [width] : [width, next.x - x - width];
  });
  let text = '';
  for (let start = 0; start < elements.length; start += 10) {
    const pattern = elements
      .slice(start, start + 9)
      .map((element) => (element > 1 ? '1' : '0'))
      .join('');
    text += code39Signs[code39Patterns.indexOf(pattern)] ?? '?';
  }
  if (!/^\*[^*?]+\*$/.test(text)) throw new Error(`no Code 39: ${text}`);
  return text.slice(1, -1);
}

const size = 41;
const isFixed = (x: number, y: number): boolean =>
  (x < 9 && y < 9) ||
  (x >= size - 8 && y < 9) ||
  (x < 9 && y >= size - 8) ||
  x === 6 ||
  y === 6 ||
  (Math.abs(x - 34) <= 2 && Math.abs(y - 34) <= 2);
const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The bits in reading order: two-column strips from the right, alternately up and down, with the mask removed. */
function bitsOf(dark: readonly boolean[]): string {
  const at = (x: number, y: number): boolean => dark[y * size + x] === true;
  const format = Number.parseInt([0, 1, 2, 3, 4].map((x) => (at(x, 8) ? '1' : '0')).join(''), 2) ^ 0b10101;
  if (format >> 3 !== 0b01) throw new Error('the level is not L');
  const mask = masks[format & 7];
  let bits = '';
  let goesUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = goesUp ? size - 1 - step : step;
        if (!isFixed(x, y)) bits += at(x, y) !== mask?.(y, x) ? '1' : '0';
      }
    goesUp = !goesUp;
  }
  return bits;
}

const dataBytes = 136;
const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** The text of a version 6-L QR code, in any mixture of numeric, alphanumeric and byte mode. */
export function readQr(drawing: PdfDrawing): string {
  if (drawing.viewBox[0] !== size || drawing.viewBox[1] !== size) throw new Error('the version is not 6');
  const dark: boolean[] = [];
  for (const { x, y, width } of rectanglesOf(drawing))
    for (let each = x; each < x + width; each++) dark[y * size + each] = true;
  const words = bitsOf(dark).match(/.{8}/g) ?? [];
  // Two blocks of 68 bytes are interleaved.
  const data = words.slice(0, dataBytes);
  let rest = [0, 1].flatMap((block) => data.filter((_word, index) => index % 2 === block)).join('');
  const take = (count: number): number => {
    const value = Number.parseInt(rest.slice(0, count), 2);
    rest = rest.slice(count);
    return value;
  };
  const bytes: number[] = [];
  const put = (text: string): void => void bytes.push(...Buffer.from(text));
  while (rest.length >= 4) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 4) for (let count = take(8); count > 0; count--) bytes.push(take(8));
    else if (mode === 2) {
      let count = take(9);
      for (; count > 1; count -= 2) {
        const two = take(11);
        put((alphanumeric[Math.floor(two / 45)] ?? '?') + (alphanumeric[two % 45] ?? '?'));
      }
      if (count === 1) put(alphanumeric[take(6)] ?? '?');
    } else if (mode === 1) {
      let count = take(10);
      for (; count > 2; count -= 3) put(String(take(10)).padStart(3, '0'));
      if (count > 0) put(String(take(count === 2 ? 7 : 4)).padStart(count, '0'));
    } else throw new Error(`mode ${mode} is none of digits, capitals and bytes`);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
}
