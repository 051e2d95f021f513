// Writes small source trees into a temporary folder for the tests of the tools, and removes them afterwards.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** The files of a tree: path below its root → text. */
export type Files = Readonly<Record<string, string>>;

/** Writes the files below a new temporary folder that is removed when the test ends; returns the folder. */
export function plantTree(files: Files): string {
  const root = mkdtempSync(path.join(tmpdir(), 'skytally-tree-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}
