// Proves that a picture that has changed is reported, and only that one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { picturesFile } from './screens-album.ts';

type Sheet = { readonly width: number; readonly height: number; readonly white: number };

/** Gray images that begin with a given number of white pixels. */
async function folderOf(sheets: Readonly<Record<string, Sheet>>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'screens-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, { width, height, white }] of Object.entries(sheets)) {
    const data = Uint8Array.from({ length: width * height * 3 }, (_, index) =>
      index < white * 3 ? 255 : 100,
    );
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(path.join(folder, name));
  }
  return folder;
}

test('reports what changed beyond the tolerance, what became longer, and what is new', async () => {
  const sheet = { width: 40, height: 40, white: 0 };
  const before = await folderOf({
    'same.png': sheet,
    'little.png': sheet,
    'most.png': sheet,
    'longer.png': sheet,
  });
  const out = await folderOf({
    'same.png': sheet,
    'little.png': { ...sheet, white: 5 },
    'most.png': { ...sheet, white: 6 },
    'longer.png': { ...sheet, height: 41 },
    'new.png': sheet,
    // From an earlier run.
    'other.png': sheet,
  });
  const files = ['same.png', 'little.png', 'most.png', 'longer.png', 'new.png'];
  writeFileSync(path.join(out, picturesFile), JSON.stringify(files));
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config=tools/screens-against.config.ts',
      '--reporter=json',
    ],
    {
      cwd: path.resolve(import.meta.dirname, '..'),
      encoding: 'utf8',
      env: { ...process.env, SCREENS_OUT: out, SCREENS_AGAINST: before, SCREENS_MOST: '5' },
    },
  );
  const report: { suites: { specs: { title: string; ok: boolean }[] }[] } = JSON.parse(stdout);
  expect(
    report.suites
      .flatMap((one) => one.specs)
      .map(({ title, ok }) => `${title} ${ok ? 'as before' : 'changed'}`),
  ).toEqual([
    'same.png as before',
    'little.png as before',
    'most.png changed',
    'longer.png changed',
    'new.png changed',
  ]);
  expect(status).toBe(1);
  expect(existsSync(path.join(before, 'new.png')), 'earlier pictures stay what they were').toBe(false);
});
