// Builds the browser application when its sources have changed: hashed files, with brotli and gzip versions,
// and a stamp.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as z from 'zod/mini';
import { childEnvironment } from '../config.ts';
import { hasCode } from '../system-error.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const out = path.join(root, 'dist/web');
const stampOf = (folder: string): string => path.join(folder, 'stamp.json');
/** All sources of the browser application. */
const inputs = [
  'index.html',
  'vite.config.ts',
  'tools/web-plugins.ts',
  'tools/language-tags.ts',
  'src/languages/*/language.json',
  'src/languages/*/connection.json',
  'package-lock.json',
  'public/**',
  'sdk/typescript/src/embed.ts',
  'src/kernel/*.ts',
  'src/platform/web/**',
  'src/platform/locales/*.ts',
  'src/features/*/*/contract*.ts',
  'src/features/*/*/rules*.ts',
  'src/features/*/*/locales/*.ts',
  'src/features/*/*/web/**',
  'src/app/*.ts',
  'src/app/locales/*.ts',
  'src/app/web/**',
];

type Log = { info: (message: string) => void };
/** One file of a build, as Vite reports it. */
export type Chunk = {
  type: 'chunk' | 'asset';
  fileName: string;
  code?: string;
  imports?: string[];
  moduleIds?: string[];
  isEntry?: boolean;
};

/** All sources, as sorted absolute paths. */
const sourceFiles = (): readonly string[] =>
  globSync(inputs, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

/** The first 16 hexadecimal digits of a SHA-256 over what `update` is given. */
function digestOf(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** The content hash of all sources, 16 hexadecimal digits. Reads every file, which takes a quarter of a second. */
export const sourceHash = (files = sourceFiles()): string =>
  digestOf(files.flatMap((file) => [path.relative(root, file), readFileSync(file)]));

/** Changes whenever a source was written, added or removed; much faster than {@link sourceHash}. */
const fingerprintOf = (files: readonly string[]): string =>
  digestOf(
    files.map((file) => {
      const { size, mtimeMs } = statSync(file);
      return `${path.relative(root, file)} ${size} ${mtimeMs}`;
    }),
  );

/**
 * Makes sure that dist/web matches the sources. Builds only when the content of its sources differs; without Vite (in the
 * production image) it uses the existing build. Throws when there is neither. `stop` ends a build under way, which
 * leaves nothing behind; then it rejects with the signal's reason.
 */
export async function ensureWebBuild(log: Log, stop?: AbortSignal): Promise<void> {
  const stamp = readStamp(out);
  if (!existsSync(path.join(root, 'node_modules/vite'))) {
    if (stamp === undefined)
      throw new Error(
        'dist/web is missing and Vite is not installed: run "npm ci" and "npm run build" first.',
      );
    return;
  }
  const files = sourceFiles();
  // Before the content is read, so that a file written meanwhile is noticed at the next start.
  const fingerprint = fingerprintOf(files);
  if (stamp?.fingerprint === fingerprint) return;
  const hash = sourceHash(files);
  if (stamp?.hash !== hash) {
    log.info('Building the browser side, because its sources have changed.');
    const startedAt = performance.now();
    await buildApart([], stop);
    log.info(`Built the browser side in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
  await rememberFingerprint({ hash, fingerprint }, log);
}

/** What a build was made from. The fingerprint is there once a start has compared the content. */
const Stamp = z.object({ hash: z.string(), fingerprint: z.optional(z.string()) });
type Stamp = z.output<typeof Stamp>;

const readStamp = (folder: string): Stamp | undefined =>
  existsSync(stampOf(folder))
    ? z.safeParse(Stamp, JSON.parse(readFileSync(stampOf(folder), 'utf8'))).data
    : undefined;

/**
 * Lets the next start skip reading the sources. A build of other sources that came meanwhile keeps its own
 * stamp. A folder that the console may not write to is fine: then every start reads them.
 */
async function rememberFingerprint(stamp: Stamp, log: Log): Promise<void> {
  if (readStamp(out)?.hash !== stamp.hash) return;
  // Written beside the folder and moved into it, so that no start reads half of it.
  const draft = `${out}.stamp.${process.pid}`;
  try {
    await writeFile(draft, JSON.stringify(stamp));
    await rename(draft, stampOf(out));
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    log.info(`${path.dirname(out)} is read-only, so every start compares all sources of the browser side.`);
    await rm(draft, { force: true });
  }
}

/** The folders beside `folder` in which a process builds, and into which it moves the build before. */
const draftsOf = (folder: string, pid: number) => ({
  draft: `${folder}.${pid}`,
  former: `${folder}.${pid}.former`,
});

async function removeDrafts(folder: string, pid: number): Promise<void> {
  const { draft, former } = draftsOf(folder, pid);
  await Promise.all([draft, former].map((left) => rm(left, { recursive: true, force: true })));
}

/** Builds in a separate process, so that the bundler's memory is not the console's. */
async function buildApart(folder: readonly string[], stop?: AbortSignal): Promise<void> {
  stop?.throwIfAborted();
  const child = spawn(process.execPath, [import.meta.filename, ...folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: childEnvironment(),
  });
  const end = (): void => void child.kill();
  stop?.addEventListener('abort', end);
  const [code] = (await once(child, 'exit')) as [number | null];
  stop?.removeEventListener('abort', end);
  if (stop?.aborted === true) {
    // It was ended in the middle, so it has not tidied up.
    if (child.pid !== undefined) await removeDrafts(out, child.pid);
    throw stop.reason;
  }
  if (code !== 0) throw new Error('The browser side could not be built; the reason stands above.');
}

/**
 * Builds, compresses and stamps in a temporary folder beside `folder`, and then renames it: consoles that
 * start at the same time never write into each other's build, and nobody sees a partial one. If a build of
 * the same sources is in place by then, it is kept.
 */
export async function buildWeb(hash: string, folder = out): Promise<Chunk[]> {
  const { draft, former } = draftsOf(folder, process.pid);
  try {
    const chunks = await bundle(hash, draft);
    const files = readdirSync(draft, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    // index.html gets a nonce with every response, so it cannot be compressed in advance.
    await Promise.all(
      files.filter((file) => /\.(js|css|svg|txt|json|webmanifest)$/.test(file)).map(compress),
    );
    await writeFile(stampOf(draft), JSON.stringify({ hash }));
    if (readStamp(folder)?.hash !== hash) {
      if (existsSync(folder)) await rename(folder, former);
      await rename(draft, folder);
    }
    return chunks;
  } finally {
    await removeDrafts(folder, process.pid);
  }
}

/** Builds into another folder in a separate process, for comparison. */
export async function buildAgain(folder: string): Promise<void> {
  await buildApart([folder]);
}

async function bundle(hash: string, folder: string): Promise<Chunk[]> {
  const { build } = await import('vite');
  const result = await build({
    root,
    logLevel: 'warn',
    mode: 'production',
    define: { __BUILD__: JSON.stringify(hash) },
    build: { outDir: folder },
  });
  const outputs = Array.isArray(result) ? result : [result];
  return outputs.flatMap((one) => ('output' in one ? (one.output as Chunk[]) : []));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < 512) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

if (import.meta.main) await buildWeb(sourceHash(), process.argv[2]);
