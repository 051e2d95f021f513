// `npm run check`: everything that can be checked without running the product, two steps at a time, one
// output line each.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';

/** One step: a JavaScript or TypeScript program and its arguments, run by the current Node in the project folder. */
export type Step = { readonly name: string; readonly program: string; readonly args: readonly string[] };
export type Outcome = {
  readonly step: Step;
  readonly isGood: boolean;
  readonly seconds: number;
  readonly output: string;
};

// `npm run lint` defines what is linted, and how strictly.
const manifest: { readonly scripts: { readonly lint: string } } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8'),
);

/** The steps for the project in `root`: one for each compiler setting, then the tools. */
export function stepsFor(root: string): readonly Step[] {
  const compilers = globSync('tsconfig.*.json', { cwd: root })
    .filter((file) => file !== 'tsconfig.base.json')
    .toSorted();
  return [
    ...compilers.map((file) => ({
      name: `types ${file.split('.')[1]}`,
      program: 'node_modules/typescript/bin/tsc',
      args: ['-p', file],
    })),
    { name: 'format', program: 'node_modules/oxfmt/bin/oxfmt', args: ['--check', '.'] },
    {
      name: 'lint',
      program: 'node_modules/oxlint/bin/oxlint',
      args: manifest.scripts.lint.split(' ').slice(1),
    },
    { name: 'architecture', program: 'tools/architecture.ts', args: ['--check'] },
    { name: 'locales', program: 'tools/locales.ts', args: [] },
    { name: 'knip', program: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
    // The size of a first visit, against its budgets.
    { name: 'bundle', program: 'tools/build-web.ts', args: [] },
  ];
}

/** Runs one step to completion. A program that cannot be started counts as a failed step, not as an error. */
export async function runStep(root: string, step: Step): Promise<Outcome> {
  const started = performance.now();
  const output: string[] = [];
  const child = spawn(process.execPath, [path.join(root, step.program), ...step.args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const isGood = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output.push(`${error.message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  return { step, isGood, seconds: (performance.now() - started) / 1000, output: output.join('') };
}

/** Runs all steps, `width` at a time, and reports each outcome as soon as it is known. */
export async function runSteps(
  root: string,
  steps: readonly Step[],
  width: number,
  report: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const turns = pLimit(width);
  return turns.map(steps, async (step) => {
    const outcome = await runStep(root, step);
    report(outcome);
    return outcome;
  });
}

/**
 * The output of a step: `ok` or `FAIL`, name and seconds, followed by what a failed step printed. Continuous
 * integration counts the first words.
 */
export function lineFor(outcome: Outcome): string {
  const line = `${outcome.isGood ? 'ok  ' : 'FAIL'} ${outcome.step.name.padEnd(16)} ${outcome.seconds.toFixed(1).padStart(5)} s\n`;
  return outcome.isGood ? line : `${line}${outcome.output.trimEnd().replaceAll(/^/gm, '     ')}\n`;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const outcomes = await runSteps(root, stepsFor(root), 2, (outcome) =>
    process.stdout.write(lineFor(outcome)),
  );
  const failed = outcomes.filter((one) => !one.isGood).length;
  process.stdout.write(
    failed === 0
      ? `all ${outcomes.length} steps are good\n`
      : `${failed} of ${outcomes.length} steps failed\n`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}
