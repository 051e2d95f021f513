// The operator’s commands do the same as the API, on the same database, and are in the audit log.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { sessionPolicies } from '#features/access/session-policies/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { cliSettings, runCli, type Outcome } from '../support/cli.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  type TestConsole,
} from '../support/console.ts';

const script = resolve(import.meta.dirname, '../../src/app/cli/operator.ts');
let console: TestConsole;
let admin: string;

/** The command in a separate process, as an operator starts it. */
async function cliProcess(...words: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [script, ...words], {
    env: { ...process.env, ...cliSettings(console) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString('utf8');
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const cli = (...words: string[]): Promise<Outcome> => runCli(console, ...words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await cli(...words, '--json')).out);

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
});

it('files are copied only into a named bucket', async () => {
  expect(await cli('files', 'copy')).toMatchObject({ code: 2, err: expect.stringContaining('FILES_URL') });
});

describe('commands for users', () => {
  it('list, create, deactivate and activate', async () => {
    expect(await json('users', 'list')).toMatchObject([
      { account: adminAccount.account, role: 'Admin', status: 'active' },
    ]);
    const made = (await json(
      'users',
      'create',
      '--account',
      'Second@Cloud.Example',
      '--name',
      'Second',
      '--role',
      'Admin',
    )) as { password: string };
    const { token } = await console.ok(signin.login, {
      account: 'second@cloud.example',
      password: made.password,
    });
    expect((await cli('users', 'deactivate', 'second@cloud.example')).out).toContain('inactive');
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    expect(
      (await console.call(signin.login, { account: 'second@cloud.example', password: made.password })).status,
    ).toBe(401);
    expect(await json('users', 'activate', 'second@cloud.example')).toMatchObject({ status: 'active' });
    expect((await cli('users', 'list')).out.split('\n')).toHaveLength(3);
  });

  it('let a locked-out Admin choose a new password with a link; the old password and all sessions end', async () => {
    const { link } = (await json('admin', 'reset', adminAccount.account)) as { link: string };
    expect(link).toMatch(/^https:\/\/console\.example\/password-reset#token=/);
    expect((await console.call(identity.profile, {}, { token: admin })).status).toBe(401);
    expect((await console.call(signin.login, adminAccount)).status).toBe(401);
    await console.ok(signin.resetPassword, {
      token: link.split('token=')[1] ?? '',
      password: 'a wholly other passphrase',
    });
    expect(
      (
        await console.call(signin.login, {
          account: adminAccount.account,
          password: 'a wholly other passphrase',
        })
      ).status,
    ).toBe(200);
  });

  it('keep the second factor unless its removal is requested', async () => {
    const made = (await json(
      'users',
      'create',
      '--account',
      'third@cloud.example',
      '--name',
      'Third',
      '--role',
      'Admin',
    )) as { password: string };
    const third = { account: 'third@cloud.example', password: made.password };
    const { secret } = await console.ok(
      signin.startTwoFactor,
      {},
      { token: (await console.ok(signin.login, third)).token },
    );
    await console.ok(
      signin.confirmTwoFactor,
      { otp: await generate({ secret, epoch: Math.floor(console.clock.now().getTime() / 1000) }) },
      { token: (await console.ok(signin.login, third)).token },
    );
    const choose = async (...words: string[]): Promise<unknown> => {
      const { link, hasSecondFactor } = (await json('admin', 'reset', third.account, ...words)) as {
        link: string;
        hasSecondFactor: boolean;
      };
      await console.ok(signin.resetPassword, {
        token: link.split('token=')[1] ?? '',
        password: `chosen ${words.length} times over`,
      });
      const { status } = await console.call(signin.login, {
        account: third.account,
        password: `chosen ${words.length} times over`,
      });
      return { hasSecondFactor, status };
    };
    expect(await choose()).toEqual({ hasSecondFactor: true, status: 401 });
    expect(await choose('--second-factor')).toEqual({ hasSecondFactor: false, status: 200 });
  });

  it('T-SESSION-POLICY: and allow sign-in from every network again where only former ones are allowed', async () => {
    const { token } = await console.ok(signin.login, {
      account: adminAccount.account,
      password: 'a wholly other passphrase',
    });
    await console.ok(
      sessionPolicies.setPlatformPolicy,
      { idleMinutes: 60, sessionHours: null, networks: ['127.0.0.1'] },
      { token },
    );
    expect((await cli('admin', 'reset', 'second@cloud.example')).out).toContain('from 127.0.0.1/32 only');
    expect(await json('admin', 'reset', 'second@cloud.example', '--any-network')).toMatchObject({
      networks: [],
    });
    expect(await console.ok(sessionPolicies.getPlatformPolicy, {}, { token })).toMatchObject({
      idleMinutes: 60,
      networks: [],
      changedBy: 'cli',
    });
  });

  it('reset Admins only, and never deactivate the last one', async () => {
    await registerUser(console, 'user@customer.example', 'Customer');
    expect(await cli('admin', 'reset', 'user@customer.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is no Admin'),
    });
    expect(await cli('admin', 'reset', 'nobody@customer.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('users list'),
    });
    for (const other of ['second@cloud.example', 'third@cloud.example'])
      await cli('users', 'deactivate', other);
    expect(await cli('users', 'deactivate', adminAccount.account)).toMatchObject({ code: 2, out: '' });
  });
});

