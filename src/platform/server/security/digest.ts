// Digests of texts.
import { hash } from 'node:crypto';

/** The SHA-256 of a text, 32 bytes. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
