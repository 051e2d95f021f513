// Proves that the sets name files that exist: a file that moves must not change its set unnoticed.
import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { longTests, mainJourneys } from './test-sets.ts';

const root = path.resolve(import.meta.dirname, '..');

test.each(longTests)('%s names test files', (pattern) => {
  const found = globSync(pattern, { cwd: root }).filter((file) => file.endsWith('.test.ts'));
  expect(found.length).toBeGreaterThan(0);
});

test.each(mainJourneys)('e2e/%s is a journey', (name) => {
  expect(globSync(`e2e/${name}.e2e.ts`, { cwd: root })).toHaveLength(1);
});

test('every change waits for the main job, and for the ways in', () => {
  expect(mainJourneys).toEqual(expect.arrayContaining(['main-job', 'sign-in', 'routes']));
});
