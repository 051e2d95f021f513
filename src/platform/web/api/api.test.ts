import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { afterEach, describe, expect, it } from 'vitest';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { instant, moneyShape, queryInteger } from '#kernel/shape.ts';
import { createClient, fileNameOf } from './api.ts';
import { ApiError, isWorthRetrying } from './api-error.ts';
import { createTransport, type Reach } from './transport.ts';

const everyone = { roles: ['User'] } as const;
const table = contract({
  listBills: route({
    method: 'GET',
    path: '/bills',
    access: everyone,
    summary: '',
    input: z.strictObject({ limit: z.optional(queryInteger(1, 200)), q: z.optional(z.string()) }),
    output: z.strictObject({ items: z.array(z.strictObject({ total: moneyShape, at: instant })) }),
  }),
  payBill: route({
    method: 'POST',
    path: '/bills/:billId/payments',
    access: everyone,
    idempotent: true,
    summary: '',
    input: z.strictObject({ billId: z.string(), amount: moneyShape }),
    output: nothing,
  }),
  pdf: route({
    method: 'GET',
    path: '/bills/:billId/pdf',
    access: everyone,
    summary: '',
    input: z.strictObject({ billId: z.string() }),
    output: file,
  }),
  upload: route({
    method: 'POST',
    path: '/imports',
    access: everyone,
    summary: '',
    raw: { types: ['text/csv'], maxBytes: 9 },
    input: z.strictObject({ fileName: z.optional(z.string()) }),
    output: nothing,
  }),
  balance: route({
    method: 'GET',
    path: '/balance',
    access: everyone,
    isBatchable: true,
    summary: '',
    input: z.strictObject({ of: z.string() }),
    output: z.string(),
  }),
  login: route({
    method: 'POST',
    path: '/login',
    access: 'public',
    summary: '',
    input: noInput,
    output: nothing,
  }),
});

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Reply = {
  status?: number;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  hang?: true;
  drop?: true;
};
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function app(
  reply: (seen: Seen) => Reply,
  own: {
    token?: string | null;
    renew?: () => Promise<string | null>;
    timeoutMs?: number;
    language?: 'zhTW' | 'enUS';
    /** How many calls must have received their 401 before a renewal responds. */ simultaneousCalls?: number;
  } = {},
) {
  const seen: Seen[] = [];
  const state = {
    token: own.token === undefined ? 'old' : own.token,
    signedOut: 0,
    renewals: 0,
    reached: [] as Reach[],
  };
  // Each call reads the token twice: before it is sent, and again after its 401.
  let reads = 0;
  let open: () => void = () => undefined;
  const allRefused = new Promise<void>((done) => (open = done));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      const answer = reply(one);
      if (answer.drop) return request.socket.destroy();
      if (answer.hang) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.raw ?? JSON.stringify(answer.body ?? succeeded(null)));
    });
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const language = own.language ?? 'enUS';
  const transport = createTransport({
    origin: `http://127.0.0.1:${port}`,
    language: () => ({ name: language, tag: language === 'zhTW' ? 'zh-Hant-TW' : 'en-US' }),
    token: () => {
      if (++reads >= 2 * (own.simultaneousCalls ?? 0)) open();
      return state.token;
    },
    renew: async () => {
      state.renewals++;
      await allRefused;
      const fresh = (await own.renew?.()) ?? null;
      if (fresh) state.token = fresh;
      return fresh;
    },
    onSignedOut: () => {
      state.signedOut++;
      state.token = null;
    },
    ...(own.timeoutMs && { timeoutMs: own.timeoutMs }),
    onReach: (reach) => state.reached.push(reach),
  });
  return { client: createClient(table, transport), seen, state };
}
const caught = async (promise: Promise<unknown>): Promise<ApiError> => {
  const problem: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(ApiError);
  return problem as ApiError;
};

const failed = (code: string) => ({ data: null, isSuccess: false, message: code, code });
const succeeded = (data: unknown) => ({ data, isSuccess: true, message: 'Success' });

const toEach = ({ url }: Seen) => ({
  body: succeeded(
    new URLSearchParams(url.slice(url.indexOf('?')))
      .getAll('get')
      .map((path) => ({ status: 200, body: succeeded(path.at(-1)) })),
  ),
});

