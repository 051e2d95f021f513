// Conditional requests and deprecated calls, over HTTP on a real database.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import { makeHttp } from '#platform/server/http/http.ts';
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
let operator: string;
let organizationId: string;

/** Calls like any HTTP client. */
const send = async (
  method: string,
  path: string,
  { body, by = token, ...headers }: { body?: object; by?: string } & Record<string, unknown> = {},
) => {
  const response = await fetch(`${console.address}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${by}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, tag: response.headers.get('etag'), response, answer };
};
const tagOf = async (path: string, by = token): Promise<string> => {
  const { status, tag } = await send('GET', path, { by });
  expect(status).toBe(200);
  return tag ?? '';
};
const nameNow = async (): Promise<unknown> =>
  (
    await sql<{ name: string }>`select name from organization where id = ${organizationId}`.execute(
      console.app.database.kysely,
    )
  ).rows[0]?.name;

beforeAll(async () => {
  console = await createTestConsole();
  operator = await setUp(console);
  ({ token, organizationId } = await registerUser(console, 'owner@one.example', 'One'));
});

describe('T-API-COND: If-Match', () => {
  it('changes an object as it was read, and rejects it if it changed since; an equal response has an equal tag', async () => {
    const read = await tagOf('/organization');
    expect(read).toMatch(/^"[\w-]{43}"$/);
    expect(await tagOf('/organization')).toBe(read);
    expect(await send('PATCH', '/organization', { body: { name: 'Two' }, 'if-match': read })).toMatchObject({
      status: 200,
    });
    const late = await send('PATCH', '/organization', { body: { name: 'Three' }, 'if-match': read });
    expect(late).toMatchObject({ status: 412, answer: { code: 'platform.changed_since', isSuccess: false } });
    expect(await nameNow()).toBe('Two');
    expect(await tagOf('/organization')).not.toBe(read);
    // Several tags, any of them; without a condition as usual.
    const now = await tagOf('/organization');
    expect(
      await send('PATCH', '/organization', { body: { name: 'Four' }, 'if-match': `${read}, ${now}` }),
    ).toMatchObject({ status: 200 });
    expect(await send('PATCH', '/organization', { body: { name: 'Five' }, 'if-match': '*' })).toMatchObject({
      status: 200,
    });
    expect(await send('PATCH', '/organization', { body: { name: 'One' } })).toMatchObject({ status: 200 });
  });

  it('lets one of ten concurrent changes of the same state succeed', async () => {
    const read = await tagOf('/organization');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send('PATCH', '/organization', { body: { name: `At once ${index}` }, 'if-match': read }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(412)]);
    const made = answers.findIndex(({ status }) => status === 200);
    expect(await nameNow()).toBe(`At once ${made}`);
  });

  it('a repeat with the same Idempotency-Key gets its response, although the object has changed', async () => {
    const read = await tagOf('/organization');
    const change = { body: { name: 'Once' }, 'if-match': read, 'idempotency-key': 'rename-1' };
    const first = await send('PATCH', '/organization', change);
    expect(first.status).toBe(200);
    expect(await send('PATCH', '/organization', change)).toMatchObject({ status: 200, answer: first.answer });
  });

  it('a weak tag never matches, and an invalid one is rejected at the header, in the caller’s language', async () => {
    const read = await tagOf('/organization');
    const weak = await send('PATCH', '/organization', { body: { name: 'Weak' }, 'if-match': `W/${read}` });
    expect(weak.status).toBe(412);
    for (const wrong of ['abc', '"a" "b"', '"a",', ','])
      expect(
        await send('PATCH', '/organization', {
          body: { name: 'Wrong' },
          'if-match': wrong,
          'accept-language': 'en-US',
        }),
      ).toMatchObject({
        status: 400,
        answer: { errors: [{ field: 'If-Match', code: 'platform.condition_malformed' }] },
      });
    expect(await nameNow()).toBe('Once');
  });

  it('a call without a comparable state rejects the condition', async () => {
    const answer = await send('POST', '/organization/api-keys', {
      body: { name: 'key', permissions: [] },
      'if-match': '"x"',
    });
    expect(answer).toMatchObject({
      status: 400,
      answer: { errors: [{ field: 'If-Match', code: 'platform.condition_unknown' }] },
    });
  });

  it('an action on an object is bound to that object; callers without permission get no comparison', async () => {
    const path = `/admin/organizations/${organizationId}`;
    const invite = { by: operator, body: { email: 'new@one.example', role: 'User' } };
    const read = await tagOf(path, operator);
    await send('PATCH', '/organization', { body: { name: 'Meanwhile' } });
    expect(await send('POST', `${path}/invitations`, { ...invite, 'if-match': read })).toMatchObject({
      status: 412,
    });
    const now = await tagOf(path, operator);
    expect(await send('POST', `${path}/invitations`, { ...invite, 'if-match': now })).toMatchObject({
      status: 201,
    });
    expect(await send('PATCH', path, { body: { name: 'Mine' }, 'if-match': '*' })).toMatchObject({
      status: 403,
    });
  });

  it('deletes an object as it was read, which does not exist afterwards', async () => {
    const { id } = await console.ok(
      meters.createMeter,
      { key: 'traffic', name: 'Traffic', eventType: 'traffic', aggregation: 'sum', unit: 'TB' },
      { token: operator },
    );
    const path = `/admin/meters/${id}`;
    const read = await tagOf(path, operator);
    expect(await send('DELETE', path, { by: operator, 'if-match': '"older"' })).toMatchObject({
      status: 412,
    });
    expect(await send('DELETE', path, { by: operator, 'if-match': read })).toMatchObject({ status: 200 });
    expect(await send('DELETE', path, { by: operator, 'if-match': '*' })).toMatchObject({ status: 404 });
  });
});

describe('T-API-COND: If-None-Match', () => {
  it('returns 304 without a body while nothing changed', async () => {
    const read = await tagOf('/organization');
    expect(await send('GET', '/organization', { 'if-none-match': read })).toMatchObject({
      status: 304,
      tag: read,
      answer: null,
    });
    expect(await send('GET', '/organization', { 'if-none-match': `W/${read}` })).toMatchObject({
      status: 304,
    });
    await send('PATCH', '/organization', { body: { name: 'New' } });
    expect(await send('GET', '/organization', { 'if-none-match': read })).toMatchObject({ status: 200 });
  });
});

it('T-API-COND: the API document names the headers where they are accepted', async () => {
  const document = z.parse(
    z.object({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({ parameters: z.optional(z.array(z.looseObject({ name: z.string() }))) }),
        ),
      ),
    }),
    (await send('GET', '/openapi.json')).answer,
  );
  const headersOf = (path: string, method: string): string[] =>
    (document.paths[path]?.[method]?.parameters ?? []).map(({ name }) => name);
  expect(headersOf('/api/organization', 'patch')).toContain('If-Match');
  expect(headersOf('/api/organization', 'get')).toContain('If-None-Match');
  expect(headersOf('/api/organization/api-keys', 'post')).not.toContain('If-Match');
});

it('T-API-OLD: a deprecated call returns since when, until when, and its replacement', async () => {
  const old = feature({
    name: 'old',
    contract: contract({
      was: route({
        method: 'GET',
        path: '/was',
        access: 'public',
        summary: 'Was.',
        deprecated: { since: '2026-11-01', until: '2027-05-01', use: '/is' },
        input: z.strictObject({ wanted: z.optional(z.string().check(z.maxLength(3))) }),
        output: z.null(),
      }),
    }),
    verbs: { was: async () => null },
    errors: {},
  });
  const server = await makeHttp(console.app, [old], { authenticate: async () => undefined });
  for (const [url, status] of [
    ['/api/was', 200],
    ['/api/was?wanted=longer', 400],
  ] as const) {
    const { statusCode, headers } = await server.inject({ method: 'GET', url });
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      deprecation: '@1793491200',
      sunset: 'Sat, 01 May 2027 00:00:00 GMT',
      link: '</api/is>; rel="successor-version"',
    });
  }
  await server.close();
});
