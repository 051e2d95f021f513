#!/usr/bin/env node
// What `npm link` puts on the PATH as `skytally`. It is started by whichever Node is there, so it is plain JavaScript, and hands its words to skytally.ts in
// the Node that `npm ci` brought, as `npm run` would.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';
const folder = new URL('../../../../', import.meta.url);
const program = `bin/node${isWindows ? '.exe' : ''}`;
const brought = fileURLToPath(
  new URL(`node_modules/node-${isWindows ? 'win' : process.platform}-${process.arch}/${program}`, folder),
);
const { status, error } = spawnSync(
  existsSync(brought) ? brought : process.execPath,
  [
    '--import',
    new URL('tools/require-node.mjs', folder).href,
    fileURLToPath(new URL('skytally.ts', import.meta.url)),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
if (error) throw error;
// Without a status it was ended from outside.
process.exitCode = status ?? 1;
