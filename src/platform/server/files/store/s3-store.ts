// Stores files in a bucket of Amazon S3 or a compatible store (MinIO, Ceph, R2, GCS), which every console can
// access.
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  type _Object,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { assertFileName, type FileStore, type StoredFile } from './file-store.ts';
import type { S3Place } from './files-place.ts';

/** What a bucket's refusal means to the person who can fix it. */
export type BucketRefusal = 'not_found' | 'no_space' | 'credentials' | 'busy' | 'answer';
// Stores report a full bucket by many names: XMinioStorageFull (507), Ceph's QuotaExceeded (403),
// BucketQuotaExceeded …
const fullPattern = /quota|storage_?full|storage_?cap|insufficient_?(storage|space)/i;

export function bucketRefusal({
  name,
  $metadata: { httpStatusCode: status = 0 },
}: S3ServiceException): BucketRefusal {
  if (status === 507 || fullPattern.test(name)) return 'no_space';
  if (status === 404) return 'not_found';
  if (status === 401 || status === 403) return 'credentials';
  return status === 429 || status >= 500 ? 'busy' : 'answer';
}

/**
 * The bucket refused, does not exist, or could not be reached. `status` is that of its response and `refusal`
 * its meaning; both are undefined when there was no response.
 */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
  readonly code = 'FILES';
  readonly status: number | undefined;
  readonly refusal: BucketRefusal | undefined;

  constructor(place: string, cause: unknown) {
    const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined;
    super(`${place}: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`, {
      cause,
    });
    this.status = status;
    this.refusal = cause instanceof S3ServiceException ? bucketRefusal(cause) : undefined;
  }
}

// The part size of uploads. S3 allows ten thousand parts, so files can be up to 160 GB.
const partBytes = 16 * 1024 * 1024;
const connectWithinMs = 3000;
const answerWithinMs = 20_000;
const attempts = 3;

/**
 * Client settings for stores of other vendors: they have no host name per bucket, and do not support Amazon's
 * newer checksums.
 */
export const withEndpoint = (endpoint: string | null | undefined): S3ClientConfig =>
  endpoint === undefined || endpoint === null
    ? {}
    : {
        endpoint,
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      };

const clientOf = ({ region, endpoint }: S3Place): S3Client =>
  new S3Client({
    region,
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectWithinMs, requestTimeout: answerWithinMs },
    ...withEndpoint(endpoint),
  });

/**
 * Stores files below the place's prefix. Access keys come from the environment (`AWS_ACCESS_KEY_ID` …) or the
 * machine's role.
 */
export function s3Store(at: S3Place): FileStore {
  const place = describeS3Place(at);
  return bucketStore(at, {
    place,
    client: clientOf(at),
    failed: (cause) => new FilesUnavailable(place, cause),
    check: () => assertBucket(at),
  });
}

/** Stores files below a prefix of a bucket, through a configured client. `failed` translates the client's errors. */
export function bucketStore(
  at: Pick<S3Place, 'bucket' | 'prefix'>,
  {
    place,
    client,
    failed,
    check,
  }: Pick<FileStore, 'place' | 'check'> & {
    readonly client: S3Client;
    readonly failed: (cause: unknown) => Error;
  },
): FileStore {
  const target = (name: string): { Bucket: string; Key: string } => {
    assertFileName(name);
    return { Bucket: at.bucket, Key: at.prefix + name };
  };
  const asking = async <T>(answer: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await answer();
    } catch (cause) {
      signal?.throwIfAborted();
      throw failed(cause);
    }
  };
  return {
    place,
    check,
    write: (name, content, signal) =>
      asking(async () => {
        const key = target(name);
        const upload = new Upload({
          client,
          params: { ...key, Body: Readable.from(content, { objectMode: false }) },
          queueSize: 1,
          partSize: partBytes,
        });
        const stop = (): void => void upload.abort();
        signal?.throwIfAborted();
        signal?.addEventListener('abort', stop, { once: true });
        try {
          await upload.done();
        } finally {
          signal?.removeEventListener('abort', stop);
        }
        return (await client.send(new HeadObjectCommand(key))).ContentLength ?? 0;
      }, signal),
    read: (name) =>
      asking(async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand(target(name)));
          return Body === undefined ? undefined : piecesOf(Body as Readable, failed);
        } catch (error) {
          if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
          throw error;
        }
      }),
    list: (folder) => asking(() => allBelow(client, at, folder)),
    remove: (names) =>
      asking(async () => {
        for (const name of names) await client.send(new DeleteObjectCommand(target(name)));
      }),
    // An unfinished upload is not a file; the bucket's own lifecycle rule removes its parts
    // (docs/operator/files.md).
    removeUnfinished: async () => {},
  };
}

/** The place as shown to people, without secrets. */
export const describeS3Place = ({ bucket, prefix, endpoint }: S3Place): string =>
  `s3://${bucket}/${prefix.replace(/\/$/, '')}${endpoint === undefined ? '' : ` (${endpoint})`}`;

/**
 * Checks that the bucket can be used. @throws FilesUnavailable when it refuses, does not exist or cannot be
 * reached.
 */
export async function assertBucket(at: S3Place): Promise<void> {
  const client = clientOf(at);
  try {
    await client.send(new HeadBucketCommand({ Bucket: at.bucket }));
  } catch (cause) {
    throw new FilesUnavailable(describeS3Place(at), cause);
  } finally {
    client.destroy();
  }
}

/** The objects whose keys begin with `prefix`, page by page. */
export async function* objectsBelow(
  client: S3Client,
  bucket: string,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<_Object & { Key: string }, void, void> {
  const pages = paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
    { abortSignal: signal },
  );
  for await (const { Contents = [] } of pages)
    for (const { Key, ...object } of Contents) if (Key !== undefined) yield { Key, ...object };
}

async function allBelow(
  client: S3Client,
  at: Pick<S3Place, 'bucket' | 'prefix'>,
  folder: string,
): Promise<StoredFile[]> {
  if (folder !== '') assertFileName(folder);
  const found: StoredFile[] = [];
  for await (const { Key, Size } of objectsBelow(
    client,
    at.bucket,
    at.prefix + (folder === '' ? '' : `${folder}/`),
  ))
    found.push({ name: Key.slice(at.prefix.length), bytes: Size ?? 0 });
  return found;
}

async function* piecesOf(
  body: Readable,
  failed: (cause: unknown) => Error,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw failed(cause);
  }
}
