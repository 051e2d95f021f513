// Proves that an old Node is stopped with help in both languages, and a good one is left alone.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Runs the guard in a Node that says it is of another version and platform. */
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

test('Node 24 and later pass in silence', () => {
  expect(guard('24.0.0', 'linux')).toEqual({ status: 0, stderr: '' });
  expect(guard('100.1.0', 'darwin')).toEqual({ status: 0, stderr: '' });
});

test('an older Node is stopped, and npm ci is named in both languages', () => {
  const { status, stderr } = guard('20.19.0', 'linux');
  expect(status).toBe(1);
  expect(stderr).toMatch(/需要 Node 24 以上，目前是 20\.19\.0（.+）。\n請在專案資料夾執行「npm ci」/);
  expect(stderr).toMatch(/Node 24 or later is needed, this is 20\.19\.0 .+\nRun "npm ci"/);
});

test('on macOS the help is to install Node', () => {
  expect(guard('18.0.0', 'darwin').stderr).toMatch(/請先安裝 Node 24[^]*install Node 24 first/);
});
