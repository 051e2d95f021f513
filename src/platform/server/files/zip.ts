// Zip archives made while they are sent: each entry is packed as it is asked for, and nothing is kept but its size.
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of the archive: text that is taken piece by piece and packed, or bytes that are there and stored as they are. */
export type ZipEntry = {
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string> | Uint8Array;
};

type Packed = {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
};

// Names are UTF-8 (bit 11); sizes and checksum of what is packed while it is sent follow the data (bit 3).
const utf8Names = 0x0800;
const sizesFollow = 0x0808;
const [stored, deflated] = [0, 8];
const versionNeeded = 20;
// From here on a place or count stands in a 64-bit field of its own, and this says so.
const version64 = 45;
const largest = 0xffff_ffff;
const mostEntries = 0xffff;
// 1980-01-01, the format's first day: an archive of the same table is the same archive.
const noDay = 0x0021;

/**
 * The archive's bytes. Who stops reading stops the entries' sources as well. It may be of any length and hold any number of
 * files; a single one of 4 GiB or more is refused.
 */
export async function* zipOf(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer, void, void> {
  const done: Packed[] = [];
  let offset = 0;
  for await (const { name: text, content } of entries) {
    const name = Buffer.from(text, 'utf8');
    if (content instanceof Uint8Array) {
      mustFit(content.length, text);
      const entry: Packed = {
        name,
        flags: utf8Names,
        method: stored,
        offset,
        crc: crc32(content),
        packed: content.length,
        size: content.length,
      };
      const header = localHeader(entry);
      yield header;
      yield Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      done.push(entry);
      offset += header.length + content.length;
      continue;
    }
    const header = localHeader({
      name,
      flags: sizesFollow,
      method: deflated,
      offset,
      crc: 0,
      packed: 0,
      size: 0,
    });
    yield header;
    const sums = { crc: 0, size: 0 };
    let packed = 0;
    for await (const chunk of deflate(content, sums)) {
      packed += chunk.length;
      mustFit(Math.max(packed, sums.size), text);
      yield chunk;
    }
    yield descriptor(sums.crc, packed, sums.size);
    done.push({ name, flags: sizesFollow, method: deflated, offset, crc: sums.crc, packed, size: sums.size });
    offset += header.length + packed + descriptorLength;
  }
  let length = 0;
  for (const entry of done) {
    const bytes = directoryEntry(entry);
    length += bytes.length;
    yield bytes;
  }
  yield directoryEnd(done.length, length, offset);
}

function mustFit(size: number, name: string): void {
  if (size > largest) throw new Error(`${name} is too long for an archive: a file of it has less than 4 GiB`);
}

/** The text packed; its checksum and length go into `sums`. */
function deflate(
  content: Exclude<ZipEntry['content'], Uint8Array>,
  sums: { crc: number; size: number },
): AsyncIterable<Buffer> {
  async function* bytes(): AsyncGenerator<Buffer, void, void> {
    for await (const text of content) {
      const piece = Buffer.from(text, 'utf8');
      sums.crc = crc32(piece, sums.crc);
      sums.size += piece.length;
      yield piece;
    }
  }
  // A failure of the source ends the packed stream with it, whose reader then throws: there is nobody else to tell.
  return pipeline(
    Readable.from(bytes(), { objectMode: false, highWaterMark: 16_384 }),
    createDeflateRaw(),
    () => undefined,
  );
}

function localHeader({ name, flags, method, crc, packed, size }: Packed): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(versionNeeded, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(noDay, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(size, 22);
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

function directoryEntry({ name, flags, method, offset, crc, packed, size }: Packed): Buffer {
  // Far into a long archive the place stands in a field of 64 bits.
  const far = Buffer.alloc(offset < largest ? 0 : 12);
  if (far.length > 0) {
    far.writeUInt16LE(1, 0);
    far.writeUInt16LE(8, 2);
    far.writeBigUInt64LE(BigInt(offset), 4);
  }
  const version = far.length > 0 ? version64 : versionNeeded;
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt16LE(noDay, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(far.length, 30);
  entry.writeUInt32LE(Math.min(offset, largest), 42);
  return Buffer.concat([entry, name, far]);
}

function directoryEnd(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, mostEntries), 8);
  end.writeUInt16LE(Math.min(count, mostEntries), 10);
  end.writeUInt32LE(Math.min(length, largest), 12);
  end.writeUInt32LE(Math.min(offset, largest), 16);
  return count < mostEntries && length < largest && offset < largest
    ? end
    : Buffer.concat([directoryEnd64(count, length, offset), end]);
}

/** What the end of the directory cannot say in its own fields, and where that stands. */
function directoryEnd64(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(version64, 12);
  end.writeUInt16LE(version64, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
