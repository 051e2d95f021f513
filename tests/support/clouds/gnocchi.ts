// A real Keystone and a real Gnocchi (Debian's packages keystone and gnocchi-api), without metricd: what is
// sent to Gnocchi is processed into measures only when a query asks for a refresh.
import { randomBytes } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from '../clean-up.ts';
import { createTestDatabase, addressOf } from '../database.ts';
import { freePort, whenReady } from '../ports.ts';

const programs = {
  python: '/usr/bin/python3',
  keystone: '/usr/bin/keystone-wsgi-public',
  keystoneManage: '/usr/bin/keystone-manage',
  gnocchi: '/usr/bin/gnocchi-api',
  gnocchiUpgrade: '/usr/bin/gnocchi-upgrade',
};
const pastePipelines = '/usr/share/gnocchi-common/api-paste.ini';
/** Whether they are installed; tests that need them otherwise report it and are skipped. */
export const hasGnocchi = [...Object.values(programs), pastePipelines].every((file) => existsSync(file));

export type RealGnocchi = {
  /** Keystone's address without `/v3`. */
  readonly keystone: string;
  readonly password: string;
  /** Queries Gnocchi as its Admin. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Calls Keystone as its Admin. */
  readonly manage: (method: string, path: string, body: unknown) => Promise<unknown>;
};

/** Starts both until the end of the test file. `maxLimit`: the maximum page size of Gnocchi. */
export async function startGnocchi({ maxLimit }: { readonly maxLimit: number }): Promise<RealGnocchi> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-gnocchi-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const password = 'the password of the admin';
  const keystone = await startKeystone(folder, password);
  const signIn = {
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: 'admin', domain: { name: 'Default' }, password } },
      },
      scope: { project: { name: 'admin', domain: { name: 'Default' } } },
    },
  };
  const answer = await fetch(`${keystone}/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signIn),
  });
  const token = answer.headers.get('x-subject-token') ?? '';
  const asker =
    (address: string) =>
    async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const response = await fetch(`${address}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-auth-token': token,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    };
  const manage = asker(`${keystone}/v3`);
  const gnocchi = await startMeasures(folder, keystone, password, maxLimit);
  const { service } = (await manage('POST', '/services', {
    service: { name: 'gnocchi', type: 'metric' },
  })) as { service: { id: string } };
  await manage('POST', '/endpoints', {
    endpoint: { service_id: service.id, interface: 'public', region_id: 'RegionOne', url: gnocchi },
  });
  return { keystone, password, manage, ask: asker(gnocchi) };
}

async function startKeystone(folder: string, password: string): Promise<string> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const config = join(folder, 'keystone.conf');
  // With SQLite, revoking a token sometimes fails with "database is locked" while tokens are being checked.
  const { connection } = await createTestDatabase({ isEmpty: true });
  for (const name of ['fernet', 'policies']) mkdirSync(join(folder, name), { mode: 0o700 });
  // Fernet keys are 32 bytes; file 0 is the next key, the highest number the current one.
  for (const place of ['0', '1'])
    writeFileSync(join(folder, 'fernet', place), `${randomBytes(32).toString('base64url')}=`, {
      mode: 0o600,
    });
  writeFileSync(
    config,
    `[database]
connection = ${addressOf(connection).replace('postgres://', 'postgresql://')}
[identity]
password_hash_rounds = 4
[token]
provider = fernet
[fernet_tokens]
key_repository = ${join(folder, 'fernet')}
[fernet_receipts]
key_repository = ${join(folder, 'fernet')}
[oslo_policy]
policy_dirs = ${join(folder, 'policies')}
`,
  );
  const manage = (...more: string[]) =>
    execFileSync(programs.keystoneManage, ['--config-file', config, ...more], { stdio: 'ignore' });
  manage('db_sync');
  const urls = ['admin', 'internal', 'public'].flatMap((name) => [
    `--bootstrap-${name}-url`,
    `${address}/v3`,
  ]);
  manage('bootstrap', '--bootstrap-password', password, '--bootstrap-region-id', 'RegionOne', ...urls);
  serve(programs.keystone, port, config);
  return whenReady(address, '/v3');
}

async function startMeasures(
  folder: string,
  keystone: string,
  password: string,
  maxLimit: number,
): Promise<string> {
  const { connection } = await createTestDatabase({ isEmpty: true });
  const config = join(folder, 'gnocchi.conf');
  const pipelines = join(folder, 'api-paste.ini');
  // Its Keystone middleware reads a separate file.
  writeFileSync(
    pipelines,
    readFileSync(pastePipelines, 'utf8').replace(
      /(\[filter:keystone_authtoken\]\n)/,
      `$1oslo_config_file = ${config}\n`,
    ),
  );
  const port = await freePort();
  writeFileSync(
    config,
    `[api]
auth_mode = keystone
paste_config = ${pipelines}
max_limit = ${maxLimit}
[indexer]
url = ${addressOf(connection).replace('postgres://', 'postgresql://')}
[storage]
driver = file
file_basepath = ${join(folder, 'measures')}
[keystone_authtoken]
www_authenticate_uri = ${keystone}/v3
auth_url = ${keystone}/v3
auth_type = password
username = admin
password = ${password}
project_name = admin
user_domain_name = Default
project_domain_name = Default
interface = public
`,
  );
  execFileSync(programs.gnocchiUpgrade, ['--config-file', config], { stdio: 'ignore', timeout: 30_000 });
  serve(programs.gnocchi, port, config);
  return whenReady(`http://127.0.0.1:${port}`, '/healthcheck');
}

/** Python's own server: one request at a time, and one connection each. */
const server = `import runpy, sys
from wsgiref.simple_server import make_server
program, port = sys.argv[1:3]
sys.argv = [program, *sys.argv[3:]]
make_server('127.0.0.1', int(port), runpy.run_path(program, run_name='served')['application']).serve_forever()`;

function serve(program: string, port: number, config: string): void {
  const child = spawn(programs.python, ['-c', server, program, String(port), '--config-file', config], {
    stdio: 'ignore',
  });
  atFileEnd(() => child.kill('SIGKILL'));
}
