// Zip archives made while they are sent: each entry is packed as it is asked for, and nothing is kept but its size.
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { must } from '#kernel/must.ts';

/** A file of the archive; its text is taken piece by piece. */
export type ZipEntry = { readonly name: string; readonly content: Iterable<string> | AsyncIterable<string> };

type Packed = { readonly name: Buffer; readonly offset: number; readonly crc: number; readonly packed: number; readonly size: number };

// Sizes and checksum follow the data (bit 3), names are UTF-8 (bit 11).
const flags = 0x0808;
const deflated = 8;
const versionNeeded = 20;
const largest = 0xffff_ffff;
// 1980-01-01, the format's first day: an archive of the same table is the same archive.
const noDay = 0x0021;

/** The archive's bytes. Who stops reading stops the entries' sources as well. */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Buffer, void, void> {
  const done: Packed[] = [];
  let offset = 0;
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text, 'utf8');
    const header = localHeader(name);
    yield header;
    const sums = { crc: 0, size: 0 };
    let packed = 0;
    for await (const chunk of deflate(content, sums)) {
      packed += chunk.length;
      yield chunk;
    }
    must(sums.size <= largest && offset <= largest, 'an archive without 64-bit sizes');
    yield descriptor(sums.crc, packed, sums.size);
    done.push({ name, offset, crc: sums.crc, packed, size: sums.size });
    offset += header.length + packed + descriptorLength;
  }
  const directory = Buffer.concat(done.map(directoryEntry));
  yield Buffer.concat([directory, directoryEnd(done.length, directory.length, offset)]);
}

/** The text packed; its checksum and length go into `sums`. */
function deflate(content: ZipEntry['content'], sums: { crc: number; size: number }): AsyncIterable<Buffer> {
  async function* bytes(): AsyncGenerator<Buffer, void, void> {
    for await (const text of content) {
      const piece = Buffer.from(text, 'utf8');
      sums.crc = crc32(piece, sums.crc);
      sums.size += piece.length;
      yield piece;
    }
  }
  // A failure of the source ends the packed stream with it, whose reader then throws: there is nobody else to tell.
  return pipeline(Readable.from(bytes(), { objectMode: false, highWaterMark: 16_384 }), createDeflateRaw(), () => undefined);
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(versionNeeded, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(deflated, 8);
  header.writeUInt16LE(noDay, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

const descriptorLength = 16;
function descriptor(crc: number, packed: number, size: number): Buffer {
  const bytes = Buffer.alloc(descriptorLength);
  bytes.writeUInt32LE(0x0807_4b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryEntry({ name, offset, crc, packed, size }: Packed): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(versionNeeded, 4);
  entry.writeUInt16LE(versionNeeded, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflated, 10);
  entry.writeUInt16LE(noDay, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function directoryEnd(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
