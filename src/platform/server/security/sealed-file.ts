// Files that are compressed (zstd) and encrypted in the age format (https://age-encryption.org/v1): readable
// only with the key, and only unmodified.
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { syncFolder } from '../database/embedded/sync-folder.ts';

/** An encrypted file that cannot be read, with this key or at all. The message says which, and what to do. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** A new key (`AGE-SECRET-KEY-1…`). */
export const newIdentity = (): Promise<string> => generateX25519Identity();
/** The public key (`age1…`) that belongs to a private key. Throws when the text is no key. */
export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity);

/** The extension of a file that is being written; a leftover one of a process that ended may be deleted. */
export const draftEnding = '.draft';

/**
 * Writes a file completely (readable by its owner only, flushed to disk) or not at all, and returns its
 * length. Each of `recipients` can decrypt it. A failure or an abort leaves no file.
 */
export async function writeSealed(
  path: string,
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const draft = `${path}.${randomBytes(4).toString('hex')}${draftEnding}`;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const packed = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    const sealed = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      yield* await encrypter.encrypt(ReadableStream.from(source));
    };
    await pipeline(
      Readable.from(content, { objectMode: false }),
      packed,
      sealed,
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  return (await stat(path)).size;
}

/**
 * The decrypted content, in pieces; each piece is authenticated. Throws {@link SealBroken}, at the latest at
 * the end when that is missing.
 */
export async function* readSealed(path: string, identity: string): AsyncGenerator<Uint8Array, void, void> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (cause) {
    throw new SealBroken('This is no recovery key: it begins with AGE-SECRET-KEY-1 and is one line.', {
      cause,
    });
  }
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  // Wait until the file is open: the error of a missing file would otherwise be emitted before anything
  // listens for it.
  await new Promise((opened, failed) => file.once('open', opened).once('error', failed));
  try {
    const plain = await decrypter.decrypt(ReadableStream.from<Uint8Array>(file));
    const unpacked = createZstdDecompress();
    pipe(Readable.fromWeb(plain), unpacked, () => undefined);
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw asSealBroken(cause);
  } finally {
    file.destroy();
  }
}

function asSealBroken(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if ('code' in cause && cause.code === 'EIO') return cause;
  if (cause.message.includes('no identity matched'))
    return new SealBroken('The file is sealed for another recovery key, or its first bytes were changed.', {
      cause,
    });
  return new SealBroken(
    `The file is not as it was written (${cause.message}). Take another copy of it, or another backup.`,
    { cause },
  );
}
