// The examples of docs/integrator/guides, unchanged, one guide after the other, with the command that `npm
// link` installs, signed in by a device code, from another folder and under the Node of this machine.
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { devices } from '#features/access/devices/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { codeOf } from '../support/documents.ts';

const run = promisify(execFile);
const guides = 'docs/integrator/guides';
const names = [...readFileSync(`${guides}/README.md`, 'utf8').matchAll(/^\d+\. \[.+\]\((.+)\.md\)$/gm)].map(
  ([, name = '']) => name,
);
const folder = mkdtempSync(join(tmpdir(), 'skytally-guides-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
const customerFolder = join(folder, 'customer');
let environment: Record<string, string>;

/** What each guide promises as the result. */
const results: Readonly<Record<string, RegExp>> = {
  'command-line': /^Operator \(admin@cloud\.example, Admin\)\n[\s\S]*org_\w+ {2}One\n\{"items":\[\]/,
  'price-a-service': /^0\.5\n$/,
  'subscribe-a-customer': /sub_\w+ {2}Messages {2}active +2024-08-31\n$/,
  'first-event': /^1 recorded, 0 already counted, 0 rejected\.\n$/,
  backfill: /^3 recorded, 0 already counted, 0 rejected\.\n0 recorded, 3 already counted, 0 rejected\.\n$/,
  // 100 messages at 0.5, plus 5 % tax.
  'close-preview': /^2024-09: nothing was issued\.\n1 bill, 53 TWD\n1\n$/,
  'read-a-bill': /B-202409-000001 {2}One[\s\S]*Total {2}53 TWD\n\{[\s\S]*\}\n$/,
  accounting: /^$/,
  'catalogue-in-git':
    /~ Messages|~ Text messages[\s\S]*Applied: 0 created, 1 updated, 0 unchanged\.\n[\s\S]*Nothing to do\.\nApplied: 1 created, 1 updated, 0 unchanged\.\n$/,
  'a-year-in-a-minute': /^1 recorded, [\s\S]*B-202401-000001 {2}Dawn[\s\S]*2024-0[12]-\d\d\S*\n$/,
  webhooks:
    /\+ https:\/\/hooks\.example\.com\/skytally[\s\S]*whsec_\S+ \(shown this once\)\nskytallyWebhooks: 1\n/,
};

/**
 * The machine’s own programs, without the paths that npm adds for a script, among them the Node that npm
 * itself runs on.
 */
function machinePath(programs: string): string {
  const own = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  // Where nothing else is called node, this one.
  const last = join(folder, 'node');
  mkdirSync(last);
  symlinkSync(process.execPath, join(last, 'node'));
  return [programs, ...own, last].join(delimiter);
}

/** Runs the commands of a document that sign in; a person confirms the code that they show. */
async function signInBy(console: TestConsole, commands: string, token: string, cwd: string): Promise<void> {
  const script = `set -euo pipefail\n${commands.replaceAll('https://console.example.com', console.address)}`;
  const child = spawn('bash', ['-c', script], { cwd, env: environment });
  let shown = '';
  const confirmed = new Promise<void>((done, failed) => {
    child.stderr.on('data', (part: Buffer) => {
      const before = shown;
      shown += part.toString();
      const found = /[A-Z]{4}-[A-Z]{4}/;
      const userCode = found.exec(shown)?.[0];
      if (userCode === undefined || found.test(before)) return;
      console
        .ok(devices.findDevice, { userCode }, { token })
        .then(({ possible, irreversible }) =>
          console.ok(
            devices.confirmDevice,
            { userCode, permissions: possible, irreversible, days: 30 },
            { token },
          ),
        )
        .then(() => done(), failed);
    });
    child.on('close', (code) => {
      if (code !== 0) failed(new Error(shown));
    });
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  await confirmed;
  expect(await ended, shown).toBe(0);
}

beforeAll(async () => {
  const console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
  const token = await setUp(console);
  const { token: owner } = await registerUser(console, 'owner@one.example', 'One');
  const { secret: meteringKey } = await console.ok(identity.createApiKey, { name: 'meter' }, { token });
  const prefix = join(folder, 'prefix');
  writeFileSync(join(folder, 'variables'), '');
  environment = {
    PATH: machinePath(join(prefix, 'bin')),
    HOME: folder,
    LANG: 'C.UTF-8',
    SKYTALLY_METERING_KEY: meteringKey,
    npm_config_prefix: prefix,
    npm_config_cache: join(folder, 'cache'),
    // What it would link exists already.
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  const [start] = codeOf(`${guides}/README.md`, 'sh');
  await signInBy(console, required(start, 'what comes before the guides'), token, process.cwd());
  const [customer] = codeOf(`${guides}/webhooks.md`, 'sh');
  await signInBy(console, required(customer, 'how a customer signs in'), owner, folder);
}, 60_000);

describe.skipIf(!existsSync('/bin/bash'))('T-GUIDES: the examples of the guides (need bash)', () => {
  it('are in eleven guides', () => {
    expect(names).toHaveLength(11);
    expect(Object.keys(results)).toEqual(expect.arrayContaining(names));
  });

  it.each(names)(
    '%s',
    async (name) => {
      const code = codeOf(`${guides}/${name}.md`, 'bash');
      expect(code.length).toBeGreaterThan(0);
      const script = `set -euo pipefail; source variables\n${code.join('\n')}\ndeclare -p SERVICE ORGANIZATION SUBSCRIPTION > variables 2>/dev/null || true\n`;
      const { stdout } = await run('bash', ['-c', script], {
        cwd: folder,
        // Endpoints are a customer’s own.
        env: { ...environment, ...(name === 'webhooks' && { XDG_CONFIG_HOME: customerFolder }) },
      });
      expect(stdout).toMatch(results[name] ?? /never/);
      if (name === 'accounting')
        expect(readFileSync(join(folder, 'bills-2024-09.csv'), 'utf8')).toContain('B-202409-000001');
    },
    120_000,
  );
});
