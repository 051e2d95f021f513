// Determines which files of a location to import: by the manifests of its exports, or by file names if there
// are none.
import { text } from 'node:stream/consumers';
import type { OutsideFiles } from '#platform/server/files/outside/outside-files.ts';
import { fileGroups, isUnder, oldestFirst, type FileGroup, type NamedFile } from '../rules-files.ts';
import { maxManifestBytes, namedPaths, partitionsOf, wholeRun, type Partition } from '../rules-manifests.ts';

/**
 * The maximum number of manifests read from a location at once, newest first: some years of several exports.
 */
const mostManifests = 300;

/**
 * Returns the complete groups of files, oldest first. If an export has manifests, only the newest complete
 * run of each billing period counts; everything else in its folder is ignored, as it is older or still being
 * written. Files newer than `before` may still be being written.
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

/** Returns a complete run; null for an incomplete one, undefined if the file is not an export's manifest. */
async function runOf(
  place: OutsideFiles,
  partition: Partition,
  manifest: NamedFile,
  files: readonly NamedFile[],
  before: Date,
  signal: AbortSignal,
): Promise<FileGroup | null | undefined> {
  const paths = namedPaths(await text(place.read(manifest.name, maxManifestBytes, signal)));
  return paths && (wholeRun(partition, manifest, paths, files, before) ?? null);
}
