// `npm test`: the tests of every change, one runner after the other: Vitest (rules, server, browser components), then Playwright Test (journeys).
//   npm run test:all                       every test, also those that tools/test-sets.ts leaves out of every change
//   npm test -- e2e/lists src/kernel       only files whose paths contain one of the texts, whatever their set; e2e/… are journeys, all others Vitest's
//   npm test -- --reports FOLDER           also writes each runner's machine-readable report: vitest.json, playwright.json
// For everything else call a runner directly, which knows all files: npx vitest run …, npx playwright test …
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { everyChange, testSetVariable } from './test-sets.ts';

export type Run = {
  /** A JavaScript file in the project folder, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** The runs that the arguments of `npm test` ask for, in order. Throws for an unknown option. */
export function runsFor(args: readonly string[]): readonly Run[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { reports: { type: 'string' }, all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const folder = values.reports === undefined ? undefined : path.resolve(values.reports);
  const [journeys = [], others = []] = [true, false].map((isJourney) =>
    positionals.filter((text) => /(^|\/)e2e\/|\.e2e\b/.test(text) === isJourney),
  );
  const isWhole = positionals.length === 0;
  const set: Run['environment'] = isWhole && !values.all ? { [testSetVariable]: everyChange } : {};
  const vitest: Run = {
    program: 'node_modules/vitest/vitest.mjs',
    args: [
      'run',
      ...others,
      ...(folder === undefined
        ? []
        : ['--reporter=default', '--reporter=json', `--outputFile.json=${path.join(folder, 'vitest.json')}`]),
    ],
    environment: set,
  };
  const playwright: Run = {
    program: 'node_modules/@playwright/test/cli.js',
    args: ['test', ...journeys],
    environment: {
      ...set,
      ...(folder !== undefined && { PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(folder, 'playwright.json') }),
    },
  };
  return [
    ...(isWhole || others.length > 0 ? [vitest] : []),
    ...(isWhole || journeys.length > 0 ? [playwright] : []),
  ];
}

/**
 * Runs all of them in `root`, even after one that failed; returns whether all succeeded. A termination signal
 * stops the current one, and the others are not started.
 */
export async function runAll(root: string, runs: readonly Run[]): Promise<boolean> {
  let isGood = true;
  let ended: NodeJS.Signals | undefined;
  for (const { program, args, environment } of runs) {
    const child = spawn(process.execPath, [path.join(root, program), ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    });
    const end = (signal: NodeJS.Signals): void => {
      ended = signal;
      child.kill(signal);
    };
    process.on('SIGTERM', end).on('SIGINT', end);
    const [code] = (await once(child, 'close')) as [number | null];
    process.off('SIGTERM', end).off('SIGINT', end);
    isGood &&= code === 0;
    if (ended !== undefined) return false;
  }
  return isGood;
}

if (import.meta.main) {
  const isGood = await runAll(path.resolve(import.meta.dirname, '..'), runsFor(process.argv.slice(2)));
  process.exitCode = isGood ? 0 : 1;
}
