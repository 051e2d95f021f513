// The setting FILES_URL: a folder or a bucket, as plain data that can be sent to another process.

/** `prefix` is empty or ends in `/`. Without an endpoint the bucket is on Amazon S3. */
export type S3Place = {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | undefined;
};
export type FilesPlace = { readonly kind: 'folder'; readonly path: string } | S3Place;

/** Valid bucket names. */
export const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const partPattern = /^[\w.+-]+$/;

/**
 * Parses `s3://bucket/prefix?endpoint=https://host:port&region=name`; undefined when it is malformed. Prefix,
 * endpoint and region are optional. Access keys are not part of it: they come from the environment, as for
 * any Amazon client.
 */
export function s3PlaceOf(text: string): S3Place | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname, searchParams, username, password, port, hash } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '');
  const endpoint = searchParams.get('endpoint') ?? undefined;
  const isGood =
    protocol === 's3:' &&
    bucketPattern.test(hostname) &&
    `${username}${password}${port}${hash}` === '' &&
    parts.every((part) => partPattern.test(part) && !/^\.+$/.test(part)) &&
    [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region') &&
    (endpoint === undefined || isEndpoint(endpoint));
  return isGood
    ? {
        kind: 's3',
        bucket: hostname,
        prefix: parts.map((part) => `${part}/`).join(''),
        region: searchParams.get('region') ?? 'us-east-1',
        endpoint,
      }
    : undefined;
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** The subfolder `folder` of a place. */
export function placeIn(place: FilesPlace, folder: string): FilesPlace {
  return place.kind === 'folder'
    ? { kind: 'folder', path: `${place.path}/${folder}` }
    : { ...place, prefix: `${place.prefix}${folder}/` };
}
