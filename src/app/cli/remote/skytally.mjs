#!/usr/bin/env node
// The program that `npm link` puts on the PATH as `skytally`. Any installed Node may run it, so it is plain
// JavaScript; it passes its arguments to skytally.ts, run by the Node that `npm ci` installed, as `npm run`
// would do.
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
// Without a status, a signal ended it.
process.exitCode = status ?? 1;
