// Which files of a place are to be imported: by the manifests of its exports, and by their names where there are none.
import type { OutsideFiles } from '#platform/server/files/outside/outside-files.ts';
import { fileGroups, isUnder, oldestFirst, type FileGroup, type NamedFile } from '../rules-files.ts';
import { maxManifestBytes, namedPaths, partitionsOf, wholeRun, type Partition } from '../rules-manifests.ts';

/** The most manifests that are read of a place at once, the newest first: some years of several exports. */
const mostManifests = 300;

/**
 * The groups of files that are whole, the oldest first. Where an export has manifests, only the newest whole run of each billing period counts;
 * everything else in its folder is left alone, since it is older or still being written. `before`: what is newer may still be written.
 * @throws OutsideUnavailable
 */
export async function groupsIn(place: OutsideFiles, before: Date, signal: AbortSignal): Promise<FileGroup[]> {
  const files = await place.list('', signal);
  const runs: FileGroup[] = [];
  const roots = new Set<string>();
  let left = mostManifests;
  for (const partition of partitionsOf(files)) {
    for (const manifest of partition.manifests) {
      if (left-- <= 0) break;
      const run = await runOf(place, partition, manifest, files, before, signal);
      if (run !== undefined) roots.add(partition.root);
      if (!run) continue;
      runs.push(run);
      break;
    }
  }
  const others = files.filter(({ name }) => ![...roots].some((root) => isUnder(name, root)));
  return [...runs, ...fileGroups(others, before)].toSorted(oldestFirst);
}

/** A run that is whole; null for one that is not, undefined when the file is no manifest of an export. */
async function runOf(
  place: OutsideFiles,
  partition: Partition,
  manifest: NamedFile,
  files: readonly NamedFile[],
  before: Date,
  signal: AbortSignal,
): Promise<FileGroup | null | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of place.read(manifest.name, maxManifestBytes, signal)) pieces.push(piece);
  const paths = namedPaths(Buffer.concat(pieces).toString('utf8'));
  return paths && (wholeRun(partition, manifest, paths, files, before) ?? null);
}
