// `npm run sdk`: makes the TypeScript client anew from the contracts: the API document, and from it types and functions.
//   node tools/sdk.ts [--document-only]
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { everyFeature } from '#app/every-feature.ts';
import { apiDocument } from '#app/api-document.ts';

const folder = resolve(import.meta.dirname, '../sdk/typescript');
// Only contracts are read: nothing of a running console is asked for.
const features = everyFeature({ jobs: () => [], kinds: () => [] });
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(await apiDocument(features))}\n`);

if (!process.argv.includes('--document-only')) {
  // The npm that came with this Node, where there is one.
  const beside = join(dirname(process.execPath), 'npm');
  const npm = existsSync(beside) ? beside : 'npm';
  const run = (...words: string[]): void =>
    void execFileSync(npm, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  // The generator reads TypeScript by an interface that the console's own TypeScript no longer has, so it is installed here.
  if (!existsSync(join(folder, 'node_modules'))) run('ci', '--no-audit', '--no-fund');
  run('run', 'generate');
}
