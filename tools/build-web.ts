// Builds the browser side when its sources have changed: hashed files, brotli and gzip beside them, and a stamp.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'dist/web');
const stampFile = path.join(out, 'stamp.json');
/** Everything the browser's files are made of. */
const inputs = [
  'index.html', 'vite.config.ts', 'package-lock.json', 'public/**', 'src/kernel/*.ts', 'src/platform/web/**', 'src/platform/locales/*.ts',
  'src/features/*/contract*.ts', 'src/features/*/rules*.ts', 'src/features/*/locales/*.ts', 'src/features/*/web/**', 'src/app/*.ts', 'src/app/locales/*.ts', 'src/app/web/**',
];
/** Kilobytes of gzipped JavaScript (and one language's texts) that a first visit may cost. */
const budgetsKb = { 'public page': 180, 'sign-in': 190, shell: 220 } as const;

type Log = { info: (message: string) => void };
type Chunk = { type: 'chunk' | 'asset'; fileName: string; code?: string; imports?: string[]; facadeModuleId?: string | null; isEntry?: boolean };

/** The content hash of all sources, 16 hexadecimal digits. Takes a few milliseconds. */
export function sourceHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)).sort()) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Makes sure that dist/web fits the sources. Builds only when its stamp differs; where Vite is not installed
 * (the production image) what was built before is used as it is. Throws when there is neither.
 */
export async function ensureWebBuild(log: Log): Promise<void> {
  const stamp = readStamp();
  if (!existsSync(path.join(root, 'node_modules/vite'))) {
    if (stamp === undefined) throw new Error('dist/web is missing and Vite is not installed: run "npm ci" and "npm run build" first.');
    return;
  }
  const hash = sourceHash();
  if (stamp === hash) return;
  log.info('Building the browser side, because its sources have changed.');
  const startedAt = performance.now();
  await buildWeb(hash);
  log.info(`Built the browser side in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

function readStamp(): string | undefined {
  if (!existsSync(stampFile)) return undefined;
  const stamp: unknown = JSON.parse(readFileSync(stampFile, 'utf8'));
  return typeof stamp === 'object' && stamp !== null && 'hash' in stamp ? String(stamp.hash) : undefined;
}

/** Builds, compresses and stamps. The stamp comes last, so a build that was cut off is made again. */
async function buildWeb(hash: string): Promise<Chunk[]> {
  const { build } = await import('vite');
  const result = await build({ root, logLevel: 'warn', mode: 'production', define: { __BUILD__: JSON.stringify(hash) } });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((one) => ('output' in one ? (one.output as Chunk[]) : []));
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  // index.html gets a nonce with every answer, so it cannot be compressed ahead.
  await Promise.all(files.filter((file) => /\.(js|css|svg|txt|json|webmanifest)$/.test(file)).map(compress));
  await writeFile(stampFile, JSON.stringify({ hash }));
  return chunks;
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < 512) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

/** Prints what a first visit costs, gzipped, and says whether the budgets hold. */
async function report(chunks: Chunk[]): Promise<boolean> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizeOf = async (names: Set<string>): Promise<number> => {
    let bytes = 0;
    for (const name of names) bytes += (await promisify(gzip)(byName.get(name)?.code ?? '', { level: 9 })).length;
    return bytes / 1024;
  };
  const reach = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const next of byName.get(name)?.imports ?? []) reach(next, seen);
    return seen;
  };
  const of = (...modules: string[]): Set<string> => {
    const starts = chunks.filter((chunk) => chunk.isEntry || modules.some((module) => chunk.facadeModuleId?.endsWith(module)));
    return new Set(starts.flatMap((chunk) => [...reach(chunk.fileName)]));
  };
  const texts = await textsKb();
  const visits = { 'public page': of('/screens/Home.tsx'), 'sign-in': of('/LoginLayout.tsx', '/LoginScreen.tsx'), shell: of('/Shell.tsx') };
  let isWithin = true;
  for (const [name, files] of Object.entries(visits) as [keyof typeof visits, Set<string>][]) {
    const total = (await sizeOf(files)) + texts;
    isWithin &&= total <= budgetsKb[name];
    console.log(`${name.padEnd(12)} ${total.toFixed(1).padStart(6)} kB gz of ${budgetsKb[name]} (${files.size} files, ${texts.toFixed(1)} kB of texts)`);
  }
  const all = await Promise.all(chunks.filter((chunk) => chunk.type === 'chunk').map(async (chunk) => [chunk.fileName, await sizeOf(new Set([chunk.fileName]))] as const));
  for (const [file, kb] of all.sort((a, b) => b[1] - a[1]).slice(0, 12)) console.log(`  ${kb.toFixed(1).padStart(6)} kB  ${file}`);
  return isWithin;
}

/** One language's texts of the frame. */
async function textsKb(): Promise<number> {
  let bytes = 0;
  for (const folder of ['app', 'platform']) {
    const { zhTW } = (await import(pathToFileURL(path.join(root, 'src', folder, 'locales/zhTW.ts')).href)) as { zhTW: object };
    bytes += (await promisify(gzip)(JSON.stringify(zhTW))).length;
  }
  return bytes / 1024;
}

if (import.meta.main) {
  const isWithin = await report(await buildWeb(sourceHash()));
  if (!isWithin) {
    console.error('The browser side is larger than its budget.');
    process.exitCode = 1;
  }
}