describe('commands for months and files', () => {
  it('reject like the API, with its message and status 2', async () => {
    expect(await cli('close', '2198-01')).toMatchObject({
      code: 2,
      err: expect.stringContaining('isn’t over yet'),
    });
    expect(await cli('users', 'create', '--account', 'x', '--name', 'x', '--role', 'Admin')).toMatchObject({
      code: 2,
      err: expect.stringContaining('account'),
    });
    expect(await cli('close', 'yesterday')).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm run cli -- COMMAND'),
    });
    expect(await cli('users', 'list', '--jsno')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--jsno'),
    });
  });

  it('import a file, preview and close a month, and show backups', async () => {
    expect(await cli('import', 'demo-data/focus-sample.csv')).toMatchObject({
      code: 1,
      out: expect.stringContaining('795 new events, 3 rows refused'),
    });
    expect((await cli('close', '2024-09', '--preview')).out).toContain('67 bills, 23.18 USD');
    expect(await cli('close', '2024-09')).toMatchObject({
      code: 0,
      out: '2024-09: 67 bills issued, 0 issued before, 0 put aside.\n',
    });
    expect(await cli('close', '2024-09')).toMatchObject({
      code: 0,
      out: '2024-09: 0 bills issued, 67 issued before, 0 put aside.\n',
    });
    expect((await cli('status')).out).toContain('Last proven backup: never');
  });

  it('run as processes: help, invalid arguments, output, and the checker', async () => {
    expect(await cliProcess('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run cli -- COMMAND'),
      err: '',
    });
    expect(await cliProcess('users', 'list', '--jsno')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--jsno'),
    });
    const { code, out } = await cliProcess('users', 'list', adminAccount.account, '--json');
    expect({ code, found: JSON.parse(out) }).toMatchObject({
      code: 0,
      found: [{ account: adminAccount.account, role: 'Admin' }],
    });
    expect(await cliProcess('verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The books are right.'),
    });
  });

  it('are logged as the command line', async () => {
    const { rows } = await sql<{
      action: string;
    }>`select distinct action from audit_log where actor_kind = 'system' and actor_id = 'cli' order by 1`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'administration.importFocus',
      'billing.closeMonth',
      'identity.createUser',
      'identity.updateUser',
      'sessionpolicies.setPlatformPolicy',
      'signin.removeFactors',
      'signin.resetForUser',
    ]);
  });
});
