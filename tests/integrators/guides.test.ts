// The examples of docs/integrator/guides, as they stand there, one guide after the other, by the real command line.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '#kernel/permissions.ts';
import { identity } from '#features/access/identity/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { codeOf } from '../support/documents.ts';

const run = promisify(execFile);
const guides = 'docs/integrator/guides';
const names = [...readFileSync(`${guides}/README.md`, 'utf8').matchAll(/^\d+\. \[.+\]\((.+)\.md\)$/gm)].map(
  ([, name = '']) => name,
);
const folder = mkdtempSync(join(tmpdir(), 'skytally-guides-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
let environment: Record<string, string>;
let ownerKey: string;

/** What each guide says when it is done right. */
const said: Readonly<Record<string, RegExp>> = {
  'command-line': /^Operator \(admin@cloud\.example, Admin\)\n[\s\S]*org_\w+ {2}One\n\{"items":\[\]/,
  'price-a-service': /^0\.5\n$/,
  'subscribe-a-customer': /sub_\w+ {2}Messages {2}active +2024-08-31\n$/,
  'first-event': /^1 recorded, 0 already counted, 0 rejected\.\n$/,
  backfill: /^3 recorded, 0 already counted, 0 rejected\.\n0 recorded, 3 already counted, 0 rejected\.\n$/,
  // 100 messages at 0.5, and 5 % of tax on top.
  'close-preview': /^2024-09: nothing was issued\.\n1 bill, 53 TWD\n1\n$/,
  'read-a-bill': /B-202409-000001 {2}One[\s\S]*Total {2}53 TWD\n\{[\s\S]*\}\n$/,
  accounting: /^$/,
  'catalogue-in-git':
    /~ Messages|~ Text messages[\s\S]*Applied: 0 created, 1 updated, 0 unchanged\.\n[\s\S]*Nothing to do\.\nApplied: 1 created, 1 updated, 0 unchanged\.\n$/,
  'a-year-in-a-minute': /^1 recorded, [\s\S]*B-202401-000001 {2}Dawn[\s\S]*2024-0[12]-\d\d\S*\n$/,
  webhooks:
    /\+ https:\/\/hooks\.example\.com\/skytally[\s\S]*whsec_\S+ \(shown this once\)\nskytallyWebhooks: 1\n/,
};

beforeAll(async () => {
  const console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
  const token = await setUp(console);
  const { token: owner } = await registerUser(console, 'owner@one.example', 'One');
  const permissions: Permission[] = [
    'catalogue:read',
    'catalogue:write',
    'customers:read',
    'customers:write',
    'subscriptions:read',
    'subscriptions:write',
    'billing:read',
    'billing:write',
    'operations:read',
    'operations:write',
  ];
  const [{ secret: key }, { secret: meteringKey }, own] = [
    await console.ok(
      identity.createApiKey,
      { name: 'guides', scope: 'permissions', permissions, irreversible: true },
      { token },
    ),
    await console.ok(identity.createApiKey, { name: 'meter' }, { token }),
    await console.ok(
      identity.createOrganizationKey,
      { name: 'guides', scope: 'permissions', permissions: ['operations:read', 'operations:write'] },
      { token: owner },
    ),
  ];
  ownerKey = own.secret;
  // As `npm link` makes it.
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/app/cli/remote/skytally.ts')}' "$@"\n`;
  writeFileSync(join(programs, 'skytally'), command);
  chmodSync(join(programs, 'skytally'), 0o755);
  writeFileSync(join(folder, 'variables'), '');
  environment = {
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    SKYTALLY_ADDRESS: console.address,
    SKYTALLY_KEY: key,
    SKYTALLY_METERING_KEY: meteringKey,
  };
});

describe.skipIf(!existsSync('/bin/bash'))('T-GUIDES: the examples of the guides (need bash)', () => {
  it('are in eleven guides', () => {
    expect(names).toHaveLength(11);
    expect(Object.keys(said)).toEqual(expect.arrayContaining(names));
  });

  it.each(names)(
    '%s',
    async (name) => {
      const code = codeOf(`${guides}/${name}.md`, 'bash');
      expect(code.length).toBeGreaterThan(0);
      const script = `set -euo pipefail; source variables\n${code.join('\n')}\ndeclare -p SERVICE ORGANIZATION SUBSCRIPTION > variables 2>/dev/null || true\n`;
      const { stdout } = await run('bash', ['-c', script], {
        cwd: folder,
        // Endpoints are a customer's own.
        env: { ...environment, ...(name === 'webhooks' && { SKYTALLY_KEY: ownerKey }) },
      });
      expect(stdout).toMatch(said[name] ?? /never/);
      if (name === 'accounting')
        expect(readFileSync(join(folder, 'bills-2024-09.csv'), 'utf8')).toContain('B-202409-000001');
    },
    120_000,
  );
});
