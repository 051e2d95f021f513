// Files of third parties, which the console only reads: in a folder that the operator opened, or a bucket
// with its own address and keys. (The console's own files are in ../store.)

/**
 * A third party's bucket. `prefix` may be empty; without an endpoint it is on Amazon S3; without keys it must
 * be public.
 */
export type OutsideBucket = {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | null;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
};
/** A folder below IMPORT_DIR, which the operator sets; `''` is that folder itself. */
export type OutsideFolder = { readonly kind: 'folder'; readonly path: string };
export type OutsidePlace = OutsideFolder | OutsideBucket;

/**
 * `name` is relative to the place, with `/` between folders. `mark` changes whenever the content may have
 * changed: a bucket's ETag, or a file's size and modification time.
 */
export type OutsideFile = {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly mark: string;
};

/** Why a place cannot be read, in terms of what a person can fix. */
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

/** How each failure is reported when writing to a bucket; failures that concern only reading become `refused`. */
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

/**
 * A place or one of its files cannot be read. `detail` is an error code of the system or the bucket, or a
 * name; never a secret.
 */
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

/**
 * Reads one place. Every call throws {@link OutsideUnavailable} when access fails, and the signal's reason
 * when it is aborted.
 */
export type OutsideFiles = {
  /**
   * The files whose names begin with `prefix` (`''`: all), sorted by name. Fails, rather than returning a
   * part, when there are more than the limit.
   */
  readonly list: (prefix: string, signal: AbortSignal) => Promise<OutsideFile[]>;
  /**
   * Streams a file of at most `maxBytes` bytes; a longer one fails at that point. A consumer that stops
   * reading ends the transfer.
   */
  readonly read: (name: string, maxBytes: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Ends idle connections. */
  readonly close: () => void;
};

export type OutsideAccess = {
  /** The setting IMPORT_DIR; undefined: no folder may be read. */
  readonly importDir: string | undefined;
  /** The setting PRIVATE_HOSTS: endpoints that need not be public. */
  readonly privateHosts: readonly string[];
  /** The maximum number of files in a list. */
  readonly mostFiles: number;
};

/** Throws when a name is invalid or could lead out of its place. */
export function assertOutsideName(name: string): void {
  const isSafe =
    name.length <= 1024 &&
    !name.startsWith('/') &&
    !/[\\\p{Cc}]/u.test(name) &&
    !name.split('/').some((part) => part === '..' || part === '.');
  if (!isSafe) throw new OutsideUnavailable('path', name.slice(0, 200));
}

/** Passes chunks through until they exceed `maxBytes`, then fails. */
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
