// Reads a zip archive, independent of the code that writes them.
import { inflateRawSync } from 'node:zlib';

/** The files of an archive, by its central directory. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  let place = archive.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, nameLength, offset] = [
      archive.readUInt16LE(place + 10),
      archive.readUInt32LE(place + 20),
      archive.readUInt16LE(place + 28),
      archive.readUInt32LE(place + 42),
    ];
    const data = archive.subarray(offset + 30 + nameLength, offset + 30 + nameLength + packed);
    files.set(
      archive.toString('utf8', place + 46, place + 46 + nameLength),
      method === 0 ? data : inflateRawSync(data),
    );
    place += 46 + nameLength;
  }
  return files;
}
