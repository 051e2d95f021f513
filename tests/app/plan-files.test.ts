// Organizations and webhooks as files: a plan shows what would change, nothing changes without it, and it is
// rejected when something has changed since.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '#kernel/permissions.ts';
import { identity } from '#features/access/identity/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import type { Outcome } from '../support/cli.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { runRemote } from '../support/remote-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-files-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
let console: TestConsole;
let admin: string;
let owner: string;
let organizationId: string;
let adminKey: string;
let ownerKey: string;
const path = join(folder, 'file.yaml');

const cli = (key: string, ...words: string[]): Promise<Outcome> =>
  runRemote(words, { address: console.address, key, credentialsFile: join(folder, 'none.json') });
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
/** The plan of the current file. */
const planned = async (key: string, word: string): Promise<string> =>
  /^Plan (\w{16}):/.exec((await cli(key, word, 'plan', path)).out)?.[1] ?? '';
const keyOf = async (token: string, permissions: Permission[], isAdmin: boolean): Promise<string> =>
  (
    await console.ok(
      isAdmin ? identity.createApiKey : identity.createOrganizationKey,
      { name: 'files', scope: 'permissions', permissions, irreversible: true },
      { token },
    )
  ).secret;

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  ({ token: owner, organizationId } = await registerUser(console, 'owner@one.example', 'One'));
  adminKey = await keyOf(admin, ['customers:read', 'customers:write'], true);
  ownerKey = await keyOf(owner, ['operations:read', 'operations:write'], false);
});

describe('T-FILES: organizations in a file', () => {
  const organizations = (...entries: string[]): void =>
    writeFileSync(
      path,
      `skytallyOrganizations: 1\norganizations:\n${entries.map((each) => `  - { ${each} }\n`).join('')}`,
    );

  it('are exported; importing the export changes nothing', async () => {
    expect((await cli(adminKey, 'organizations', 'export', path)).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain(`id: ${organizationId}`);
    expect(lines((await cli(adminKey, 'organizations', 'plan', path)).out)).toEqual([
      expect.stringMatching(/^Plan \w{16}: 0 to create, 0 to update, 1 unchanged, 0 not in the file/),
      'Nothing to do.',
    ]);
  });

  it('are changed and created as planned, once however often the plan is applied', async () => {
    organizations(
      `id: ${organizationId}, billingReference: Cost centre 7, taxId: '04595257'`,
      'ref: crm-2, name: Two, country: DE, vatId: de 136695976, language: enUS',
    );
    const plan = await cli(adminKey, 'organizations', 'plan', path);
    expect(lines(plan.out)).toEqual([
      expect.stringMatching(/1 to create, 1 to update, 0 unchanged, 0 not in the file/),
      '~ One',
      '    taxId: "" -> "04595257"',
      '    billingReference: "" -> "Cost centre 7"',
      '+ Two',
      '    name: "Two"',
      '    country: "DE"',
      '    vatId: "DE136695976"',
      '    language: "enUS"',
      expect.stringMatching(/^To apply exactly this: skytally organizations apply \S+ --plan \w{16}$/),
    ]);
    // Without the plan nothing is changed.
    expect((await cli(adminKey, 'organizations', 'apply', path)).code).toBe(1);
    expect((await console.ok(identity.listOrganizations, {}, { token: admin })).total).toBe(1);
    const id = await planned(adminKey, 'organizations');
    expect((await cli(adminKey, 'organizations', 'apply', path, '--plan', id)).out).toBe(
      'Applied: 1 created, 1 updated, 0 unchanged.\n',
    );
    const { items } = await console.ok(identity.listOrganizations, { q: 'Two' }, { token: admin });
    expect(items).toMatchObject([{ externalRef: 'crm-2', vatId: 'DE136695976', language: 'enUS' }]);
    expect((await cli(adminKey, 'organizations', 'plan', path)).out).toContain('2 unchanged');
    const again = await cli(adminKey, 'organizations', 'apply', path, '--plan', id);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('have changed since this plan') });
  });

  it('that were changed meanwhile are not changed by an old plan', async () => {
    organizations('ref: crm-2, purchaseOrder: PO-1');
    const id = await planned(adminKey, 'organizations');
    await console.ok(identity.updateOrganization, { billingAddress: 'elsewhere' }, { token: owner });
    // Another organization changed: the plan is still valid.
    expect(await planned(adminKey, 'organizations')).toBe(id);
    organizations('ref: crm-2, purchaseOrder: PO-2');
    expect((await cli(adminKey, 'organizations', 'apply', path, '--plan', id)).code).toBe(2);
    const other = await planned(adminKey, 'organizations');
    const { items } = await console.ok(identity.listOrganizations, { q: 'Two' }, { token: admin });
    await cli(
      adminKey,
      'api',
      'PATCH',
      `/admin/organizations/${items[0]?.id}`,
      '--data',
      '{"purchaseOrder":"PO-3"}',
    );
    expect((await cli(adminKey, 'organizations', 'apply', path, '--plan', other)).code).toBe(2);
  });

  it.each([
    ['name: Nobody', 'file.organizations.0.ref', 'either ref or id'],
    ['ref: new', 'file.organizations.0.name', ''],
    ['ref: crm-2, taxId: "123"', 'file.organizations.0.taxId', ''],
    ['ref: crm-2, timeZone: Mars/One', 'file.organizations.0.timeZone', ''],
    ['ref: crm-2, colour: red', 'file.organizations.0', ''],
    ['id: org_00000000000000000000000000', 'file.organizations.0.id', ''],
  ])('%s is rejected at %s', async (entry, field, sentence) => {
    organizations(entry);
    const { code, err } = await cli(adminKey, 'organizations', 'plan', path);
    expect(code).toBe(2);
    expect(err).toContain(field);
    expect(err).toContain(sentence);
  });

  it('are unique in a file, which only Admins can use', async () => {
    organizations('ref: crm-2', 'ref: crm-2');
    expect((await cli(adminKey, 'organizations', 'plan', path)).err).toContain(
      'names this organization twice',
    );
    expect((await cli(ownerKey, 'organizations', 'export')).code).toBe(2);
  });
});

