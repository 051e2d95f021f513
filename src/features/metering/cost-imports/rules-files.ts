// Groups the files of a location. An export writes a billing period as one file or as numbered parts.

/** Supported formats, compressed or not; other files of a bucket (manifests, checksums) are ignored. */
const dataPattern = /\.(csv|csv\.gz|json|jsonl|ndjson|jsonl?\.gz|ndjson\.gz|parquet)$/i;
const manifestPattern = /manifest|_metadata|\/\.|^\./i;
/** `-00001` (AWS), `part_1_0001` (Azure), twelve digits (Google), sixteen (Oracle), `part-00000-…` (Spark). */
const partPattern = /([-_]\d{5}|_\d+_\d{4}|[-_]?\d{16}|[-_]?\d{12})$/;

/**
 * Oracle's FOCUS reports: one folder per day with the additions since; only all of them together form the
 * month.
 */
const oracleDays = /^((?:.*\/)?FOCUS Reports\/\d{4}\/\d{2})\/\d{2}\//;

export type NamedFile = {
  readonly name: string;
  readonly mark: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
};
export type FileGroup = {
  readonly name: string;
  readonly files: readonly NamedFile[];
  readonly modifiedAt: Date;
};

const isData = ({ name, bytes }: NamedFile): boolean =>
  bytes > 0 && dataPattern.test(name) && !manifestPattern.test(name.slice(name.lastIndexOf('/') + 1));

/** A file's name without its extension and part number. */
function stemOf(name: string): string {
  const ofMonth = oracleDays.exec(name)?.[1];
  if (ofMonth !== undefined) return ofMonth;
  const slash = name.lastIndexOf('/') + 1;
  const stem = name.slice(slash).replace(/(\.(csv|json|jsonl|ndjson|snappy|gz|zst|parquet))+$/i, '');
  const part = /^part-\d{5}/.exec(stem);
  return name.slice(0, slash) + (part ? 'part' : stem.replace(partPattern, ''));
}

/** Whether a file lies in a folder; every file lies in ''. */
export const isUnder = (name: string, folder: string): boolean =>
  folder === '' || name.startsWith(`${folder}/`);

export const newestFirst = (one: NamedFile, other: NamedFile): number =>
  other.modifiedAt.getTime() - one.modifiedAt.getTime() || (one.name < other.name ? -1 : 1);

/** The order in which groups are imported: later ones replace their billing periods. */
export const oldestFirst = (one: FileGroup, other: FileGroup): number =>
  one.modifiedAt.getTime() - other.modifiedAt.getTime() || (one.name < other.name ? -1 : 1);

/**
 * Returns the complete groups, oldest first: later ones replace their billing periods. A group with a file
 * newer than `before` may still be being written, and waits.
 */
export function fileGroups(files: readonly NamedFile[], before: Date): FileGroup[] {
  return [...Map.groupBy(files.filter(isData), ({ name }) => stemOf(name))]
    .map(([name, own]) => ({
      name,
      files: own,
      modifiedAt: new Date(Math.max(...own.map(({ modifiedAt }) => modifiedAt.getTime()))),
    }))
    .filter(({ modifiedAt }) => modifiedAt <= before)
    .toSorted(oldestFirst);
}

/** Identifies a group's content. */
export const groupMark = ({ files }: Pick<FileGroup, 'files'>): string =>
  JSON.stringify(files.map(({ name, mark }) => [name, mark]));
