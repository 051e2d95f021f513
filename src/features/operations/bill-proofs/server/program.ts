// The program that recomputes a bill, as one file of JavaScript that runs on every Node a customer may have.
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { ZipEntry } from '#platform/server/files/zip.ts';

const folder = new URL('../../../../../verify-bill/', import.meta.url);
/** Its parts, each after those that it imports. */
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

/** The program and how to use it; made once. */
export function programFiles(): Promise<readonly ZipEntry[]> {
  made ??= read();
  return made;
}