describe('T-FILES: webhooks in a file', () => {
  const endpoints = (...entries: string[]): void =>
    writeFileSync(
      path,
      `skytallyWebhooks: 1\nwebhooks:\n${entries.map((each) => `  - { ${each} }\n`).join('')}`,
    );
  const list = async () => (await console.ok(webhooks.listEndpoints, {}, { token: owner })).items;

  it('are created with secrets that are shown once and are in no file', async () => {
    endpoints(
      'url: https://hooks.example/a, eventTypes: [bill.issued]',
      'url: https://hooks.example/b, isOn: false',
    );
    const id = await planned(ownerKey, 'webhooks');
    const applied = await cli(ownerKey, 'webhooks', 'apply', path, '--plan', id);
    expect(lines(applied.out)).toEqual([
      'Applied: 2 created, 0 updated, 0 unchanged.',
      expect.stringMatching(/^https:\/\/hooks\.example\/a: whsec_\S+ \(shown this once\)$/),
      expect.stringMatching(/^https:\/\/hooks\.example\/b: whsec_\S+ \(shown this once\)$/),
    ]);
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ url: 'https://hooks.example/a', eventTypes: ['bill.issued'], isOn: true }),
        expect.objectContaining({ url: 'https://hooks.example/b', eventTypes: null, isOn: false }),
      ]),
    );
    const { out } = await cli(ownerKey, 'webhooks', 'export');
    expect(out).not.toMatch(/whsec|secret/i);
    writeFileSync(path, out);
    expect((await cli(ownerKey, 'webhooks', 'plan', path)).out).toContain('Nothing to do.');
  });

  it('are changed as planned; omitted fields get their defaults, and other webhooks stay', async () => {
    endpoints('url: https://hooks.example/a, description: books');
    const plan = await cli(ownerKey, 'webhooks', 'plan', path);
    expect(lines(plan.out).slice(0, 4)).toEqual([
      expect.stringMatching(/0 to create, 1 to update, 0 unchanged, 1 not in the file/),
      '~ https://hooks.example/a',
      '    description: "" -> "books"',
      '    eventTypes: ["bill.issued"] -> null',
    ]);
    const applied = await cli(
      ownerKey,
      'webhooks',
      'apply',
      path,
      '--plan',
      await planned(ownerKey, 'webhooks'),
    );
    expect(applied.out).toBe('Applied: 0 created, 1 updated, 0 unchanged.\n');
    expect(await list()).toHaveLength(2);
  });

  it('are rejected with a duplicate address, a forbidden one, a secret, or an outdated plan', async () => {
    endpoints('url: https://hooks.example/a', 'url: https://hooks.example/a');
    expect((await cli(ownerKey, 'webhooks', 'plan', path)).err).toContain('names this address twice');
    endpoints('url: http://hooks.example/a');
    expect((await cli(ownerKey, 'webhooks', 'plan', path)).err).toContain('file.webhooks.0.url');
    endpoints('url: https://hooks.example/a, secret: whsec_x');
    expect((await cli(ownerKey, 'webhooks', 'plan', path)).code).toBe(2);
    endpoints('url: https://hooks.example/c');
    const id = await planned(ownerKey, 'webhooks');
    await console.ok(webhooks.createEndpoint, { url: 'https://hooks.example/a' }, { token: owner });
    expect((await cli(ownerKey, 'webhooks', 'apply', path, '--plan', id)).err).toContain(
      'have changed since',
    );
    endpoints('url: https://hooks.example/a');
    expect((await cli(ownerKey, 'webhooks', 'plan', path)).err).toContain('Two endpoints have this address');
  });
});
