// Compares each picture of a run with the earlier one of the same name.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { picturesFile } from './screens-album.ts';

const out = process.env['SCREENS_OUT'] ?? '';
const files: readonly string[] = JSON.parse(readFileSync(path.join(out, picturesFile), 'utf8'));

for (const file of files)
  test(file, async () => expect(await readFile(path.join(out, file))).toMatchSnapshot(file));
