// A third party's bucket in Amazon S3 or a compatible store, to read files from or write files to. The
// console's own keys are never used for it, and endpoints are connected to only at verified addresses
// (outbound-pinned.ts).
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { areCallsClosed } from '../../outbound/closed-calls.ts';
import {
  pinnedLookup,
  PinnedRequestFailed,
  reportedFailures,
  targetIssue,
} from '../../outbound/outbound-pinned.ts';
import { codeOf, isCertificateCode } from '../../system-error.ts';
import type { FileStore } from '../store/file-store.ts';
import { bucketPattern } from '../store/files-place.ts';
import {
  bucketRefusal,
  bucketStore,
  objectsBelow,
  describeS3Place,
  withEndpoint,
} from '../store/s3-store.ts';
import {
  assertOutsideName,
  atMost,
  OutsideUnavailable,
  type OutsideAccess,
  type OutsideBucket,
  type OutsideFile,
  type OutsideFiles,
} from './outside-files.ts';

const connectWithinMs = 5000;
const answerWithinMs = 30_000;
const attempts = 2;

/** Reads the files below the bucket's prefix. */
export function outsideBucket(
  place: OutsideBucket,
  { privateHosts, mostFiles }: Pick<OutsideAccess, 'privateHosts' | 'mostFiles'>,
): OutsideFiles {
  assertPlace(place, privateHosts);
  const client = clientOf(place, privateHosts);
  const asking = async <T>(name: string, answer: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await answer();
    } catch (cause) {
      signal.throwIfAborted();
      throw failureOf(cause, name);
    }
  };
  async function* pieces(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    assertOutsideName(name);
    const body = await asking(
      name,
      async () => {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket: place.bucket, Key: place.prefix + name }),
          { abortSignal: signal },
        );
        return Body as Readable | undefined;
      },
      signal,
    );
    if (body === undefined) return;
    const stop = (): void => void body.destroy();
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* body as AsyncIterable<Uint8Array>;
    } catch (cause) {
      signal.throwIfAborted();
      throw failureOf(cause, name);
    } finally {
      signal.removeEventListener('abort', stop);
      body.destroy();
    }
    signal.throwIfAborted();
  }
  return {
    list: (prefix, signal) =>
      asking(prefix, () => allBelow(client, place, prefix, mostFiles, signal), signal),
    read: (name, maxBytes, signal) => atMost(pieces(name, signal), maxBytes, name),
    close: () => client.destroy(),
  };
}

/**
 * Writes files below the bucket's prefix one after another, replacing those of the same names. Never call it
 * inside a unit of work.
 * @throws OutsideUnavailable when a file was rejected; the files before it have been written
 */
export async function writeOutside(
  place: OutsideBucket,
  privateHosts: readonly string[],
  files: readonly { readonly name: string; readonly content: Uint8Array; readonly type: string }[],
  signal: AbortSignal,
): Promise<void> {
  assertPlace(place, privateHosts);
  const client = clientOf(place, privateHosts);
  try {
    for (const { name, content, type } of files) {
      assertOutsideName(name);
      await client
        .send(
          new PutObjectCommand({
            Bucket: place.bucket,
            Key: place.prefix + name,
            Body: content,
            ContentType: type,
          }),
          { abortSignal: signal },
        )
        .catch((cause: unknown) => {
          throw signal.aborted ? new OutsideUnavailable('timeout', name, cause) : failureOf(cause, name);
        });
    }
  } finally {
    client.destroy();
  }
}

/**
 * The bucket as a writable store. Never call it inside a unit of work that may write. Its functions throw
 * {@link OutsideUnavailable}; `close` ends idle connections.
 * @throws OutsideUnavailable `address` when the bucket's address is invalid
 */
export function outsideStore(
  place: OutsideBucket,
  privateHosts: readonly string[],
): FileStore & { readonly close: () => void } {
  assertPlace(place, privateHosts);
  const client = clientOf(place, privateHosts);
  const store = bucketStore(place, {
    place: describeOutsideBucket(place),
    client,
    failed: (cause) => failureOf(cause, ''),
    // Lists the bucket instead of sending a HEAD request, because a rejected HEAD does not say why.
    check: async () => void (await store.list('')),
  });
  return { ...store, close: () => client.destroy() };
}

