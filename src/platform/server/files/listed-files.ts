// Archive files whose size and SHA-256 are listed in a manifest; the digest of a text is computed while it is
// streamed.
import { createHash } from 'node:crypto';
import type { ZipEntry } from './zip.ts';

/** A file as listed in a manifest; `size` in bytes. */
export type ManifestEntry = { readonly name: string; readonly size: number; readonly sha256: string };

/** Adds a file of bytes to the manifest and returns its archive entry. */
export function listedBytes(entries: ManifestEntry[], name: string, content: Uint8Array): ZipEntry {
  entries.push({ name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') });
  return { name, content };
}

/** Returns the archive entry of a text, which is added to the manifest once it has been read to its end. */
export function listedText(
  entries: ManifestEntry[],
  name: string,
  content: Iterable<string> | AsyncIterable<string>,
): ZipEntry {
  async function* digested(): AsyncGenerator<string, void, void> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const text of content) {
      hash.update(text, 'utf8');
      size += Buffer.byteLength(text, 'utf8');
      yield text;
    }
    entries.push({ name, size, sha256: hash.digest('hex') });
  }
  return { name, content: digested() };
}
