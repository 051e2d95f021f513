import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted-bugs-list.ts';

test.each(plantedBugs.map((bug) => [bug.name, bug] as const))(
  '%s can still be planted',
  (_name, { file, find, replace }) => {
    expect(readFileSync(resolve(import.meta.dirname, '..', file), 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  },
);
