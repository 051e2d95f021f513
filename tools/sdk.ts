// `npm run sdk`: regenerates the TypeScript client from the contracts: the API document, and from it types
// and functions.
//   node tools/sdk.ts [--document-only]
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { everyFeature } from '#app/every-feature.ts';
import { apiDocument } from '#app/api-document.ts';
import { npm } from './npm.ts';

const folder = resolve(import.meta.dirname, '../sdk/typescript');
// Only the contracts are read, so no running console is needed.
const features = everyFeature({ jobs: () => [], kinds: () => [] });
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(await apiDocument(features))}\n`);

if (!process.argv.includes('--document-only')) {
  // The generator needs a TypeScript API that the console's own TypeScript version no longer has, so it has
  // its own installation here.
  if (!existsSync(join(folder, 'node_modules'))) npm(folder, 'ci', '--no-audit', '--no-fund');
  npm(folder, 'run', 'generate');
}
