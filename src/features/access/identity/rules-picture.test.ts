import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureHead } from './rules-picture.ts';

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part,
    ),
  );
const big = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_none, at) => Math.floor(value / 256 ** (count - 1 - at)) % 256);
const little = (value: number, count: number): number[] => big(value, count).toReversed();
const rest = Array.from({ length: 20 }, () => 0);

const png = (width: number, height: number) =>
  bytes('\u0089PNG\r\n\u001a\n', big(13, 4), 'IHDR', big(width, 4), big(height, 4), [8, 6, 0, 0, 0], rest);
const frame = (width: number, height: number, marker = 0xc0): (readonly number[])[] => [
  [0xff, marker],
  big(17, 2),
  [8],
  big(height, 2),
  big(width, 2),
  rest,
];
const jpeg = (...segments: (string | readonly number[])[]) => bytes([0xff, 0xd8], ...segments);
const segment = (marker: number, content: string): (string | readonly number[])[] => [
  [0xff, marker],
  big(content.length + 2, 2),
  content,
];
const webp = (kind: string, ...content: (string | readonly number[])[]) =>
  bytes('RIFF', little(60, 4), 'WEBP', kind, little(40, 4), ...content, rest);

describe('the first bytes of a picture (reliability.md 2.E-82, 83)', () => {
  it.each([
    ['image/png', 300, 200, png(300, 200)],
    ['image/png', 4_294_967_295, 1, png(4_294_967_295, 1)],
    ['image/jpeg', 300, 200, jpeg(...frame(300, 200))],
    [
      'image/jpeg',
      300,
      200,
      jpeg(
        ...segment(
          0xe1,
          'Exif and a thumbnail \u00ff\u00d8\u00ff\u00c0\u0000\u0011\u0008\u0000\u0001\u0000\u0001',
        ),
        [0xff],
        ...segment(0xc4, 'Huffman'),
        ...frame(300, 200, 0xc2),
      ),
    ],
    ['image/webp', 300, 200, webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a], little(300 + 0x4000, 2), little(200, 2))],
    ['image/webp', 16_384, 200, webp('VP8L', [0x2f], little(16_383 + 199 * 0x4000, 4))],
    ['image/webp', 65_537, 200, webp('VP8X', [0, 0, 0, 0], little(65_536, 3), little(199, 3))],
  ] as const)('%s of %i × %i', (type, width, height, file) =>
    expect(pictureHead(file)).toEqual({ type, width, height }),
  );

  it.each<[string, Uint8Array]>([
    ['nothing', bytes()],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML', bytes('<!doctype html><script>alert(1)</script>', rest)],
    ['HTML before a PNG', bytes('<p>', [...png(3, 2)])],
    ['GIF', bytes('GIF89a', little(300, 2), little(200, 2), rest, rest)],
    ['PDF', bytes('%PDF-1.7', rest, rest)],
    ['BMP', bytes('BM', rest, rest)],
    ['AVIF', bytes(big(32, 4), 'ftypavif', rest, rest)],
    ['a PNG without a header', bytes('\u0089PNG\r\n\u001a\n', big(4, 4), 'IDAT', rest, rest)],
    ['a PNG cut off in the header', png(3, 2).subarray(0, 20)],
    ['a PNG without pixels', png(0, 5)],
    ['a JPEG without a frame header', jpeg(...segment(0xe0, 'JFIF'))],
    ['a JPEG whose scan comes first', jpeg([0xff, 0xda], big(8, 2), rest)],
    ['a JPEG with a segment of length zero', jpeg([0xff, 0xe0, 0, 0], ...frame(3, 2))],
    ['other RIFF', bytes('RIFF', little(60, 4), 'WAVE', rest, rest)],
    ['a WebP of an unknown kind', webp('ICCP', rest)],
    ['a lossy WebP without its start code', webp('VP8 ', rest)],
  ])('not a picture: %s', (_what, file) => expect(pictureHead(file)).toBeUndefined());

  it('are checked whatever they are, and however few', () => {
    const beginnings = fc.constantFrom(
      png(3, 2),
      jpeg(...segment(0xe1, 'Exif'), ...frame(3, 2)),
      webp('VP8X', rest),
      webp('VP8 ', rest),
      webp('VP8L', [0x2f], rest),
      jpeg(),
      bytes(),
    );
    fc.assert(
      fc.property(beginnings, fc.nat(80), fc.uint8Array({ maxLength: 60 }), (beginning, cut, more) => {
        const head = pictureHead(Uint8Array.from([...beginning.subarray(0, cut), ...more]));
        expect(head === undefined || Math.min(head.width, head.height) > 0).toBe(true);
      }),
    );
  });
});
