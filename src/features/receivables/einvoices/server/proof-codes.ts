// The bar code and the two QR codes of a proof, as drawings: libraries compute their modules, and we draw the
// rectangles.
import { createCipheriv } from 'node:crypto';
import { encode } from 'uqr';
import type { PdfDrawing } from '#platform/server/pdf/pdf-document.ts';
import { qrVersion } from '../rules-codes.ts';

/**
 * The initialization vector that the Ministry prescribes for every seller (「電子發票證明聯一維及二維條碼規格說明」 1.9, chapter
 * 伍, source code).
 */
const verificationVector = Buffer.from('Dt8lyToo17X/XkXaQvihuA==', 'base64');
/** Replaces the verification if the seller has no key; the codes remain readable. */
const noVerification = '0'.repeat(24);

/**
 * 加密驗證資訊: number and random code, encrypted by AES-128-CBC with the key of 32 hexadecimal digits from the
 * Ministry's tool; 24 characters of Base64. Without a key, 24 zeros.
 */
export function proofVerification(number: string, randomCode: string, qrKey: string | null): string {
  if (qrKey === null) return noVerification;
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(qrKey, 'hex'), verificationVector);
  return cipher.update(number + randomCode, 'utf8', 'base64') + cipher.final('base64');
}

const black = '#000000';

/**
 * Draws a Code 39 bar code, `width` by `height` points: alternating dark and light bars, narrow or three
 * times as wide.
 */
export async function code39Drawing(text: string, width: number, height: number): Promise<PdfDrawing> {
  // The library takes 19 MB of memory, so it is loaded by the first proof.
  const { default: bwip } = await import('bwip-js/node');
  const [raw] = bwip.raw({ bcid: 'code39', text });
  if (raw === undefined || !('sbs' in raw)) throw new Error('a bar code has bars');
  const modules = raw.sbs.reduce((sum, bar) => sum + bar, 0);
  // Drawings keep their proportions, so the height is in modules, too.
  const high = Number(((modules * height) / width).toFixed(3));
  let place = 0;
  let d = '';
  raw.sbs.forEach((bar, index) => {
    if (index % 2 === 0) d += `M${place} 0h${bar}v${high}h-${bar}z`;
    place += bar;
  });
  return {
    kind: 'drawing',
    style: { width, height },
    viewBox: [modules, high],
    paths: [{ d, fill: black }],
  };
}

/**
 * Draws a QR code of version 6 and level L, `size` points wide: each row's runs of dark modules become
 * rectangles. Passes bytes rather than text, so that everything is in byte mode: in mixed modes a text can
 * need more room than its bytes. Throws for more bytes than it can hold.
 */
export function qrDrawing(text: string, size: number): PdfDrawing {
  const { data, size: modules } = encode([...Buffer.from(text, 'utf8')], {
    ecc: 'L',
    boostEcc: false,
    minVersion: qrVersion,
    maxVersion: qrVersion,
    border: 0,
  });
  let d = '';
  data.forEach((row, y) => {
    for (let x = 0; x < modules; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      d += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`;
    }
  });
  return {
    kind: 'drawing',
    style: { width: size, height: size },
    viewBox: [modules, modules],
    paths: [{ d, fill: black }],
  };
}
