// Files that are compressed (zstd) and encrypted in the age format (https://age-encryption.org/v1): readable
// only with the key, and only if unmodified.
import { pipeline as pipe, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { hasCode } from '../system-error.ts';

/**
 * Loaded on demand: its curves take longer to load than anything else at startup, which encrypts and decrypts
 * nothing.
 */
const age = () => import('age-encryption');

/** An encrypted file that cannot be read, with this key or at all. The message says which, and what to do. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Generates a private key (`AGE-SECRET-KEY-1…`). */
export const newIdentity = async (): Promise<string> => (await age()).generateX25519Identity();
/** The public key (`age1…`) of a private key. Throws when the text is not a private key. */
export const recipientOf = async (identity: string): Promise<string> =>
  (await age()).identityToRecipient(identity);

/** Compresses and encrypts `content`; each of `recipients` (`age1…`) can decrypt it. */
export async function* sealed(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array, void, void> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const packed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  // The consumer of the compressed stream also gets the errors of the content.
  pipe(Readable.from(content, { objectMode: false }), packed, () => undefined);
  yield* await encrypter.encrypt(ReadableStream.from<Uint8Array>(packed));
}

/**
 * Decrypts and decompresses `content`; each chunk is authenticated. Throws {@link SealBroken}; if the end is
 * missing, only once everything else has been read.
 */
export async function* readSealed(
  content: AsyncIterable<Uint8Array>,
  identity: string,
): AsyncGenerator<Uint8Array, void, void> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (cause) {
    throw new SealBroken('This is no recovery key: it begins with AGE-SECRET-KEY-1 and is one line.', {
      cause,
    });
  }
  try {
    const plain = await decrypter.decrypt(ReadableStream.from(content));
    const unpacked = createZstdDecompress();
    pipe(Readable.fromWeb(plain), unpacked, () => undefined);
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw asSealBroken(cause);
  }
}

function asSealBroken(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if (hasCode(cause, 'EIO', 'FILES')) return cause;
  if (cause.message.includes('no identity matched'))
    return new SealBroken('The file is sealed for another recovery key, or its first bytes were changed.', {
      cause,
    });
  return new SealBroken(
    `The file is not as it was written (${cause.message}). Take another copy of it, or another backup.`,
    { cause },
  );
}
