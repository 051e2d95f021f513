// `npm run planted-bugs [-- text …]`: plants each known bug, or those whose description or file contains one of
// the texts, in a copy of the project and checks that the tests fail. A test that still passes reveals a gap.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PlantedBug } from './planted-bug.ts';
import { plantedBugs } from './planted-bugs-list.ts';

const root = resolve(import.meta.dirname, '..');
const projects = ['--project=pure', '--project=server'];

/** Copies the files under version control in their current state; installed packages are shared. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-planted-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

/** Modifies the file, runs the tests, and restores the file. */
function isCaught(folder: string, bug: PlantedBug): boolean {
  const file = join(folder, bug.file);
  const sound = readFileSync(file, 'utf8');
  if (sound.split(bug.find).length !== 2)
    throw new Error(
      `${bug.what}: ${bug.file} has what is to be changed ${sound.split(bug.find).length - 1} times instead of once`,
    );
  writeFileSync(
    file,
    sound.replace(bug.find, () => bug.replace),
  );
  try {
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...bug.tests, '--bail=1', '--reporter=dot'],
      { cwd: folder, stdio: 'ignore' },
    );
    return status !== 0;
  } finally {
    writeFileSync(file, sound);
  }
}

const chosen = process.argv.slice(2);
const bugs = plantedBugs.filter(
  ({ what, file }) =>
    chosen.length === 0 || chosen.some((text) => what.includes(text) || file.includes(text)),
);
if (bugs.length === 0) {
  process.stderr.write('No description or file of a planted bug contains that.\n');
  process.exit(2);
}
const folder = copyProject();
let missed = 0;
try {
  const tests = [...new Set(bugs.flatMap((bug) => bug.tests))];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...tests, '--reporter=dot'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) throw new Error('the tests are red without any bug: mend them first');
  for (const bug of bugs) {
    const began = performance.now();
    const caught = isCaught(folder, bug);
    if (!caught) missed += 1;
    process.stdout.write(
      `${caught ? 'caught' : 'MISSED'} ${((performance.now() - began) / 1000).toFixed(0).padStart(3)} s  ${bug.what}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${bugs.length - missed} of ${bugs.length} caught\n`);
process.exit(missed === 0 ? 0 : 1);
