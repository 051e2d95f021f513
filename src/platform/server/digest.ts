// Digests of texts.
import { createHash } from 'node:crypto';

/** The SHA-256 of a text, 32 bytes. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
