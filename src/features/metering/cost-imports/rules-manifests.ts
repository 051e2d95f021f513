// Manifests of exports: a cloud's list of the files that one run of an export wrote. AWS writes
// `…-Manifest.json` for each billing period (Data Exports: `dataFiles`; the legacy CUR: `reportKeys`), Azure
// `manifest.json` next to each run's parts (`blobs`). Both write it last.
import { parseJson } from '#kernel/parse-json.ts';
import { hourMs } from '#kernel/durations.ts';
import { isUnder, newestFirst, type FileGroup, type NamedFile } from './rules-files.ts';

/** Larger files are not manifests: the columns of a CUR take a few hundred kilobytes. */
export const maxManifestBytes = 4 * 1024 * 1024;

export const isManifest = ({ name, bytes }: NamedFile): boolean =>
  /(^|[-_/])manifest\.json$/i.test(name) && bytes > 0 && bytes <= maxManifestBytes;

/** The runs of one billing period of an export, by their manifests, newest first. */
export type Partition = {
  /** The folder of the export; '' for the root of the location. */
  readonly root: string;
  /** The billing period as its folder is named; '' if there is none. */
  readonly period: string;
  readonly manifests: readonly NamedFile[];
};

const periodFolder = /^(BILLING_PERIOD=\d{4}-\d{2}|\d{8}-\d{8}|year=\d{4})$/i;
const besideData = /^metadata$/i;

function placeOf(name: string): { readonly root: string; readonly period: string } {
  const folders = name.split('/').slice(0, -1);
  const place = folders.findIndex((folder) => periodFolder.test(folder));
  if (place === -1) return { root: folders.join('/'), period: '' };
  const before = folders.slice(0, place);
  if (besideData.test(before.at(-1) ?? '')) before.pop();
  const [period = '', month = ''] = folders.slice(place);
  return { root: before.join('/'), period: /^month=/i.test(month) ? `${period}/${month}` : period };
}

/** Returns the billing periods that have manifests; the one with the newest manifest first. */
export function partitionsOf(files: readonly NamedFile[]): Partition[] {
  const manifests = files.filter(isManifest).toSorted(newestFirst);
  return [
    ...Map.groupBy(manifests, ({ name }) => {
      const { root, period } = placeOf(name);
      return `${root}\n${period.toLowerCase()}`;
    }).values(),
  ].flatMap((own) => (own[0] ? [{ ...placeOf(own[0].name), manifests: own }] : []));
}

/** Returns the paths listed in a manifest; undefined if it is not an export's manifest or lists none. */
export function namedPaths(text: string): readonly string[] | undefined {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null) return undefined;
  const lists = ['dataFiles', 'reportKeys', 'blobs'].flatMap((key) => {
    const list: unknown = key in value ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    return Array.isArray(list) ? [list as readonly unknown[]] : [];
  });
  const paths = (lists[0] ?? []).map(pathIn);
  return paths.length === 0 || paths.includes(undefined) ? undefined : (paths as string[]);
}

/** A path is a text, or a field of an object under one of the names that exports use. */
function pathIn(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  for (const key of ['blobName', 'filePath', 'key', 'url']) {
    const path = (entry as Readonly<Record<string, unknown>>)[key];
    if (typeof path === 'string') return path;
  }
  return undefined;
}

/**
 * Data newer than its manifest belongs to a run that is still being written, up to this age: copying may have
 * reversed their order.
 */
const overtakenMs = hourMs;

/**
 * Returns the files of a complete run: each file in its manifest exists, all are older than `before`, and
 * none is being overwritten by the next run. Undefined otherwise.
 */
export function wholeRun(
  { root, period }: Partition,
  manifest: NamedFile,
  paths: readonly string[],
  files: readonly NamedFile[],
  before: Date,
): FileGroup | undefined {
  const named = Map.groupBy(
    files.filter(({ name }) => isUnder(name, root)),
    ({ name }) => lastPart(name),
  );
  const found = paths.map((path) => fileAt(path, named));
  if (found.includes(undefined)) return undefined;
  const own = files.filter((file) => found.includes(file));
  const newest = Math.max(...own.map(({ modifiedAt }) => modifiedAt.getTime()));
  const at = Math.max(newest, manifest.modifiedAt.getTime());
  if (at > before.getTime()) return undefined;
  if (newest > manifest.modifiedAt.getTime() && newest > before.getTime() - overtakenMs) return undefined;
  return { name: [root, period].filter(Boolean).join('/'), files: own, modifiedAt: new Date(at) };
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/**
 * Resolves a manifest's path. It starts with the bucket or container, while the location may start deeper or
 * higher: the longest matching suffix wins.
 */
function fileAt(path: string, named: ReadonlyMap<string, readonly NamedFile[]>): NamedFile | undefined {
  const plain = path.replace(/^[a-z0-9]+:\/\/[^/]+\//i, '').replace(/^\/+/, '');
  const distance = ({ name }: NamedFile): number => Math.abs(name.length - plain.length);
  return (named.get(lastPart(plain)) ?? [])
    .filter(({ name }) => name === plain || plain.endsWith(`/${name}`) || name.endsWith(`/${plain}`))
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
