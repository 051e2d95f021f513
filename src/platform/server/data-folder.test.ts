import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assertWritable } from './data-folder.ts';
import { StartRefused } from './start-refused.ts';

test('a writable folder is unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  assertWritable(folder);
  expect(readdirSync(folder)).toEqual([]);
});

// Not even root can create files there.
test.skipIf(process.platform !== 'linux')('one that is not writable is rejected with its name', () => {
  expect(() => assertWritable('/proc/self')).toThrow(StartRefused);
  expect(() => assertWritable('/proc/self')).toThrow(
    'cannot make files in its data directory /proc/self: ENOENT',
  );
});
