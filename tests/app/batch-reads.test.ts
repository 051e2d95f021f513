// Several reads in one call: each returns the same as by itself, and batching grants no additional access.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { maxBatchedReads } from '#kernel/batch-reads.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

type Part = {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: {
    readonly data: unknown;
    readonly isSuccess: boolean;
    readonly code?: string;
    readonly message: string;
    readonly requestId?: string;
  };
};
type Caller = { readonly token?: string; readonly language?: string };

let console: TestConsole;
let admin: string;
let one: Awaited<ReturnType<typeof registerUser>>;
let two: Awaited<ReturnType<typeof registerUser>>;

const query = (paths: readonly string[]): string =>
  new URLSearchParams(paths.map((path): [string, string] => ['get', path])).toString();
const headers = ({ token, language = 'en' }: Caller) => ({
  'accept-language': language,
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});
const getBatch = (paths: readonly string[], caller: Caller = {}) =>
  fetch(`${console.address}/api/together?${query(paths)}`, { headers: headers(caller) });
async function parts(paths: readonly string[], caller: Caller = {}): Promise<readonly Part[]> {
  const answer = await getBatch(paths, caller);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return ((await answer.json()) as { data: Part[] }).data;
}
async function getSingle(path: string, caller: Caller): Promise<Pick<Part, 'status' | 'body'>> {
  const answer = await fetch(`${console.address}/api${path}`, { headers: headers(caller) });
  return { status: answer.status, body: (await answer.json()) as Part['body'] };
}
const own = [
  '/bills?limit=25&sort=-month',
  '/dunning',
  '/billing/balance',
  '/subscriptions?limit=200',
  '/notifications?limit=5',
];

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
});

describe('several reads in one call (R-API-01, R-AUTH-15)', () => {
  it('return each result in its place, as by itself', async () => {
    const answers = await parts(own, { token: one.token });
    expect(answers).toHaveLength(own.length);
    for (const [index, path] of own.entries())
      expect({ status: answers[index]?.status, body: answers[index]?.body }, path).toEqual(
        await getSingle(path, { token: one.token }),
      );
  });

  it('reject one for its own reason and return the others', async () => {
    const [good, wrong, foreign] = await parts(['/dunning', '/bills?limit=0', '/admin/bills'], {
      token: one.token,
    });
    expect(good).toMatchObject({ status: 200, body: { isSuccess: true } });
    expect(wrong).toMatchObject({ status: 400, body: { isSuccess: false, code: 'platform.invalid' } });
    expect(foreign).toMatchObject({ status: 403, body: { isSuccess: false, code: 'platform.forbidden' } });
  });

  it('grant no additional access', async () => {
    for (const part of await parts(own))
      expect(part).toMatchObject({ status: 401, body: { data: null, code: 'platform.sign_in_required' } });
    for (const part of await parts(own, { token: 'nonsense' })) expect(part.status).toBe(401);
    const [bills, organizations] = await parts(['/admin/bills', '/bills'], { token: admin });
    expect([bills?.status, organizations?.status]).toEqual([200, 403]);
  });

  it('give each organization its own data', async () => {
    const key = (
      await console.ok(
        identity.createOrganizationKey,
        { name: 'reader', scope: 'read' },
        { token: two.token },
      )
    ).secret;
    for (const token of [two.token, key]) {
      const [own] = await parts(['/subscriptions?limit=200', '/dunning'], { token });
      expect(own).toEqual({ ...(await getSingle('/subscriptions?limit=200', { token })), retryAfter: 0 });
    }
  });

  it('work for an Admin who views as somebody, and each read is logged', async () => {
    const view = (
      await console.ok(
        identity.startView,
        { userId: one.userId as Id<'usr'>, reason: 'ticket 7: the balance' },
        { token: admin },
      )
    ).token;
    expect(
      (await parts(['/dunning', '/billing/balance'], { token: view })).map(({ status }) => status),
    ).toEqual([200, 200]);
    const { rows } = await sql<{
      call: string;
    }>`select detail->>'call' as call from audit_log where action = 'platform.viewed' order by 1`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ call }) => call)).toEqual(['dunning.dunningStanding', 'payments.balance']);
  });

  it('use the language of the whole call, or of one path', async () => {
    const [, taiwan] = await parts(['/dunning', '/admin/bills'], { token: one.token, language: 'zh-TW' });
    const [, english] = await parts(['/dunning', '/admin/bills'], { token: one.token, language: 'en' });
    expect(taiwan?.body.message).not.toBe(english?.body.message);
  });

  it.each([
    ['none', []],
    ['too many', Array.from({ length: maxBatchedReads + 1 }, () => '/dunning')],
    ['a file', ['/bills/export?format=csv']],
    ['itself', ['/together?get=/dunning']],
    ['a sign-in by cookie', ['/user/session']],
    ['a read that is not marked as batchable', ['/notifications/preferences']],
    ['an unknown path', ['/nothing']],
    ['a path outside the API', ['/../metrics']],
    ['an invalid path', ['/bills/../admin/bills']],
    ['another place', ['//evil.example/bills']],
    ['a complete address', ['http://evil.example/api/bills']],
    ['no path', ['bills']],
    ['a fragment', ['/bills#x']],
    ['a line break', ['/bills\r\nhost: evil.example']],
    ['a valid and an invalid one', ['/bills', '/notifications/preferences']],
  ])('reject %s as a whole, before anything is read', async (_what, paths) => {
    const answer = await getBatch(paths, { token: one.token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      isSuccess: false,
      code: 'platform.invalid',
      errors: [{ field: 'get' }],
    });
  });

  it('cannot write anything', async () => {
    const answer = await fetch(`${console.address}/api/together?get=/dunning`, {
      method: 'POST',
      headers: { ...headers({ token: one.token }), 'content-type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  });
});
