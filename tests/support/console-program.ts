// The console's program as few files, made once for a run of tests. Finding, reading and stripping its 1,300 TypeScript files is a third of
// what a start costs, and a run starts hundreds of consoles (docs/decisions/0129-consoles-of-tests-from-one-program.md).
import { mkdir, mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { sourceProgram } from './console-arguments.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Modules that start threads and programs or read files beside themselves go on doing so from where their source is. */
const whereTheSourceIs: Plugin = {
  name: 'where-the-source-is',
  transform: {
    filter: { code: /\bimport\.meta\.(url|dirname|filename|main)\b/ },
    handler(code, id) {
      const places = {
        url: JSON.stringify(pathToFileURL(id).href),
        dirname: JSON.stringify(path.dirname(id)),
        filename: JSON.stringify(id),
        // Only the entry is; none of those that ask is the entry.
        main: 'false',
      };
      return code.replace(
        /\bimport\.meta\.(url|dirname|filename|main)\b/g,
        (_whole, name: keyof typeof places) => places[name],
      );
    },
  },
};

/** Makes it in a folder of its own under dist/, from which it finds its packages, and answers its file. It is removed when this process ends. */
export async function buildConsoleProgram(): Promise<string> {
  await mkdir(path.join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(path.join(root, 'dist/console-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [whereTheSourceIs],
    build: {
      ssr: sourceProgram,
      outDir: folder,
      minify: false,
      // As it is, and quickly.
      rolldownOptions: { treeshake: false },
      reportCompressedSize: false,
      copyPublicDir: false,
    },
  });
  return path.join(folder, 'start.js');
}
