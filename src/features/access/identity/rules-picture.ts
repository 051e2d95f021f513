// Reads the type and size of an uploaded picture from its first bytes, before anything is decoded
// (reliability.md 2.E-82, 83).

import type { pictureTypes } from './contract.ts';

export type PictureHead = {
  readonly type: (typeof pictureTypes)[number];
  readonly width: number;
  readonly height: number;
};

/**
 * Returns type and size in pixels; undefined for anything that is not PNG, JPEG or WebP, or too broken to
 * have a size.
 */
export function pictureHead(bytes: Uint8Array): PictureHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = pngHead(view) ?? webpHead(view) ?? jpegHead(view);
  return head && head.width > 0 && head.height > 0 ? head : undefined;
}

const hasText = (view: DataView, at: number, text: string): boolean =>
  view.byteLength >= at + text.length &&
  [...text].every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0));

// PNG (ISO 15948) 5.2, 11.2.2: the signature, then the chunk IHDR with width and height.
function pngHead(view: DataView): PictureHead | undefined {
  const pngHeadBytes = 33;
  if (
    view.byteLength < pngHeadBytes ||
    !hasText(view, 0, '\u0089PNG\r\n\u001a\n') ||
    !hasText(view, 12, 'IHDR')
  )
    return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

// WebP (RFC 9649) 2.4 to 2.7: lossy, lossless, extended.
function webpHead(view: DataView): PictureHead | undefined {
  const webpHeadBytes = 30;
  if (view.byteLength < webpHeadBytes || !hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP'))
    return undefined;
  const size = (width: number, height: number): PictureHead => ({ type: 'image/webp', width, height });
  if (hasText(view, 12, 'VP8X'))
    return size(1 + (view.getUint32(23, true) >>> 8), 1 + (view.getUint32(26, true) >>> 8));
  if (hasText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return size(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
  }
  return hasText(view, 12, 'VP8 ') && hasText(view, 23, '\u009d\u0001*')
    ? size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    : undefined;
}

// JPEG (ITU-T T.81) B.1, B.2.2: segments by their lengths, up to the first frame header (SOF, but not DHT, JPG, DAC).
function jpegHead(view: DataView): PictureHead | undefined {
  if (!hasText(view, 0, '\u00ff\u00d8\u00ff')) return undefined;
  const frameBytes = 9;
  for (let at = 2; at + frameBytes <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Fill bytes are allowed before any marker.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // The scan starts before any frame header: invalid.
    else if (marker === 0xda || view.getUint16(at + 2) < 2) return undefined;
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