/** The place as shown to people, without secrets. */
export const describeOutsideBucket = ({ bucket, prefix, region, endpoint }: OutsideBucket): string =>
  describeS3Place({ kind: 's3', bucket, prefix, region, endpoint: endpoint ?? undefined });

const regionPattern = /^[a-z0-9-]{1,40}$/;

/**
 * Bucket and region become part of Amazon's host names, so they must contain nothing else. @throws
 * OutsideUnavailable
 */
function assertPlace({ bucket, region, endpoint }: OutsideBucket, privateHosts: readonly string[]): void {
  // An IP address is not looked up, so the check in the lookup would not stop it.
  if (areCallsClosed()) throw new OutsideUnavailable('address', 'sandbox');
  if (!bucketPattern.test(bucket)) throw new OutsideUnavailable('address', bucket.slice(0, 100));
  if (!regionPattern.test(region)) throw new OutsideUnavailable('address', region.slice(0, 100));
  const issue =
    endpoint === null ? undefined : targetIssue(endpoint, false, privateHosts, { isPlainAllowed: true });
  if (issue) throw new OutsideUnavailable('address', issue);
}

function clientOf({ region, endpoint, keys }: OutsideBucket, privateHosts: readonly string[]): S3Client {
  const lookup = pinnedLookup(privateHosts);
  return new S3Client({
    region,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectWithinMs,
      requestTimeout: answerWithinMs,
      socketTimeout: answerWithinMs,
      // Separate agents, so that no connection is shared and no environment variable adds a proxy.
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 4, lookup }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 4, lookup }),
    },
    // A bucket in another region would be on another host than the verified one.
    followRegionRedirects: false,
    ...(keys
      ? { credentials: keys }
      : {
          // Without keys, requests are unsigned: the console's own keys, which the environment may hold, must
          // never be used for third-party buckets.
          credentials: { accessKeyId: '', secretAccessKey: '' },
          signer: { sign: (request) => Promise.resolve(request) },
        }),
    ...withEndpoint(endpoint),
  });
}

async function allBelow(
  client: S3Client,
  { bucket, prefix: start }: OutsideBucket,
  prefix: string,
  mostFiles: number,
  signal: AbortSignal,
): Promise<OutsideFile[]> {
  const found: OutsideFile[] = [];
  for await (const { Key, Size, LastModified, ETag } of objectsBelow(
    client,
    bucket,
    start + prefix,
    signal,
  )) {
    // Names that end in `/` are folder placeholders.
    if (Key.endsWith('/')) continue;
    if (found.length >= mostFiles) throw new OutsideUnavailable('too_many_files', String(mostFiles));
    found.push({
      name: Key.slice(start.length),
      bytes: Size ?? 0,
      modifiedAt: LastModified ?? new Date(0),
      mark: ETag ?? `${Size ?? 0}-${LastModified?.getTime() ?? 0}`,
    });
  }
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function failureOf(cause: unknown, name: string): Error {
  if (cause instanceof OutsideUnavailable) return cause;
  if (cause instanceof PinnedRequestFailed)
    return new OutsideUnavailable(reportedFailures[cause.failure], cause.detail, cause);
  if (cause instanceof S3ServiceException) {
    const refusal = bucketRefusal(cause);
    const detail =
      refusal === 'not_found' && name !== ''
        ? name
        : refusal === 'not_found' || refusal === 'credentials'
          ? cause.name
          : `${cause.$metadata.httpStatusCode ?? 0} ${cause.name}`;
    return new OutsideUnavailable(refusal, detail, cause);
  }
  const code = codeOf(cause);
  const label = code ?? (cause instanceof Error ? cause.name : 'failed');
  if (/TIMEDOUT|Timeout/i.test(label)) return new OutsideUnavailable('timeout', label, cause);
  if (code !== undefined && isCertificateCode(code))
    return new OutsideUnavailable('certificate', code, cause);
  return code === undefined
    ? new OutsideUnavailable('answer', label, cause)
    : new OutsideUnavailable('unreachable', code, cause);
}
