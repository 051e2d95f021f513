// Files of events: their location, which of them to read, and how a table row becomes an event. No clock, no
// database.

/** A file in a folder or bucket; `mark` changes whenever its content may have changed. */
export type NamedFile = {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly mark: string;
};
export type FilePlace =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly region: string;
      readonly endpoint: string | null;
    };

const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^\\\p{Cc}]{0,500}))?$/u;
const folderPattern = /^folder:\/\/([^\\\p{Cc}]{0,500})$/u;

/**
 * Parses the folder or bucket of an address: `folder://a/b` below IMPORT_DIR, or `s3://bucket/prefix`.
 * Undefined for anything else.
 */
export function placeOfAddress(
  address: string,
  { region, endpoint }: { readonly region: string; readonly endpoint: string },
): FilePlace | undefined {
  const [, path] = folderPattern.exec(address) ?? [];
  if (path !== undefined) return /(^|\/)\.{1,2}(\/|$)|^\//.test(path) ? undefined : { kind: 'folder', path };
  const [, bucket, prefix = ''] = bucketPattern.exec(address) ?? [];
  return bucket === undefined
    ? undefined
    : { kind: 's3', bucket, prefix, region: region || 'us-east-1', endpoint: endpoint || null };
}

const dataPattern = /(^|\/)[^/._][^/]*\.(csv|jsonl|ndjson)(\.gz)?$/i;
/** A file that has not changed for this long is complete. */
export const quietMs = 120_000;

/**
 * Keys in the stored positions: which version of a file was read to its end, and how many rows of a content
 * were read.
 */
export const seenKey = ({ name, mark }: Pick<NamedFile, 'name' | 'mark'>): string =>
  JSON.stringify(['seen', name, mark]);
export const contentKey = (name: string, digest: string): string => JSON.stringify(['rows', name, digest]);
/** Marks a stream as started even though there was no file. */
export const begunKey = '["begun"]';

/**
 * Returns the files to read next, oldest first. Skips files that are empty, hidden, or may still be being
 * written.
 */
export const filesToRead = (
  files: readonly NamedFile[],
  isSeen: (key: string) => boolean,
  now: Date,
): NamedFile[] =>
  files
    .filter(
      (file) =>
        file.bytes > 0 &&
        dataPattern.test(file.name) &&
        file.modifiedAt.getTime() <= now.getTime() - quietMs &&
        !isSeen(seenKey(file)),
    )
    .toSorted(
      (one, other) =>
        one.modifiedAt.getTime() - other.modifiedAt.getTime() || (one.name < other.name ? -1 : 1),
    );

/**
 * Converts a table row to JSON: cells by their headings, as texts, so that no digit is lost, without empty
 * ones. The heading `data.value` becomes the field `value` of `data`. A row is a version 1.0 event unless it
 * says otherwise. Undefined for a row with the wrong number of cells.
 */
export function rowJson(headings: readonly string[], cells: readonly string[]): string | undefined {
  if (cells.length !== headings.length) return undefined;
  const filled = headings.flatMap((name, place) => {
    const cell = cells[place] ?? '';
    return name === '' || cell === '' ? [] : [[name, cell] as const];
  });
  const isData = ([name]: readonly [string, string]): boolean => name.startsWith('data.');
  const data = filled.filter(isData).map(([name, cell]) => [name.slice('data.'.length), cell] as const);
  return JSON.stringify({
    specversion: '1.0',
    ...Object.fromEntries(filled.filter((each) => !isData(each))),
    ...(data.length > 0 && { data: Object.fromEntries(data) }),
  });
}
