// Files of an archive whose lengths and SHA-256 its manifest lists: the digest of a text is taken while it is read.
import { createHash } from 'node:crypto';
import type { ZipEntry } from './zip.ts';

/** A file as a manifest lists it; `size` in bytes. */
export type ManifestEntry = { readonly name: string; readonly size: number; readonly sha256: string };

/** Adds the bytes to the list, and answers them as a file of the archive. */
export function listedBytes(entries: ManifestEntry[], name: string, content: Uint8Array): ZipEntry {
  entries.push({ name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') });
  return { name, content };
}

/** A text that is added to the list when it has been read to its end. */
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
