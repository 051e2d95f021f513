// The version of this console, from its package.json.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const packageFile = new URL('../../../package.json', import.meta.url);
/** Shown as v1.0.0 (R-SHELL-17). */
export const version = `v${z.parse(z.object({ version: z.string() }), JSON.parse(readFileSync(packageFile, 'utf8'))).version}`;
