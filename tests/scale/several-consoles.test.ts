// Three consoles on one database and one bucket, behind a balancer without sticky sessions, behave like one
// console.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { StartRefused } from '#platform/server/start-refused.ts';
import { writeText } from '#platform/server/files/store/file-store.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { backups } from '#features/operations/backups/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import {
  caller,
  createTestConsole,
  mustSucceed,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { allServe, hasHaproxy, startBalancer } from '../support/balancer.ts';
import { freePort } from '../support/ports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { publish, RawClient } from '../support/live.ts';
import { startBucket } from '../support/s3.ts';

describe.skipIf(!hasHaproxy)('three consoles behind a balancer without stickiness', () => {
  const now = new Date();
  let database: TestDatabase;
  let consoles: TestConsole[];
  let settings: Record<string, string>;
  /** Requests through the balancer reach all three. */
  let together: TestConsole;
  let admin: string;
  let user: { token: string; userId: string; organizationId: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    const bucket = await startBucket();
    const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
    startBalancer(port, ports);
    settings = { ...bucket.settings, PUBLIC_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: '127.0.0.1' };
    // All start at once, on a database without secrets.
    consoles = await Promise.all(
      ports.map((each) => createTestConsole(now, { ...settings, PORT: String(each) }, database)),
    );
    const [first] = consoles;
    if (first === undefined) throw new Error('no console');
    const address = settings['PUBLIC_URL'] ?? '';
    const call = caller(address);
    together = { ...first, address, call, ok: mustSucceed(call) };
    await allServe(address, ports.length);
    admin = await setUp(together);
    user = await registerUser(together, 'owner@one.example', 'One');
  });

  it('a person who signed in at one is signed in at all of them', async () => {
    const served = new Map<string, number>();
    for (let count = 0; count < 30; count++) {
      const answer = await fetch(`${together.address}/api/user/profile`, {
        headers: { authorization: `Bearer ${user.token}` },
      });
      expect(answer.status).toBe(200);
      const by = answer.headers.get('x-console') ?? '';
      served.set(by, (served.get(by) ?? 0) + 1);
    }
    expect([...served.keys()].toSorted()).toEqual(['console1', 'console2', 'console3']);
  });

  it('a session that ends at one has ended at all of them', async () => {
    const call = (path: string, headers: Record<string, string>, address = together.address) =>
      fetch(`${address}/api/user/${path}`, {
        method: path === 'session' ? 'GET' : 'POST',
        headers: {
          origin: together.address,
          ...(path === 'login' ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(path === 'login'
          ? { body: JSON.stringify({ account: 'owner@one.example', password: userPassword }) }
          : {}),
      });
    const signedIn = await call('login', {});
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const { token } = ((await signedIn.json()) as { data: { token: string } }).data;
    for (const { address } of consoles) expect((await call('session', { cookie }, address)).status).toBe(200);
    expect((await call('logout', { cookie })).status).toBe(200);
    for (const console of consoles) {
      expect((await call('session', { cookie }, console.address)).status).toBe(401);
      expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    }
  });

  it('live messages reach the websockets at each, whichever made the change', async () => {
    const topic = `org/${user.organizationId}/usage`;
    const clients = await Promise.all(
      Array.from({ length: 6 }, () => RawClient.connect(together, user, [topic])),
    );
    const counts = consoles.map(({ app }) => app.vitals.live().clients);
    expect(counts.every((count) => count > 0)).toBe(true);
    for (const [place, console] of consoles.entries()) {
      const message = { kind: 'usage', said: place };
      await publish(console, topic, message);
      for (const client of clients)
        await expect.poll(() => client.news().map(({ message: heard }) => heard)).toContainEqual(message);
    }
  });

  it('a repeated call is done once, whichever consoles get the repeats', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        together.call(
          identity.createUser,
          { account: 'second@cloud.example', name: 'Second', role: 'Admin' },
          { token: admin, headers: { 'idempotency-key': 'the-same-key' } },
        ),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ data }) => data.user.id)).size).toBe(1);
    const rows = await database.pool.query("select 1 from audit_log where action = 'identity.createUser'");
    expect(rows.rowCount).toBe(1);
  });

  it('a limit of 20 calls a minute is shared, not per console', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        together.call(administration.checkSetupToken, { setupToken: 'wrong' }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(20);
  });

  it('wrong passwords are counted together', async () => {
    const wrong = () => together.call(signin.login, { account: 'owner@one.example', password: 'wrong' });
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < 12; count++) codes.push((await wrong()).envelope.code);
    const alone = consoles[0]?.call(signin.login, { account: 'owner@one.example', password: 'wrong' });
    codes.push((await alone)?.envelope.code);
    expect(codes.slice(0, 3)).toEqual(Array(3).fill('login.incorrect'));
    expect(codes.at(-1)).toBe('signin.wait');
  });

  it('a backup made by one of them is downloaded, byte for byte, from each', async () => {
    const { id } = await together.ok(backups.makeBackup, {}, { token: admin });
    const done = await vi.waitFor(
      async () => {
        const found = await together.ok(backups.getBackup, { backupId: id }, { token: admin });
        expect(['done', 'failed']).toContain(found.state);
        return found;
      },
      { timeout: 50_000, interval: 100 },
    );
    expect(done).toMatchObject({ state: 'done', proof: 'proven', problem: null });
    const files = await Promise.all(
      consoles.map(async (console) => {
        const { body } = await console.ok(backups.downloadBackup, { backupId: id }, { token: admin });
        return Buffer.from(body as Uint8Array);
      }),
    );
    expect(files[0]?.length).toBe(done.sizeBytes);
    for (const file of files) expect(file.equals(files[0] ?? Buffer.alloc(0))).toBe(true);
    const keys = await Promise.all(
      consoles.map(async (console) => console.ok(backups.revealRecoveryKey, {}, { token: admin })),
    );
    expect(new Set(keys.map(({ recoveryKey }) => recoveryKey)).size).toBe(1);
  });

  it('each lists all consoles, and the location of their files', async () => {
    for (const console of consoles) {
      const now = await console.ok(monitoring.monitoring, {}, { token: admin });
      expect(now.consoles.map(({ address }) => address).toSorted()).toEqual(
        consoles.map(({ address }) => address).toSorted(),
      );
      for (const each of now.consoles) expect(each).toMatchObject({ verdict: 'good' });
      expect(now.files).toMatchObject([
        { use: 'files', problem: null, verdict: 'good' },
        { use: 'backups', problem: null, verdict: 'good' },
      ]);
      expect(now.files[1]?.place).toContain('s3://console-files/one/backups');
    }
  });

  it('each job runs once', async () => {
    const { items } = await together.ok(backups.listBackups, { limit: 100 }, { token: admin });
    expect(items).toHaveLength(1);
    const { items: notices } = await together.ok(notifications.listNotifications, {}, { token: admin });
    expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
  });

  it('a fourth one with another secret, or none, is rejected; one with the same secret joins', async () => {
    for (const wrong of ['another-key-of-32-letters-0123456789', ''])
      await expect(createTestConsole(now, { ...settings, SECRET_KEY: wrong }, database)).rejects.toThrow(
        StartRefused,
      );
    const fourth = await createTestConsole(now, { ...settings, PORT: '0' }, database);
    expect((await fourth.call(identity.profile, {}, { token: user.token })).status).toBe(200);
    await fourth.end();
  });

  it('texts that the operator changed are the same at each', async () => {
    const [first] = consoles;
    if (first === undefined) throw new Error('no console');
    await writeText(
      first.app.files,
      'locales/enUS/audit.json',
      JSON.stringify({ 'audit.title': 'Formosa audit' }),
    );
    const joined = await createTestConsole(now, { ...settings, PORT: '0' }, database);
    const texts = (await (await fetch(`${joined.address}/locales/enUS/audit.json`)).json()) as Record<
      string,
      string
    >;
    expect(texts['audit.title']).toBe('Formosa audit');
    await joined.end();
  });
});
