// The clients for Python and Go as `npm run clients` creates them: generated, compiled, and the examples of
// their documents run against a console. Each needs Java; `.ci/run --all` installs it with Go.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { identity } from '#features/access/identity/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, setUp } from '../support/console.ts';
import { codeOf } from '../support/documents.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'skytally-clients-test-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));

const answers = (command: string, ...words: string[]): boolean => {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasJava = answers('java', '-version');
const hasPython = answers('python3', '-c', 'import urllib3, certifi, dateutil, six');
const hasGo = answers('go', 'version');
/** Of the 640 calls, which Go compiles in a minute, only those of the example. */
const someFeatures = 'billing,catalogue';
let environment: NodeJS.ProcessEnv;

/** Generates the client of a language, with the example of its document beside it. */
async function made(language: string, ...more: string[]): Promise<string> {
  const out = join(folder, language);
  await run(process.execPath, ['tools/clients.ts', '--language', language, '--out', out, ...more]);
  return out;
}

describe.skipIf(!hasJava || !(hasPython || hasGo))('the generated clients (need Java)', () => {
  beforeAll(async () => {
    const console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
    const token = await setUp(console);
    const { secret } = await console.ok(
      identity.createApiKey,
      {
        name: 'generated',
        scope: 'permissions',
        permissions: ['catalogue:read', 'catalogue:write', 'billing:read'],
        irreversible: true,
      },
      { token },
    );
    environment = { ...process.env, SKYTALLY_ADDRESS: console.address, SKYTALLY_KEY: secret };
  });

  it.skipIf(!hasPython)(
    'T-SDK: Python, of the whole API, compiles, creates and lists a service, and gets the reason of an error (needs python3 and its libraries)',
    async () => {
      const out = await made('python');
      await run('python3', ['-m', 'compileall', '-q', 'skytally'], { cwd: out });
      writeFileSync(
        join(out, 'example.py'),
        required(codeOf('sdk/python/README.md', 'python')[0], 'the example'),
      );
      const { stdout } = await run('python3', ['example.py'], { cwd: out, env: environment });
      expect(stdout).toContain('Messages from Python True\n');
      expect(stdout).toMatch(/^400 platform\.invalid\n$/m);
    },
    120_000,
  );

  it.skipIf(!hasGo)(
    'T-SDK: Go, of some features, compiles, creates and lists a service, and gets the reason of an error (needs go)',
    async () => {
      const out = await made('go', '--features', someFeatures);
      const env = {
        ...environment,
        // Neither the network nor anything installed on this machine.
        GOPROXY: 'off',
        GOFLAGS: '-mod=mod',
        GOCACHE: join(folder, 'go-cache'),
        GOPATH: join(folder, 'go-path'),
      };
      const example = join(folder, 'example');
      mkdirSync(example);
      writeFileSync(join(example, 'main.go'), required(codeOf('sdk/go/README.md', 'go')[0], 'the example'));
      await run('go', ['mod', 'init', 'example'], { cwd: example, env });
      const words = ['-require', 'skytally@v0.0.0', '-replace', `skytally=${out}`];
      await run('go', ['mod', 'edit', ...words], { cwd: example, env });
      const { stdout } = await run('go', ['run', '.'], { cwd: example, env });
      expect(stdout).toContain('Messages from Go true\n');
      expect(stdout).toMatch(/^400 .*platform\.invalid\n$/m);
    },
    240_000,
  );
});