describe('R-API-01 concurrent reads', () => {
  it('are one call with the bearer token, and each is decoded by its own contract', async () => {
    const { client, seen } = await app(toEach);
    expect(await Promise.all(['a', 'b', 'c'].map((of) => client.balance({ of })))).toEqual(['a', 'b', 'c']);
    expect(seen).toMatchObject([
      {
        url: '/api/together?get=%2Fbalance%3Fof%3Da&get=%2Fbalance%3Fof%3Db&get=%2Fbalance%3Fof%3Dc',
        headers: { authorization: 'Bearer old', 'accept-language': 'en-US' },
      },
    ]);
  });

  it('continue for the others when one of them is canceled', async () => {
    const { client } = await app(toEach);
    const leaving = new AbortController();
    const [left, stayed] = [
      caught(client.balance({ of: 'a' }, { signal: leaving.signal })),
      client.balance({ of: 'b' }, { signal: new AbortController().signal }),
    ];
    leaving.abort();
    expect((await left).code).toBe('connection.aborted');
    expect(await stayed).toBe('b');
  });

  it('fail together while the server is unavailable, without single calls', async () => {
    const { client, seen } = await app(() => ({
      status: 503,
      body: failed('platform.database_unavailable'),
    }));
    const problems = await Promise.all(['a', 'b', 'c'].map((of) => caught(client.balance({ of }))));
    expect(problems.map(({ code, status }) => [code, status])).toEqual(
      Array(3).fill(['platform.database_unavailable', 503]),
    );
    expect(seen).toHaveLength(1);
  });

  it('renew the session once for all rejected ones, and are repeated as one call', async () => {
    const refused = { status: 401, body: failed('platform.sign_in_required') };
    const { client, seen, state } = await app(
      (one) =>
        one.headers.authorization === 'Bearer new' ? toEach(one) : { body: { data: [refused, refused] } },
      { renew: async () => 'new' },
    );
    expect(await Promise.all([client.balance({ of: 'a' }), client.balance({ of: 'b' })])).toEqual(['a', 'b']);
    expect([seen.length, state.renewals, state.signedOut]).toEqual([2, 1, 0]);
  });
});

