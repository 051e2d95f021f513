// Proves that the check runs every step, respects its concurrency limit, and reports what failed.
import { expect, test } from 'vitest';
import { lineFor, runSteps, stepsFor } from './check.ts';
import { plantTree } from '#tests/support/source-tree.ts';

test('every compiler project is a step of its own', () => {
  const root = plantTree({
    'tsconfig.json': '{}',
    'tsconfig.base.json': '{}',
    'tsconfig.pure.json': '{}',
    'tsconfig.web.json': '{}',
  });
  expect(stepsFor(root).map((step) => step.name)).toEqual([
    'types pure',
    'types web',
    'format',
    'lint',
    'architecture',
    'locales',
    'knip',
    'bundle',
  ]);
});

test('a failed step does not stop the others and its output is shown', async () => {
  const root = plantTree({
    'good.mjs': "console.log('quiet');",
    'bad.mjs': "console.log('one');\nconsole.error('two');\nprocess.exit(3);",
  });
  const step = (name: string, program: string) => ({ name, program, args: [] });
  const lines: string[] = [];
  const outcomes = await runSteps(
    root,
    [step('bad', 'bad.mjs'), step('good', 'good.mjs'), step('absent', 'absent.mjs')],
    1,
    (outcome) => lines.push(lineFor({ ...outcome, seconds: 1 })),
  );
  expect(outcomes.map((one) => one.isGood)).toEqual([false, true, false]);
  expect(lines.slice(0, 2)).toEqual([
    'FAIL bad                1.0 s\n     one\n     two\n',
    'ok   good               1.0 s\n',
  ]);
  expect(lines[2]).toContain('absent.mjs');
});
