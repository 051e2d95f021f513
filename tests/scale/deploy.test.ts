// The deployment files for several consoles: they use settings that the console knows, and files and programs
// that exist.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readConfig } from '#platform/server/config.ts';
import { addressOf, createTestDatabase } from '../support/database.ts';
import { hasHaproxy } from '../support/balancer.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The settings read by a console, and those read by its libraries. */
const known = new Set([
  ...readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'skytally-test-')) }).environment.map(
    ({ name }) => name,
  ),
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]);

describe('Dockerfile: the image', () => {
  it('contains every folder besides src that the console reads', () => {
    const copied = new Set(
      [...read('Dockerfile').matchAll(/^COPY --from=build .* \.\/([\w-]+)/gm)].map(([, name]) => name),
    );
    const beside = globSync('src/**/*.{ts,mjs}', {
      cwd: root,
      exclude: (name) => name.includes('.test.'),
    }).flatMap((file) =>
      [...read(file).matchAll(/'((?:\.\.\/)+[\w-]+)[/']/g)].flatMap(([, path]) => {
        const [folder = ''] = relative(root, resolve(root, dirname(file), path ?? '')).split('/');
        return folder === 'src' ? [] : [folder];
      }),
    );
    expect(beside).toContain('verify');
    expect(beside.filter((folder) => !copied.has(folder))).toEqual([]);
  });
});

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()),
      volumes: z.optional(z.array(z.string())),
    }),
  ),
});

describe('deploy/compose.yaml: two consoles, a balancer, PostgreSQL', () => {
  const { services } = z.parse(Compose, parse(read('deploy/compose.yaml'), { merge: true }));

  it('gives both consoles the same settings, which they know', () => {
    const { 'console-1': one, 'console-2': two } = services;
    expect(Object.keys(one?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
    expect(two).toEqual(one);
    expect(Object.keys(one?.environment ?? {})).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'SECRET_KEY', 'FILES_URL', 'PUBLIC_URL', 'TRUST_PROXY']),
    );
  });

  it.skipIf(!hasHaproxy)(
    'gives the balancer what its configuration needs, with two consoles and with three',
    () => {
      const { balancer } = services;
      expect(balancer?.volumes).toEqual([expect.stringMatching(/^\.\/haproxy\.cfg:/)]);
      // Container names cannot be resolved here.
      const environment = Object.fromEntries(
        Object.entries(balancer?.environment ?? {}).map(([name, value]) => [
          name,
          value.replace(/^console-\d/, '127.0.0.1'),
        ]),
      );
      for (const more of [{}, { CONSOLE_3: '127.0.0.1:3003' }])
        expect(
          execFileSync('haproxy', ['-c', '-f', join(root, 'deploy/haproxy.cfg')], {
            env: { ...process.env, ...environment, ...more },
            encoding: 'utf8',
          }),
        ).toContain('valid');
    },
  );
});

describe('deploy/helm: the chart', () => {
  const chart = 'deploy/helm/skytally';
  const values: unknown = parse(read(`${chart}/values.yaml`));
  const templates = readdirSync(join(root, chart, 'templates')).map((name) =>
    read(`${chart}/templates/${name}`),
  );

  it('uses all values of values.yaml and no others', () => {
    const used = new Set(
      templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? '')),
    );
    const at = (path: string): unknown =>
      path
        .split('.')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
    expect([...used].filter((path) => at(path) === undefined)).toEqual([]);
    const top = Object.keys(values as object);
    expect(
      top.filter((key) => ![...used].some((path) => path === key || path.startsWith(`${key}.`))),
    ).toEqual([]);
  });

  it('names settings, paths and programs that exist', () => {
    const { settings } = values as { settings: Record<string, string> };
    expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([]);
    const all = templates.join('\n');
    const server = read('src/platform/server/monitoring/operator-endpoints.ts');
    for (const [, path] of all.matchAll(/path: (\/\w+)/g)) expect(server).toContain(`'${path}'`);
    const command = /command: \[(node[^\]]+)\]/.exec(all)?.[1]?.split(', ') ?? [];
    const files = command.filter((word) => /\.(m?ts|mjs)$/.test(word));
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(existsSync(join(root, file))).toBe(true);
      expect(read('Dockerfile')).toContain(
        file.split('/').at(-1) === 'start.ts' ? 'src/app/cli/start.ts' : file,
      );
    }
  });
});

/** Runs the chart’s job. */
async function migrate(
  environment: Readonly<Record<string, string>>,
): Promise<{ code: unknown; output: string }> {
  const child = spawn(
    process.execPath,
    ['--import', './tools/require-node.mjs', 'src/app/cli/start.ts', 'migrate'],
    {
      cwd: root,
      env: {
        ...process.env,
        DATA_DIR: mkdtempSync(join(tmpdir(), 'skytally-test-')),
        DATABASE_URL: '',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output += piece.toString('utf8');
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

describe('npm start -- migrate', () => {
  it('migrates an empty database and exits; two at once do it once', async () => {
    const database = await createTestDatabase({ isEmpty: true });
    const environment = {
      DATABASE_URL: addressOf(database.connection),
      SECRET_KEY: 'the-secret-key-of-an-installation-in-a-test',
    };
    const both = await Promise.all([migrate(environment), migrate(environment)]);
    expect(
      both.map(({ code, output }) => `${String(code)} ${/ready for this release/.exec(output)?.[0]}`),
    ).toEqual(['0 ready for this release', '0 ready for this release']);
    const { rows } = await database.pool.query<{ count: bigint }>('select count(*) from setting');
    expect(rows).toHaveLength(1);
  });

  it('fails without an external database, with the reason', async () => {
    const { code, output } = await migrate({});
    expect(code).toBe(1);
    expect(output).toContain('Set DATABASE_URL');
  });
});
