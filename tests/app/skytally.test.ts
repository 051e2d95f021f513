// The command line over the API: signed in with a code, it can do what its person may, in two languages, with
// an exit code.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { columnsOf, tableLines } from '#app/cli/remote/table.ts';
import { devices } from '#features/access/devices/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import type { Outcome } from '../support/cli.ts';
import { adminAccount, createTestConsole, type TestConsole } from '../support/console.ts';
import { runRemote } from '../support/remote-cli.ts';
import { meteredConsole } from '../support/metered-console.ts';
import { signin } from '#features/access/signin/contract.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'skytally-cli-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
const script = resolve('src/app/cli/remote/skytally.ts');
const credentials = join(folder, 'credentials.json');
let console: TestConsole;
let admin: string;
let meteringKey: string;
let subscriptionId: string;

type More = {
  /** Runs while the command waits for the first time, with the code that it shows. */
  readonly whileWaiting?: (userCode: string) => Promise<unknown>;
  readonly input?: string;
  readonly settings?: Partial<{ address: string; key: string; language: string; credentialsFile: string }>;
};
/** A command in this process. Its pauses move the console’s clock. */
function cli(
  words: readonly string[],
  { whileWaiting, input = '', settings = {} }: More = {},
): Promise<Outcome> {
  let waits = 0;
  return runRemote(
    words,
    { credentialsFile: credentials, ...settings, meteringKey },
    {
      input,
      paused: async (shown, ms) => {
        console.clock.advance(ms);
        waits += 1;
        if (waits === 1) await whileWaiting?.(/[A-Z]{4}-[A-Z]{4}/.exec(shown)?.[0] ?? '');
      },
    },
  );
}
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const confirm = (token: string) => async (userCode: string) => {
  const { possible } = await console.ok(devices.findDevice, { userCode }, { token });
  await console.ok(devices.confirmDevice, { userCode, permissions: possible, days: 30 }, { token });
};
const loginAs = (token: string, more: More = {}): Promise<Outcome> =>
  cli(['login', '--address', console.address, '--name', 'laptop-7'], {
    whileWaiting: confirm(token),
    ...more,
  });

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-02T00:00:00Z'));
  const made = await meteredConsole(console);
  ({ admin, subscriptionId } = made);
  meteringKey = made.key;
});

