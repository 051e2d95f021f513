// Builds the browser side and prints what a first visit costs.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildWeb, sourceHash, type Chunk } from '../src/platform/server/http/web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
/**
 * Kilobytes of gzipped JavaScript that a first visit may cost. The home page keeps to performance.md P13. Sign-in and
 * registration lie above its 210 since they use the ordinary form, schema and query libraries (docs/decisions/0053).
 */
const budgetsKb = { 'public page': 210, 'sign-in': 255, register: 255, shell: 270 } as const;
/** And what charts need before the first of them is drawn, fetched after the page's frame (performance.md P13). */
const chartsKb = 190;

/** Files before a screen with parts of many features stands: each waits for an answer of its own (docs/decisions/0143). */
const filesAtMost = { Bills: 32, CloudServices: 15, AdminBilling: 20 } as const;

/** Prints what a first visit costs, gzipped, and says whether the budgets hold. */
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

/** What the release is made of, as CycloneDX beside the build (reliability.md 2.J-166): from the lock file, by npm itself. */
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
