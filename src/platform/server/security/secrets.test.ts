import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skytally-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('2.J-159 the installation’s secrets', () => {
  it('are made once, for their owner’s eyes only, and nothing half-made stays', () => {
    const first = loadSecrets(folder);
    expect(loadSecrets(folder)).toEqual(first);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });
  it.each([0o640, 0o604, 0o660, 0o666, 0o620])(
    'are not used when others can get at them (mode %o): the start is refused and says how to mend it',
    (mode) => {
      loadSecrets(folder);
      chmodSync(join(folder, 'secrets.json'), mode);
      expect(() => loadSecrets(folder)).toThrow(`chmod 600 ${join(folder, 'secrets.json')}`);
    },
  );
  it('are never made anew over a file that cannot be read as one', () => {
    writeFileSync(join(folder, 'secrets.json'), '{"accessTokenKey":', { mode: 0o600 });
    expect(() => loadSecrets(folder)).toThrow();
    expect(statSync(join(folder, 'secrets.json')).size).toBe(18);
  });
});
