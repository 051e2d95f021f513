// Proves that `npm test` runs both runners, whatever the first one’s result, and that files of both can be
// selected.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runAll, runsFor } from './run-tests.ts';
import { everyChange, testSetVariable } from './test-sets.ts';
import { plantTree } from '#tests/support/source-tree.ts';

const vitest = 'node_modules/vitest/vitest.mjs';
const playwright = 'node_modules/@playwright/test/cli.js';
const commandsFor = (...args: string[]) => runsFor(args).map((run) => [run.program, ...run.args]);

test('without arguments the tests of every change run, journeys last; --all runs every test', () => {
  for (const args of [[], ['--all']])
    expect(commandsFor(...args)).toEqual([
      [vitest, 'run'],
      [playwright, 'test'],
    ]);
  const setsOf = (...args: string[]) => runsFor(args).map(({ environment }) => environment[testSetVariable]);
  expect(setsOf()).toEqual([everyChange, everyChange]);
  expect(setsOf('--all')).toEqual([undefined, undefined]);
  for (const program of [vitest, playwright])
    expect(existsSync(path.resolve(import.meta.dirname, '..', program)), program).toBe(true);
});

test('a file is passed to its own runner, whatever its set, and the other one does not run', () => {
  expect(runsFor(['tests/faults'])).toMatchObject([{ args: ['run', 'tests/faults'], environment: {} }]);
  expect(commandsFor('e2e/lists', './e2e/toasts.e2e.ts')).toEqual([
    [playwright, 'test', 'e2e/lists', './e2e/toasts.e2e.ts'],
  ]);
  expect(commandsFor('src/kernel')).toEqual([[vitest, 'run', 'src/kernel']]);
  expect(commandsFor('lists.e2e.ts', 'tools/check')).toEqual([
    [vitest, 'run', 'tools/check'],
    [playwright, 'test', 'lists.e2e.ts'],
  ]);
});

test('each runner writes its report into the folder', () => {
  const [first, second] = runsFor(['--reports', '/tmp/reports']);
  expect(first?.args).toContain('--outputFile.json=/tmp/reports/vitest.json');
  expect(second?.environment).toMatchObject({ PLAYWRIGHT_JSON_OUTPUT_NAME: '/tmp/reports/playwright.json' });
});

test('unknown arguments are rejected', () => {
  expect(() => runsFor(['--project=pure'])).toThrow('--project');
});

test('the second runner runs after a failure of the first, and one failure fails the command', async () => {
  const root = plantTree({
    'good.mjs': "import { appendFileSync } from 'node:fs'; appendFileSync('told', process.env.WORD);",
    'bad.mjs': "import { appendFileSync } from 'node:fs'; appendFileSync('told', 'bad'); process.exit(3);",
  });
  const run = (program: string) => ({ program, args: [], environment: { WORD: 'good' } });
  expect(await runAll(root, [run('bad.mjs'), run('good.mjs')])).toBe(false);
  expect(await runAll(root, [run('good.mjs'), run('bad.mjs')])).toBe(false);
  expect(await runAll(root, [run('good.mjs'), run('good.mjs')])).toBe(true);
  expect(readFileSync(path.join(root, 'told'), 'utf8')).toBe('badgoodgoodbadgoodgood');
});
