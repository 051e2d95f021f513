// Files that others keep, which the console only reads: a folder that the operator opened, or a bucket with its own address and keys.
// (The console's own files are in ../store.)

/** A bucket of somebody. `prefix` may be empty; without an endpoint the bucket is Amazon's, without keys it must be public. */
export type OutsideBucket = {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | null;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
};
/** A folder below the one that the operator named in IMPORT_DIR; `''` is that folder itself. */
export type OutsideFolder = { readonly kind: 'folder'; readonly path: string };
export type OutsidePlace = OutsideFolder | OutsideBucket;

/** `name` is relative to the place, with `/` between folders. `mark` changes when the content may have changed: a bucket's ETag, a file's length and time. */
export type OutsideFile = {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly mark: string;
};

/** Why a place cannot be read, for a person who can mend it. */
export const outsideFailures = [
  'folders_closed',
  'path',
  'address',
  'unreachable',
  'certificate',
  'timeout',
  'credentials',
  'not_found',
  'no_space',
  'busy',
  'too_many_files',
  'too_large',
  'answer',
] as const;
export type OutsideFailure = (typeof outsideFailures)[number];

/** What a failure says to whoever writes to a bucket of their own: what has to do with reading alone is a refusal. */
export const writeFailures = {
  folders_closed: 'refused',
  path: 'refused',
  address: 'address',
  unreachable: 'unreachable',
  certificate: 'certificate',
  timeout: 'timeout',
  credentials: 'credentials',
  not_found: 'not_found',
  no_space: 'no_space',
  busy: 'busy',
  too_many_files: 'refused',
  too_large: 'refused',
  answer: 'refused',
} as const satisfies Readonly<Record<OutsideFailure, string>>;

/** A place or one of its files cannot be read. `detail` is a code of the system or the bucket, or a name; never a secret. */
export class OutsideUnavailable extends Error {
  override readonly name = 'OutsideUnavailable';
  readonly failure: OutsideFailure;
  readonly detail: string;

  constructor(failure: OutsideFailure, detail: string, cause?: unknown) {
    super(`${failure}: ${detail}`, { cause });
    this.failure = failure;
    this.detail = detail;
  }
}

/** Reads one place. Every call throws {@link OutsideUnavailable} when the place does not allow it, and the signal's reason when it is aborted. */
export type OutsideFiles = {
  /** The files whose names begin with `prefix` (`''`: all), in the order of their names. More than the limit is a failure, not a part. */
  readonly list: (prefix: string, signal: AbortSignal) => Promise<OutsideFile[]>;
  /**
   * The bytes of a file as they come, `maxBytes` at most; one that is longer fails where it passes them. Whoever stops reading ends the
   * transfer.
   */
  readonly read: (name: string, maxBytes: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Ends connections that are kept open. */
  readonly close: () => void;
};

export type OutsideAccess = {
  /** The setting IMPORT_DIR; undefined: no folder may be read. */
  readonly importDir: string | undefined;
  /** The setting PRIVATE_HOSTS: endpoints that need not be public. */
  readonly privateHosts: readonly string[];
  /** The most files of a list. */
  readonly mostFiles: number;
};

/** Throws when a name could lead out of its place, or cannot be a name. */
export function assertOutsideName(name: string): void {
  const isSafe =
    name.length <= 1024 &&
    !name.startsWith('/') &&
    !/[\\\p{Cc}]/u.test(name) &&
    !name.split('/').some((part) => part === '..' || part === '.');
  if (!isSafe) throw new OutsideUnavailable('path', name.slice(0, 200));
}

/** Passes pieces on until they are too many. */
export async function* atMost(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new OutsideUnavailable('too_large', name);
    yield piece;
  }
}
