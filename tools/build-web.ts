// Builds the browser application and prints what a first visit downloads.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildWeb, sourceHash, type Chunk } from '../src/platform/server/http/web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
/**
 * The budgets for a first visit, in kilobytes of gzipped JavaScript. The home page follows performance.md
 * P13. Sign-in and registration exceed its 210 because they use the ordinary form, schema and query libraries
 * (docs/decisions/0053).
 */
const budgetsKb = { 'public page': 210, 'sign-in': 255, register: 255, shell: 270 } as const;
/**
 * The budget for what charts additionally need before the first one is drawn; it is loaded after the page's
 * frame (performance.md P13).
 */
const chartsKb = 190;

/**
 * The maximum number of files loaded before a screen that combines many features is complete; each waits for
 * its own response (docs/decisions/0143).
 */
const filesAtMost = { Bills: 32, CloudServices: 15, AdminBilling: 20 } as const;

/** Prints the gzipped size of a first visit, and returns whether the budgets hold. */
async function report(chunks: Chunk[]): Promise<boolean> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizeOf = async (names: Set<string>): Promise<number> => {
    let bytes = 0;
    for (const name of names)
      bytes += (await promisify(gzip)(byName.get(name)?.code ?? '', { level: 9 })).length;
    return bytes / 1024;
  };
  const reach = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const next of byName.get(name)?.imports ?? []) reach(next, seen);
    return seen;
  };
  const of = (...modules: string[]): Set<string> => {
    const starts = chunks.filter(
      (chunk) =>
        chunk.isEntry || chunk.moduleIds?.some((id) => modules.some((module) => id.endsWith(module))),
    );
    return new Set(starts.flatMap((chunk) => [...reach(chunk.fileName)]));
  };
  const visits = {
    'public page': of('/screens/Home.tsx'),
    'sign-in': of('/LoginLayout.tsx', '/LoginScreen.tsx', '/OfflineNotice.tsx', '/OtherWays.tsx'),
    register: of('/WelcomeLayout.tsx', '/RegisterScreen.tsx'),
    shell: of('/Shell.tsx'),
  };
  let isWithin = true;
  for (const [name, files] of Object.entries(visits) as [keyof typeof visits, Set<string>][]) {
    const total = await sizeOf(files);
    isWithin &&= total <= budgetsKb[name];
    console.log(
      `${name.padEnd(12)} ${total.toFixed(1).padStart(6)} kB gz of ${budgetsKb[name]} (${files.size} files)`,
    );
  }
  for (const [screen, atMost] of Object.entries(filesAtMost)) {
    const files = of('/Shell.tsx', '/Guard.tsx', '/composed-screens.tsx', `/screens/${screen}.tsx`);
    isWithin &&= files.size <= atMost;
    console.log(
      `${screen.padEnd(12)} ${(await sizeOf(files)).toFixed(1).padStart(6)} kB gz in ${files.size} files of ${atMost}`,
    );
  }
  const charts = chunks.find((chunk) =>
    chunk.moduleIds?.some((id) => id.endsWith('/chart/engine/charts.ts')),
  );
  const firstVisits = new Set(Object.values(visits).flatMap((files) => [...files]));
  const chartsSize = await sizeOf(new Set(charts ? [charts.fileName] : []));
  isWithin &&= charts !== undefined && chartsSize <= chartsKb && !firstVisits.has(charts.fileName);
  console.log(
    `${'charts'.padEnd(12)} ${chartsSize.toFixed(1).padStart(6)} kB gz of ${chartsKb} (beside a page)`,
  );
  const all = await Promise.all(
    chunks
      .filter((chunk) => chunk.type === 'chunk')
      .map(async (chunk) => [chunk.fileName, await sizeOf(new Set([chunk.fileName]))] as const),
  );
  for (const [file, kb] of all.sort((a, b) => b[1] - a[1]).slice(0, 12))
    console.log(`  ${kb.toFixed(1).padStart(6)} kB  ${file}`);
  return isWithin;
}

/**
 * Writes the bill of materials of the release in CycloneDX next to the build (reliability.md 2.J-166); npm
 * generates it from the lock file.
 */
async function writeBillOfMaterials(): Promise<void> {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) return console.warn('dist/sbom.cdx.json is made by `npm run build` only.');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [npm, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  await writeFile(path.join(root, 'dist/sbom.cdx.json'), stdout);
}

if (import.meta.main) {
  const isWithin = await report(await buildWeb(sourceHash()));
  await writeBillOfMaterials();
  if (!isWithin) {
    console.error('The browser side is larger than its budget.');
    process.exitCode = 1;
  }
}
