// The client for the whole API as a package: generated from the contracts, packed, installed, compiled
// against and used with a running console.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { identity } from '#features/access/identity/contract.ts';
import { portal } from '#features/access/portal/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { codeOf } from '../support/documents.ts';
import { installPacked } from '../support/packed.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'skytally-client-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
const source = 'sdk/typescript';
const compiler = resolve(source, 'node_modules/typescript/bin/tsc');
let output: Record<string, unknown>;
let example: string;
let embedding: { readonly link: string; readonly curl: { readonly data: { readonly url: string } } };

/**
 * The examples of docs/integrator/embedding.md: the server’s with its surrounding code, and the page’s script
 * as a module of a bundler.
 */
function embeddingExamples(): void {
  const document = 'docs/integrator/embedding.md';
  const [link] = codeOf(document, 'ts');
  const [page] = codeOf(document, 'html');
  const script = /<script type="module">\n([\s\S]*?)<\/script>/.exec(required(page, 'the page'));
  writeFileSync(
    join(folder, 'link.ts'),
    `import { Skytally } from '@skytally/client';
const env = process.env as Record<string, string>;
const skytally = new Skytally({ address: env['CONSOLE'] ?? '', key: env['KEY'] ?? '' });
const organizationId = env['ORGANIZATION'] ?? '';
${required(link, 'the example of a link')}
process.stdout.write(String(url));
`,
  );
  writeFileSync(
    join(folder, 'page.ts'),
    required(script?.[1], 'the script of the page')
      .replace(/'https:[^']*embed\.js'/, `'@skytally/client'`)
      // In the page TypeScript needs declarations of what exists only there.
      .replace("document.getElementById('billing')", "document.getElementById('billing')!"),
  );
}

beforeAll(async () => {
  const console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
  const token = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  await run(process.execPath, ['tools/sdk.ts']);
  await installPacked(source, folder);
  copyFileSync(join(source, 'tests/use.ts'), join(folder, 'use.ts'));
  writeFileSync(join(folder, 'example.ts'), codeOf('docs/integrator/sdk.md', 'ts').join('\n'));
  embeddingExamples();
  // Node’s types come with the repository; the package itself needs none.
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'));
  await run(
    process.execPath,
    [
      compiler,
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      'node',
      'use.ts',
      'example.ts',
      'link.ts',
      'page.ts',
    ],
    { cwd: folder },
  );
  const { secret: KEY } = await console.ok(
    identity.createApiKey,
    {
      name: 'client',
      scope: 'permissions',
      permissions: [
        'customers:read',
        'catalogue:read',
        'catalogue:write',
        'subscriptions:write',
        'billing:read',
        'billing:write',
      ],
      irreversible: true,
    },
    { token },
  );
  const { secret: METERING_KEY } = await console.ok(identity.createApiKey, { name: 'meter' }, { token });
  const { stdout } = await run(process.execPath, ['use.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      ADDRESS: console.address,
      KEY,
      METERING_KEY,
      ORGANIZATION: organizationId,
      STARTED: '2024-09-01T00:00:00+08:00',
      USED: '2024-09-10T00:00:00Z',
      MONTH: '2024-09',
    },
  });
  output = JSON.parse(stdout) as Record<string, unknown>;
  const shown = await run(process.execPath, ['example.ts'], {
    cwd: folder,
    env: { ...process.env, SKYTALLY_ADDRESS: console.address, SKYTALLY_KEY: KEY },
  });
  example = shown.stdout;
  await console.ok(portal.saveSettings, { origins: ['https://portal.example.com'] }, { token });
  const { secret: portalKey } = await console.ok(
    identity.createApiKey,
    { name: 'portal', scope: 'permissions', permissions: ['portal:write'], irreversible: true },
    { token },
  );
  const env = { ...process.env, CONSOLE: console.address, KEY: portalKey, ORGANIZATION: organizationId };
  const [curl] = codeOf('docs/integrator/embedding.md', 'sh');
  const [linked, curled] = await Promise.all([
    run(process.execPath, ['link.ts'], { cwd: folder, env }),
    run('bash', ['-euc', required(curl, 'the example with curl')], { cwd: folder, env }),
  ]);
  embedding = { link: linked.stdout, curl: JSON.parse(curled.stdout) as typeof embedding.curl };
}, 180_000);

describe('the client for the API, as npm packs and installs it', () => {
  it('T-SDK: the package contains its types and its document, and neither generator nor sources', () => {
    const at = join(folder, 'node_modules/@skytally/client');
    expect(readdirSync(at).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    expect(readdirSync(join(at, 'dist'))).toContain('index.d.ts');
  });

  it('T-SDK: finds an organization, creates a service, subscribes, sends usage, closes the month and reads the bill', () =>
    expect(output).toMatchObject({
      organization: 'One',
      ingested: { accepted: 1, duplicates: 0, rejected: [] },
      closed: { issued: 1 },
      bills: 1,
      net: ['42'],
    }));

  it('T-SDK: expanded fields of a response are typed, and absent where they were not requested', () => {
    const [organization, creditNotes, fields] = output['expanded'] as [string, number, string[]];
    expect([organization, creditNotes]).toEqual(['One', 0]);
    expect(fields).not.toContain('expanded');
  });

  it('T-SDK: a write that was temporarily rejected and whose response was lost is retried with one Idempotency-Key, and done once', () => {
    const attempts = output['attempts'] as string[];
    expect(attempts).toHaveLength(3);
    expect(new Set(attempts).size).toBe(1);
    expect(attempts[0]).toMatch(/^POST [0-9a-f-]{36}$/);
    expect(output['services']).toBe(1);
    const [first = 0, second = 0] = output['pauses'] as number[];
    expect(first).toBeGreaterThanOrEqual(7000);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1000);
  });

  it('T-SDK: an error has code, fields and the id of the call; retries of busy or silent servers end', () =>
    expect(output).toMatchObject({
      unknown: {
        name: 'SkytallyError',
        code: 'billing.bill_not_found',
        status: 404,
        message: expect.stringMatching(/^[A-Z].*\.$/),
        hasRequestId: true,
      },
      wrong: { code: 'platform.invalid', fields: expect.arrayContaining(['name']) },
      busy: 'http.503',
      attemptsOfRefused: ['http.400', 1],
      unreachable: 'network',
    }));

  it('T-SDK: a webhook signed by the console is read; a changed, old, unsigned or unreadable one is rejected', () =>
    expect(output).toMatchObject({ webhook: 'bill.issued', forged: [true, true, true, true] }));

  it('T-SDK: the example of docs/integrator/sdk.md compiles and works', () =>
    expect(example).toMatch(/^B-202409-\d{6} One 44\nplatform\.invalid 400\n$/));

  it('T-SDK: the examples of docs/integrator/embedding.md compile, and create links that open the organization’s pages', () => {
    for (const url of [embedding.link, embedding.curl.data.url])
      expect(url).toMatch(/^http:\/\/\S+\/embed\S*#token=\S{20,}$/);
    expect(embedding.link).not.toBe(embedding.curl.data.url);
  });
});
