import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted-bugs-list.ts';

test.each(plantedBugs)('can still be planted: $what', ({ file, find, replace }) => {
  expect(readFileSync(resolve(import.meta.dirname, '..', file), 'utf8').split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});
