// The destination of exports: a folder in the console's file store, or an Admin's bucket, which is only
// reached at checked addresses.
import { OutsideUnavailable, writeFailures } from '#platform/server/files/outside/outside-files.ts';
import { describeOutsideBucket, outsideStore } from '#platform/server/files/outside/outside-bucket.ts';
import { FilesUnavailable } from '#platform/server/files/store/s3-store.ts';
import type { FileStore } from '#platform/server/files/store/file-store.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Failure } from '../contract.ts';
import type { StoredPlan } from './settings.ts';

const folder = 'data-exports';
const [purpose, owner] = ['skytally nightly export key', 'dataexports.plan'];

/** Encrypts the secret of a bucket for storage. */
export const sealedSecret = (app: App, secret: string): string =>
  seal(app, purpose, owner, secret).toString('base64');

/** The destination of files; `base` is prepended to every name. */
export type Destination = {
  readonly place: string;
  readonly base: string;
  readonly store: FileStore;
  readonly close: () => void;
};

const bucketOf = (app: App, { bucket, sealedSecret: sealed }: StoredPlan) =>
  bucket && {
    ...bucket,
    kind: 's3' as const,
    keys:
      sealed === null
        ? null
        : {
            accessKeyId: bucket.accessKeyId,
            secretAccessKey: unseal(app, purpose, owner, Buffer.from(sealed, 'base64')),
          },
  };

/** Describes the destination without secrets. */
export function placeOf(app: App, plan: StoredPlan): string {
  const bucket = plan.bucket && { ...plan.bucket, kind: 's3' as const, keys: null };
  return bucket ? describeOutsideBucket(bucket) : `${app.files.place}/${folder}`;
}

/**
 * Opens the destination of a plan, without contacting it. @throws OutsideUnavailable `address` for an invalid
 * bucket
 */
export function openDestination(app: App, plan: StoredPlan): Destination {
  const bucket = bucketOf(app, plan);
  const place = placeOf(app, plan);
  if (!bucket) return { place, base: `${folder}/`, store: app.files, close: () => undefined };
  const store = outsideStore(bucket, app.config.privateHosts);
  return { place, base: '', store, close: store.close };
}

/** The failure to show for an error of the destination; undefined for any other error. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof OutsideUnavailable)
    return { code: writeFailures[error.failure], detail: error.detail.slice(0, 300) };
  // Error codes of the file system, and of PostgreSQL.
  if (hasCode(error, 'ENOSPC', 'EDQUOT', '53100')) return { code: 'no_space', detail: '' };
  if (hasCode(error, 'EACCES', 'EROFS', 'EPERM', 'ENOTDIR')) return { code: 'folder', detail: '' };
  // The console's own bucket (FILES_URL): the error message names the destination.
  if (error instanceof FilesUnavailable)
    return {
      code: error.refusal === undefined || error.refusal === 'answer' ? 'files' : error.refusal,
      detail: error.message.slice(0, 300),
    };
  return undefined;
}
