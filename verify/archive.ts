// Reads zip archives of any length by their directory, in plain Node: the checker shares no code with what writes them.
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

export type ArchivedFile = {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
};

const damaged = (why: string): Error => new Error(`the archive is damaged or cut short: ${why}`);

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0 || length < 0) throw damaged('a place outside of it');
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead !== length) throw damaged('it ends too early');
  return bytes;
}

/** Where the directory is, how long, and of how many files. */
async function directoryOf(file: FileHandle): Promise<{ offset: number; length: number; count: number }> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, 22 + 65_535);
  const tail = await bytesAt(file, size - tailLength, tailLength);
  const at = tail.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (at < 0 || at + 22 > tail.length) throw damaged('it has no end');
  const plain = {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  if (plain.count !== 0xffff && plain.length !== 0xffff_ffff && plain.offset !== 0xffff_ffff) return plain;
  const locator = await bytesAt(file, size - tailLength + at - 20, 20);
  if (locator.readUInt32LE(0) !== 0x0706_4b50) return plain;
  const end = await bytesAt(file, Number(locator.readBigUInt64LE(8)), 56);
  if (end.readUInt32LE(0) !== 0x0606_4b50) throw damaged('its long end is not where it should be');
  return {
    count: Number(end.readBigUInt64LE(32)),
    length: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

/** A place that did not fit into 32 bits stands in a field of its own. */
function farOffset(extra: Buffer, offset: number): number {
  if (offset !== 0xffff_ffff) return offset;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    // Sizes stay below 4 GiB here, so the field holds the place alone.
    if (extra.readUInt16LE(at) === 1) return Number(extra.readBigUInt64LE(at + 4));
  }
  throw damaged('a place is missing');
}

async function filesOf(file: FileHandle): Promise<ArchivedFile[]> {
  const { offset, length, count } = await directoryOf(file);
  const directory = await bytesAt(file, offset, length);
  const found: ArchivedFile[] = [];
  for (let at = 0; at < directory.length;) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x0201_4b50)
      throw damaged('its directory cannot be read');
    const [nameLength, extraLength, noteLength] = [
      directory.readUInt16LE(at + 28),
      directory.readUInt16LE(at + 30),
      directory.readUInt16LE(at + 32),
    ];
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    found.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: farOffset(extra, directory.readUInt32LE(at + 42)),
    });
    at += 46 + nameLength + extraLength + noteLength;
  }
  if (found.length !== count) throw damaged(`its directory names ${found.length} of ${count} files`);
  return found;
}

/** An archive whose files can be read one by one; close it at the end. */
export type Archive = {
  readonly files: readonly ArchivedFile[];
  readonly read: (file: ArchivedFile) => Promise<Readable>;
  readonly close: () => Promise<void>;
};

/** Opens an archive. Throws when it is none, or cut short. */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path);
  try {
    return {
      files: await filesOf(file),
      read: (one) => contentOf(path, file, one),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function contentOf(
  path: string,
  file: FileHandle,
  { method, offset, packed, name }: ArchivedFile,
): Promise<Readable> {
  const header = await bytesAt(file, offset, 30);
  if (header.readUInt32LE(0) !== 0x0403_4b50) throw damaged(`${name} is not where it should be`);
  if (method !== 0 && method !== 8) throw damaged(`${name} is packed in an unknown way`);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const unpacked = method === 0 ? new PassThrough() : createInflateRaw();
  if (packed === 0) return unpacked.end();
  // What fails on the way fails for who reads the unpacked stream.
  return pipeline(createReadStream(path, { start, end: start + packed - 1 }), unpacked, () => undefined);
}
