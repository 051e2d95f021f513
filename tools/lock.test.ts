// Proves that `npm ci` finds every optional package in the lock file, whichever platform created it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { complete, missingOptionalPackages, type Lock } from './lock.ts';

test('the lock file is complete (fix it with `node tools/lock.ts`)', () => {
  const lock: Lock = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
  );
  expect(missingOptionalPackages(lock)).toEqual([]);
});

test('a missing entry is added for its own platform only', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/oxlint': {
        version: '1.2.3',
        optionalDependencies: { '@oxlint/binding-linux-x64-musl': '1.2.3', '@oxlint/darwin-arm64': '1.2.3' },
      },
    },
  };
  expect(complete(lock).packages).toMatchObject({
    'node_modules/@oxlint/binding-linux-x64-musl': {
      version: '1.2.3',
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
      optional: true,
    },
    'node_modules/@oxlint/darwin-arm64': { version: '1.2.3', os: ['darwin'], cpu: ['arm64'], optional: true },
  });
  expect(missingOptionalPackages(complete(lock))).toEqual([]);
});
