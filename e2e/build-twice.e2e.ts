// Two builds of the same sources are the same files (reliability.md 2.J-167).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildAgain } from '../src/platform/server/http/web-build.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const first = resolve(import.meta.dirname, '../dist/web');
const place = mkdtempSync(join(tmpdir(), 'skytally-build-'));
const second = join(place, 'web');
test.afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Every file that Vite wrote; compressed copies and the build’s fingerprint are created later. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$|^stamp\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted();

test.describe('2.J-167 the browser build', () => {
  test('is the same, byte by byte, when it is built again, by two processes at once, and leaves nothing else behind', async () => {
    await Promise.all([buildAgain(second), buildAgain(second)]);
    expect(readdirSync(place)).toEqual(['web']);
    expect(filesOf(second)).toEqual(filesOf(first));
    expect(
      filesOf(second).filter(
        (file) => !readFileSync(join(first, file)).equals(readFileSync(join(second, file))),
      ),
    ).toEqual([]);
  });
});
