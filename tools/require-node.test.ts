// Proves that an old Node is rejected with help in both languages, and a recent one is accepted.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Runs the guard in a Node that reports another version and platform. */
function guard(
  version: string,
  platform: string,
): { readonly status: number | null; readonly stderr: string } {
  const disguise = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(disguise)}`,
      path.join(import.meta.dirname, 'require-node.mjs'),
    ],
    { encoding: 'utf8' },
  );
  return { status, stderr };
}

test('Node 24 and later pass silently', () => {
  expect(guard('24.0.0', 'linux')).toEqual({ status: 0, stderr: '' });
  expect(guard('100.1.0', 'darwin')).toEqual({ status: 0, stderr: '' });
});

test('an older Node is rejected, and npm ci is suggested in both languages', () => {
  const { status, stderr } = guard('20.19.0', 'linux');
  expect(status).toBe(1);
  expect(stderr).toMatch(/需要 Node 24 以上，目前是 20\.19\.0（.+）。\n請在專案資料夾執行「npm ci」/);
  expect(stderr).toMatch(/Node 24 or later is needed, this is 20\.19\.0 .+\nRun "npm ci"/);
});

test('on macOS the help is to install Node', () => {
  expect(guard('18.0.0', 'darwin').stderr).toMatch(/請先安裝 Node 24[^]*install Node 24 first/);
});

const canUnshare =
  process.platform === 'linux' && spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

/**
 * Runs a program as the first process of a namespace, as in a container, and sends SIGTERM after its first
 * output. Resolves to its exit code.
 */
async function ended(program: string): Promise<unknown> {
  const outer = spawn(
    'unshare',
    [
      '--pid',
      '--fork',
      '--kill-child',
      process.execPath,
      '--import',
      path.join(import.meta.dirname, 'require-node.mjs'),
      '--eval',
      program,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(outer.stdout, 'data');
  const first = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
  process.kill(Number(first), 'SIGTERM');
  const [code] = (await once(outer, 'exit')) as unknown[];
  return code;
}

test.skipIf(!canUnshare)('the first process of a container ends at a signal without a handler', async () => {
  const say = 'console.log(process.pid); setTimeout(() => process.exit(7), 3000);';
  expect(await ended(say)).toBe(143);
  expect(await ended(`process.on('SIGTERM', () => setTimeout(() => process.exit(5), 100)); ${say}`)).toBe(5);
});
