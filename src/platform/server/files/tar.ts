// The tar format (POSIX ustar) as far as it takes to keep named pieces in one stream that any tar program opens.

/** A named piece of a stream. Names are ASCII, at most 100 characters. */
export type TarEntry = { readonly name: string; readonly content: Uint8Array };

/** A stream that is no tar archive, or not a whole one. */
export class NotTar extends Error {
  override readonly name = 'NotTar';
}

const block = 512;
const allowedName = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i;
/** No piece is longer, so no header can ask for more memory than this. */
export const mostPieceBytes = 64 * 1024 * 1024;

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
const padded = (bytes: number): number => Math.ceil(bytes / block) * block;
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 32 : byte), 0);

function headerOf(name: string, size: number): Buffer {
  if (!allowedName.test(name) || name.length > 100 || size > mostPieceBytes)
    throw new Error(`no piece of an archive can be ${name} of ${size} bytes`);
  const header = Buffer.alloc(block);
  header.write(name, 0, 'latin1');
  header.write(
    `${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(0, 12)}`,
    100,
    'latin1',
  );
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** The archive's bytes. All entries are of 1970 and readable by their owner only: equal content makes equal bytes. */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer, void, void> {
  for await (const { name, content } of entries) {
    yield headerOf(name, content.length);
    yield Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (content.length % block !== 0) yield Buffer.alloc(padded(content.length) - content.length);
  }
  yield Buffer.alloc(2 * block);
}

/** Reads an archive that {@link tarOf} made: plain files only. Throws {@link NotTar} at anything else, also when its end is missing. */
export async function* entriesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void, void> {
  const source = new Blocks(bytes);
  for (;;) {
    const header = await source.take(block);
    if (header.every((byte) => byte === 0)) {
      await source.end();
      return;
    }
    const field = (from: number, to: number): string =>
      header.toString('latin1', from, to).replace(/[\0 ].*$/s, '');
    const size = Number.parseInt(field(124, 136), 8);
    const name = field(0, 100);
    const isOurs =
      field(257, 263) === 'ustar' &&
      header[156] === 48 &&
      Number.parseInt(field(148, 156), 8) === sumOf(header);
    if (!isOurs || !(size >= 0 && size <= mostPieceBytes) || !allowedName.test(name) || name.includes('..'))
      throw new NotTar('a header of the archive cannot be read');
    const content = await source.take(padded(size));
    yield { name, content: content.subarray(0, size) };
  }
}

/** Bytes taken by number, whatever pieces they come in. */
class Blocks {
  readonly #source: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#length < bytes) {
      const next = await this.#source.next();
      if (next.done) throw new NotTar('the archive ends in the middle');
      this.#waiting.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
      this.#length += next.value.byteLength;
    }
    const all =
      this.#waiting.length === 1 ? (this.#waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#waiting);
    this.#waiting = all.length > bytes ? [all.subarray(bytes)] : [];
    this.#length = all.length - bytes;
    return all.subarray(0, bytes);
  }

  /** The second block of zeros, and nothing after it: reading to the end also proves what encloses the archive. */
  async end(): Promise<void> {
    if (!(await this.take(block)).every((byte) => byte === 0)) throw new NotTar('the archive has no end');
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      if (next.value.byteLength > 0) throw new NotTar('something follows the archive');
    }
    if (this.#length > 0) throw new NotTar('something follows the archive');
  }
}
