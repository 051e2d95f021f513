// Digests of texts.
import { hash } from 'node:crypto';

/** Sixteen hexadecimal digits that identify a text, such as a plan that somebody has reviewed. */
export const shortDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 16);

/** The SHA-256 of a text, 32 bytes. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