describe('T-CLI: signing in on the command line', () => {
  it('shows a code and the address, waits for a person, and stores the key readable for its owner only', async () => {
    expect(await cli(['whoami'])).toMatchObject({ code: 2, err: expect.stringContaining('Sign in first') });
    const { code, out, err } = await loginAs(admin);
    expect(err).toContain(`${console.address}/device?code=`);
    expect(out).toBe(`Signed in to ${console.address} as ${adminAccount.account}, until 2024-11-01.\n`);
    expect(code).toBe(0);
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(credentials, 'utf8'))).toMatchObject({ address: console.address });
    expect((await cli(['whoami'])).out).toContain(`Operator (${adminAccount.account}, Admin)`);
    expect((await cli(['whoami'])).out).toContain('Key: laptop-7, until 2024-11-01');
    expect((await console.ok(identity.listApiKeys, {}, { token: admin })).items[0]?.name).toBe('laptop-7');
  });

  it('that is denied or expires prints one sentence in the requested language', async () => {
    const refuse = (userCode: string) => console.ok(devices.refuseDevice, { userCode }, { token: admin });
    expect(await loginAs(admin, { whileWaiting: refuse })).toMatchObject({
      code: 2,
      err: expect.stringContaining('The sign-in was denied.'),
    });
    const forgotten = await cli(['login', '--address', console.address, '--language', 'zhTW'], {
      settings: { credentialsFile: join(folder, 'other.json') },
    });
    expect(forgotten.code).toBe(2);
    expect(forgotten.err).toContain('確認代碼');
    expect(forgotten.err).toContain('代碼已過期或已使用過，請重新登入。');
    expect(existsSync(join(folder, 'other.json'))).toBe(false);
  });

  it.each([
    [['login', '--address', 'http://console.example'], 'isn’t the address of a console'],
    [['login', '--address', 'console'], 'isn’t the address of a console'],
    [['login', '--address', 'https://127.0.0.1:1'], 'doesn’t answer'],
    [['login', '--permissions', 'bills:read'], '“bills:read” isn’t a permission'],
    [['bills', 'list', '--month', 'October'], 'Write the month as YYYY-MM'],
    [['bills', 'list', '--limit', '0'], 'from 1 to 200'],
    [['bills', 'get', 'B-1'], 'There is no bill “B-1”'],
    [['usage', 'send', '/nowhere'], '/nowhere can’t be read'],
    [['api', 'GET', 'bills'], 'The path must begin with /'],
    [['api', 'FETCH', '/bills'], 'The method must be'],
    [['api', 'POST', '/bills', '--data', '{'], 'The body isn’t JSON'],
    [['catalogue', 'plan', '/nowhere.yaml'], '/nowhere.yaml cannot be read'],
    [['what'], 'unknown command'],
  ])('%j fails: %s', async (words, sentence) => {
    const { code, out, err } = await cli(words);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(sentence);
  });

  it('treats an unreadable credentials file as signed out', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"key":');
    expect(await cli(['whoami'], { settings: { credentialsFile: broken } })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${broken} can’t be read`),
    });
  });
});

describe('T-CLI: an Admin', () => {
  it('sends usage, once however often the same file is sent, and sees what was rejected', async () => {
    const file = join(folder, 'usage.ndjson');
    const event = (subject: string, value: string): string =>
      JSON.stringify({ type: 'call', subject, time: '2024-09-20T00:00:00Z', data: { value } });
    writeFileSync(
      file,
      `${event(subscriptionId, '40')}\n\n${event('sub_unknown', '1')}\n${event(subscriptionId, '2')}\n`,
    );
    const first = await cli(['usage', 'send', file]);
    expect(lines(first.out)).toEqual([
      '2 recorded, 0 already counted, 1 rejected.',
      expect.stringMatching(/^Event 2: ./),
    ]);
    expect(first.code).toBe(1);
    expect(lines((await cli(['usage', 'send', file])).out)[0]).toBe(
      '0 recorded, 2 already counted, 1 rejected.',
    );
    const array = await cli(['usage', 'send', '-', '--json'], {
      input: `[${event(subscriptionId, '1')}]`,
    });
    expect(JSON.parse(array.out)).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(array.code).toBe(0);
    expect(await cli(['usage', 'send', '-'], { input: '{}\nno' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Line 2 isn’t a JSON object.'),
    });
  });

  it('previews a close, lists bills and shows one, as a table and as JSON', async () => {
    const preview = await cli(['close', 'preview', '2024-09']);
    expect(lines(preview.out)).toEqual(['2024-09: nothing was issued.', '1 bill, 45 TWD']);
    expect(preview.code).toBe(0);
    expect((await cli(['bills', 'list'])).out).toBe('Nothing found.\n');
    await console.ok(signin.reauthenticate, { password: adminAccount.password }, { token: await fresh() });
    await console.ok(billing.closeMonth, { month: '2024-09' as never }, { token: await fresh() });
    const list = await cli(['bills', 'list', '--month', '2024-09']);
    expect(lines(list.out)).toEqual([
      'Number           Organization  Month    Status  Due         Total  Currency',
      expect.stringMatching(/^B-202409-000001 {2}One {11}2024-09 {2}open {4}2024-\d\d-\d\d {5}45 {2}TWD$/),
    ]);
    const bill = JSON.parse((await cli(['bills', 'get', 'B-202409-000001', '--json'])).out) as { id: string };
    expect(bill).toMatchObject({ total: { amount: '45', currency: 'TWD' } });
    expect((await cli(['bills', 'get', bill.id])).out).toContain('Total  45 TWD');
    expect((await cli(['bills', 'list', '--language', 'zhTW'])).out).toContain('未付清');
  });

  it('lists organizations and subscriptions', async () => {
    expect((await cli(['organizations', 'list', 'One'])).out).toMatch(/org_\w+ {2}One/);
    expect((await cli(['organizations', 'list', 'nobody'])).out).toBe('Nothing found.\n');
    expect((await cli(['subscriptions', 'list'])).out).toMatch(/sub_\w+ {2}Calls +active +2024-08-23/);
    expect(JSON.parse((await cli(['subscriptions', 'list', '--json'])).out)).toMatchObject({ total: 1 });
  });

  it('plans and applies the catalog as a file', async () => {
    const file = join(folder, 'catalogue.yaml');
    expect((await cli(['catalogue', 'export', file])).out).toContain(`Written to ${file}`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('name: Calls', 'name: Calls and messages'));
    const planned = await cli(['catalogue', 'plan', file]);
    const again = /skytally catalogue apply (\S+) --plan (\w+)/.exec(planned.out);
    expect(again?.[1]).toBe(file);
    expect((await cli(['catalogue', 'apply', file])).code).toBe(1);
    expect((await cli(['catalogue', 'apply', file, '--plan', again?.[2] ?? ''])).out).toContain('1 updated');
    expect((await cli(['catalogue', 'plan', file])).out).toContain('Nothing to do.');
    expect(await cli(['catalogue', 'apply', file, '--plan', again?.[2] ?? ''])).toMatchObject({ code: 2 });
  });

  it('makes any call, and prints its data', async () => {
    const { out } = await cli(['api', 'GET', '/admin/organizations?limit=1']);
    expect(JSON.parse(out)).toMatchObject({ total: 1, items: [{ name: 'One' }] });
    const made = await cli(['api', 'POST', '/admin/services', '--data', '-'], {
      input: JSON.stringify({
        name: 'By hand',
        type: 'x',
        category: 'y',
        currency: 'TWD',
        charges: [
          {
            key: 'fee',
            name: { zhTW: '月費', enUS: 'Fee' },
            kind: 'recurring',
            model: 'flat',
            amount: '100',
          },
        ],
      }),
    });
    expect(made.err).toBe('');
    expect(made.code).toBe(0);
    expect((await cli(['api', 'GET', '/admin/organizations', '--field', 'items.0.name'])).out).toBe('One\n');
    expect(await cli(['api', 'GET', '/admin/organizations', '--field', 'items.9.name'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('The response has no “items.9.name”'),
    });
    const refused = await cli([
      'api',
      'POST',
      '/admin/services',
      '--data',
      '{"name":""}',
      '--language',
      'zhTW',
    ]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/ {2}name: ./);
    expect((await cli(['api', 'GET', '/admin/users'])).err).toContain('people:read');
  });
});

/** A current token of the Admin, because the pauses of signing in have moved the clock. */
const fresh = async (): Promise<string> => (await console.ok(signin.login, adminAccount)).token;

describe('T-CLI: a customer', () => {
  it('sees their own data with the same commands', async () => {
    const file = join(folder, 'customer.json');
    const settings = { credentialsFile: file };
    const { token } = await console.ok(signin.login, {
      account: 'owner@one.example',
      password: 'another long passphrase',
    });
    await loginAs(token, { settings });
    expect((await cli(['whoami'], { settings })).out).toContain('Organization: One');
    expect((await cli(['bills', 'list'], { settings })).out).toContain('B-202409-000001');
    expect((await cli(['organizations', 'list'], { settings })).out).toContain('One');
    expect((await cli(['subscriptions', 'list'], { settings })).out).toContain('Calls');
    expect((await cli(['close', 'preview', '2024-09'], { settings })).code).toBe(2);
    expect((await cli(['logout'], { settings })).out).toBe('Signed out. The key no longer works.\n');
    expect(existsSync(file)).toBe(false);
  });
});

describe('T-CLI: a separate process', () => {
  const environment = (): Record<string, string> => {
    const { key } = JSON.parse(readFileSync(credentials, 'utf8')) as { key: string };
    return {
      PATH: process.env['PATH'] ?? '',
      SKYTALLY_ADDRESS: console.address,
      SKYTALLY_KEY: key,
      HOME: folder,
    };
  };

  it('takes console and key from its environment, where signing out revokes no key', async () => {
    const { stdout } = await run(process.execPath, [script, 'whoami', '--json'], { env: environment() });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'laptop-7', role: 'Admin' });
    await expect(run(process.execPath, [script, 'logout'], { env: environment() })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('so the key is kept'),
    });
  });

  it.skipIf(!existsSync('/bin/bash'))('completes words in bash (needs bash)', async () => {
    const { out } = await cli(['completion', 'bash']);
    const complete = async (...typed: string[]): Promise<string[]> => {
      const { stdout } = await run('bash', [
        '-c',
        `source "$0"; complete -p skytally >&2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skytally; printf '%s\\n' "\${COMPREPLY[@]}"`,
        join(folder, 'completion.bash'),
        'skytally',
        ...typed,
      ]);
      return lines(stdout);
    };
    writeFileSync(join(folder, 'completion.bash'), out);
    expect(await complete('b')).toEqual(['bills']);
    expect(await complete('c')).toEqual(['close', 'catalogue', 'completion']);
    expect(await complete('bills', '')).toEqual(['list', 'get', '--help']);
    expect(await complete('--json', 'catalogue', 'a')).toEqual(['apply']);
    expect(await complete('bills', 'list', '--m')).toEqual(['--month']);
    expect(await complete('login', '--a')).toEqual(['--address']);
    const { stdout } = await run('bash', [
      '-c',
      `source <(cat "$0"); complete -p skytally`,
      join(folder, 'completion.bash'),
    ]);
    expect(stdout.trim()).toBe('complete -o bashdefault -o default -F _skytally skytally');
    expect((await cli(['completion', 'zsh'])).out).toMatch(/^#compdef skytally\n/);
    expect((await cli(['completion', 'fish'])).code).toBe(2);
  });

  it.skipIf(!existsSync('/bin/zsh'))('completes words in zsh (needs zsh)', async () => {
    const script = join(folder, 'completion.zsh');
    writeFileSync(script, (await cli(['completion', 'zsh'])).out);
    // What zsh calls when a person presses Tab; it filters the words by itself.
    const ask = 'source "$0"; COMP_WORDS=(skytally --json bills l); COMP_CWORD=3; compgen -F _skytally';
    const { stdout } = await run('zsh', ['-f', '-c', ask, script], {
      env: { ...process.env, HOME: folder, ZDOTDIR: folder },
    });
    expect(lines(stdout)).toEqual(['list', 'get', '--help']);
  });
});

describe('T-CLI: tables on the command line', () => {
  it('align columns, Chinese characters with two columns each, and figures on the right', () => {
    expect(columnsOf('A用量，')).toBe(7);
    expect(
      tableLines(
        ['名稱', 'n'],
        [
          ['用量資料', '5'],
          ['a', '1234'],
        ],
        [1],
      ),
    ).toEqual(['名稱         n', '用量資料     5', 'a         1234']);
  });
});

it('T-CLI: signing out revokes the key, and the next command asks to sign in', async () => {
  const { key } = JSON.parse(readFileSync(credentials, 'utf8')) as { key: string };
  expect(await cli(['logout'])).toMatchObject({ code: 0 });
  expect((await console.call(devices.describeKey, { secret: key })).status).toBe(401);
  expect(await cli(['bills', 'list'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Sign in first'),
  });
  expect(await cli(['logout'])).toMatchObject({ code: 0, out: 'Nobody is signed in here.\n' });
});
