// The examples of docs/integrator/api-keys.md, unchanged, each with a key that has exactly the permission
// named above it.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { isPermission } from '#kernel/permissions.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  type TestConsole,
} from '../support/console.ts';

const run = promisify(execFile);
const document = readFileSync('docs/integrator/api-keys.md', 'utf8');
/** The sentence before each example, and the example. */
const examples = [
  ...document.matchAll(/^(.+) \(`([a-z:]+)`(, irreversible)?\):\n\n```bash\n([\s\S]*?)^```$/gm),
].map(([, title = '', permission = '', irreversible, code = '']) => ({
  title,
  permission,
  irreversible: irreversible !== undefined,
  code,
}));
let console: TestConsole;
let admin: string;
const known: Record<string, string> = {};

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
  admin = await setUp(console);
  known['ORGANIZATION'] = (await registerUser(console, 'owner@one.example', 'One')).organizationId;
});

describe.skipIf(!existsSync('/usr/bin/curl'))('T-KEYS: the document’s examples (needs curl)', () => {
  it('there are ten', () => expect(examples).toHaveLength(10));

  it.each(examples)('$title', async ({ permission, irreversible, code }) => {
    if (!isPermission(permission)) throw new Error(`${permission} is no permission`);
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: permission, scope: 'permissions', permissions: [permission], irreversible },
      { token: admin },
    );
    const { stdout } = await run('bash', ['-c', code], {
      env: { ...process.env, ...known, CONSOLE: console.address, KEY: secret },
    });
    const answer = JSON.parse(stdout) as { isSuccess: boolean; data: Record<string, unknown> };
    expect(answer.isSuccess).toBe(true);
    if (permission === 'catalogue:write') known['SERVICE'] = String(answer.data['id']);
    if (irreversible) expect(answer.data).toMatchObject({ issued: 1, parked: 0 });
    if (permission === 'billing:read') expect(answer.data).toMatchObject({ total: 1 });
    // The audit log ends with the calls of these programs.
    if (permission === 'operations:read')
      expect(answer.data['items']).toContainEqual(
        expect.objectContaining({
          action: 'identity.invite',
          actor: expect.objectContaining({
            kind: 'apiKey',
            name: 'people:write',
            account: adminAccount.account,
          }),
        }),
      );
  });
});
