import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

test('every direct dependency has an exact version and a line in CONTRIBUTING', () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const guide = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const isListed = (name: string): boolean =>
    guide.includes(`\`${name}\``) || guide.includes(`\`${name.split('/')[0]}/*\``);
  const direct = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  );
  expect(direct.length).toBeGreaterThan(50);
  expect(direct.filter(([name]) => !isListed(name)).map(([name]) => name)).toEqual([]);
  expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});
