// The program that recomputes a bill, as one JavaScript file that runs on any Node version that a customer
// may have.
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { ZipEntry } from '#platform/server/files/zip.ts';

const folder = new URL('../../../../../verify-bill/', import.meta.url);
/** Its source files, each after those that it imports. */
const parts = ['exact.ts', 'rating.ts', 'verify-bill.ts'];
const importsOfParts = /^import [^;]* from '\.\/[a-z]+\.ts';\n/gm;
let made: Promise<readonly ZipEntry[]> | undefined;

async function read(): Promise<readonly ZipEntry[]> {
  const text = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
  const sources = await Promise.all(parts.map(text));
  const program = sources
    .map((source) => stripTypeScriptTypes(source.replace(importsOfParts, '')).replace(/^export /gm, ''))
    .join('\n');
  return [
    { name: 'verify-bill.mjs', content: [program] },
    { name: 'README.txt', content: [await text('README.txt')] },
  ];
}

/** The program and its instructions; built once. */
export function programFiles(): Promise<readonly ZipEntry[]> {
  made ??= read();
  return made;
}