describe('R-API-01 requests', () => {
  it('send query, bearer token and language, and decode money and times', async () => {
    const { client, seen } = await app(() => ({
      body: succeeded({
        items: [{ total: { amount: '12.50', currency: 'USD' }, at: '2026-11-20T00:00:00Z' }],
      }),
    }));
    expect(await client.listBills({ limit: 25, q: 'a b' })).toEqual({
      items: [{ total: money(1250n, 'USD'), at: new Date('2026-11-20T00:00:00Z') }],
    });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/api/bills?limit=25&q=a+b',
      headers: { authorization: 'Bearer old', 'accept-language': 'en-US' },
    });
  });

  it('fill the path, encode the body and carry an idempotency key', async () => {
    const { client, seen } = await app(() => ({}));
    await client.payBill({ billId: 'a/b', amount: money(320n, 'TWD') });
    await client.payBill({ billId: 'x', amount: money(1n, 'TWD') }, { idempotencyKey: 'mine' });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/bills/a%2Fb/payments',
      body: '{"amount":{"amount":"320","currency":"TWD"}}',
    });
    expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen[1]?.headers['idempotency-key']).toBe('mine');
  });

  it('send a raw body with the input in the query', async () => {
    const { client, seen } = await app(() => ({}));
    await client.upload({ fileName: 'a.csv' }, { body: 'a,b' });
    expect(seen[0]).toMatchObject({
      url: '/api/imports?fileName=a.csv',
      body: 'a,b',
      headers: { 'content-type': 'text/csv' },
    });
  });

  it('R-BILL-04 return files with name and message', async () => {
    const { client } = await app(() => ({
      raw: '%PDF',
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="b.pdf"; filename*=UTF-8''%E5%B8%B3%E5%96%AE.pdf`,
      },
    }));
    const answer = await client.pdf({ billId: 'b' });
    expect(answer).toMatchObject({ fileName: '帳單.pdf', message: 'File downloaded successfully' });
    expect(await answer.blob.text()).toBe('%PDF');
  });
});

describe('failed calls are ApiErrors', () => {
  it('with status, code, message, fields and request id of the server', async () => {
    const { client } = await app(() => ({
      status: 422,
      body: {
        data: null,
        isSuccess: false,
        message: '已付款',
        code: 'billing.already_paid',
        errors: [{ field: 'amount', code: 'x', message: 'y' }],
        requestId: 'req_1',
      },
    }));
    expect(await caught(client.payBill({ billId: 'b', amount: money(1n, 'TWD') }))).toMatchObject({
      status: 422,
      code: 'billing.already_paid',
      message: '已付款',
      errors: [{ field: 'amount' }],
      requestId: 'req_1',
    });
  });

  it.each([
    ['zhTW', '無法連線到伺服器，請檢查網路後再試一次。'],
    ['enUS', 'The server cannot be reached. Check your connection and try again.'],
  ] as const)('report in %s that the network is gone', async (language, message) => {
    const { client } = await app(() => ({ drop: true }), { language });
    const problem = await caught(client.listBills());
    expect(problem).toMatchObject({ status: 0, code: 'connection.lost', message });
    expect(isWorthRetrying(problem)).toBe(true);
  });

  it('report that the server took too long', async () => {
    const { client } = await app(() => ({ hang: true }), { timeoutMs: 30 });
    expect((await caught(client.listBills())).code).toBe('connection.timed_out');
  });

  it.each([
    ['an answer', {}, ['reached']],
    ['a refusal', { status: 403 }, ['reached']],
    ['an internal error', { status: 500 }, ['reached']],
    ['an overloaded server', { status: 503, body: failed('platform.busy') }, ['reached']],
    ['a database failover', { status: 503, body: failed('platform.database_unavailable') }, ['recovering']],
    ['a proxy without a server', { status: 503, raw: '<html>' }, ['lost']],
    ['a proxy that cannot find the server', { status: 502 }, ['lost']],
    ['a proxy whose server timed out', { status: 504 }, ['lost']],
    ['a lost connection', { drop: true as const }, ['lost']],
    ['a timeout', { hang: true as const }, ['lost']],
  ])('show whether the server can be reached: %s', async (_, reply, reached) => {
    const { client, state } = await app(() => reply, { timeoutMs: 300 });
    await client.listBills().catch(() => undefined);
    expect(state.reached).toEqual(reached);
  });

  it('distinguish a canceled call from a lost one', async () => {
    const { client } = await app(() => ({ hang: true }));
    expect((await caught(client.listBills({}, { signal: AbortSignal.abort() }))).code).toBe(
      'connection.aborted',
    );
  });

  it.each([
    ['a page of a proxy', { status: 502, raw: '<html>' }, 'connection.failed'],
    ['a response of another version', { body: succeeded({ other: 1 }) }, 'connection.unreadable'],
  ])('%s', async (_name, reply, code) => {
    const { client } = await app(() => reply);
    expect((await caught(client.listBills())).code).toBe(code);
  });

  it('reject invalid input before anything is sent', async () => {
    const { client, seen } = await app(() => ({}));
    expect(await caught(client.listBills({ limit: 1000 }))).toMatchObject({
      code: 'connection.invalid',
      errors: [{ field: 'limit' }],
    });
    expect(seen).toHaveLength(0);
  });
});

describe('R-AUTH-13 a lost session', () => {
  const byToken =
    (good: string) =>
    (seen: Seen): Reply =>
      seen.headers.authorization === `Bearer ${good}`
        ? { body: succeeded({ items: [] }) }
        : { status: 401, body: failed('identity.session_ended') };

  it('is renewed once for 40 parallel calls, which all succeed', async () => {
    const { client, state } = await app(byToken('new'), {
      renew: () => Promise.resolve('new'),
      simultaneousCalls: 40,
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.listBills()));
    expect(answers).toHaveLength(40);
    expect(state).toMatchObject({ token: 'new', renewals: 1, signedOut: 0 });
  });

  it('that is over ends exactly once for 40 parallel calls', async () => {
    const { client, state } = await app(byToken('new'), { simultaneousCalls: 40 });
    const problems = await Promise.all(Array.from({ length: 40 }, () => caught(client.listBills())));
    expect(new Set(problems.map((problem) => problem.code))).toEqual(new Set(['identity.session_ended']));
    expect(state).toMatchObject({ token: null, renewals: 1, signedOut: 1 });
  });

  it('ends when even the new token is rejected', async () => {
    const { client, state } = await app(byToken('never'), { renew: () => Promise.resolve('new') });
    await caught(client.listBills());
    expect(state).toMatchObject({ token: null, signedOut: 1 });
  });

  it('is not renewed when sign-in itself responds with 401', async () => {
    const { client, state } = await app(() => ({
      status: 401,
      body: failed('login.incorrect'),
    }));
    expect((await caught(client.login())).code).toBe('login.incorrect');
    expect(state).toMatchObject({ token: 'old', renewals: 0, signedOut: 0 });
  });
});

describe('fileNameOf', () => {
  it.each([
    ['attachment; filename="a.csv"', 'a.csv'],
    ['attachment; filename=a.csv', 'a.csv'],
    ["attachment; filename=x; filename*=UTF-8''%", 'x'],
    [null, 'download'],
  ])('%s', (header, name) => {
    expect(fileNameOf(header)).toBe(name);
  });
});
