// The content of an error response, whatever caused it: the members of RFC 9457 (problem details), in the
// envelope described in docs/integrator/api-keys.md.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '#app/api-document.ts';
import { everyFeature } from '#app/every-feature.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let user: string;
let key: string;
let tag: string;
let staff: string;
let isFailure: ReturnType<Ajv2020['compile']>;
const features = everyFeature({ jobs: () => [], kinds: () => [] });
const known = new Map(features.flatMap(({ errors }) => Object.entries(errors)));

type Refused = {
  readonly data: unknown;
  readonly isSuccess: boolean;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
};
type Call = {
  readonly method?: string;
  readonly path: string;
  readonly by?: 'admin' | 'user' | 'key' | 'nobody' | 'wrong';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

async function send({ method = 'GET', path, by = 'admin', body, headers = {} }: Call, language: string) {
  const token = { admin, user, key, wrong: 'wrong', nobody: '' }[by];
  const answer = await fetch(`${console.address}/api${path.replace(':staff', staff)}`, {
    method,
    headers: {
      'accept-language': language,
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    refused: (await answer.json()) as Refused,
  };
}

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  ({ token: user } = await registerUser(console, 'owner@one.example', 'One'));
  ({ secret: key } = await console.ok(
    identity.createApiKey,
    { name: 'reader', scope: 'permissions', permissions: ['billing:read'], irreversible: false },
    { token: admin },
  ));
  const { items } = await console.ok(identity.listUsers, {}, { token: admin });
  staff = items.find(({ role }) => role === 'Admin')?.id ?? '';
  const document = await apiDocument(features);
  const { schemas } = document['components'] as { schemas: Record<string, object> };
  isFailure = new Ajv2020({ strict: false }).compile(schemas['Failure'] ?? false);
  const read = await fetch(`${console.address}/api/organization`, {
    headers: { authorization: `Bearer ${user}` },
  });
  tag = read.headers.get('etag') ?? '';
});

/** An error of each status that a caller meets, by its cause: input, framework, admission, operation. */
const refusals: readonly (readonly [status: number, code: string, call: Call, fields?: readonly string[]])[] =
  [
    [400, 'platform.invalid', { path: '/admin/bills?limit=no&state=lost' }, ['limit', 'state']],
    [400, 'platform.invalid', { method: 'POST', path: '/admin/services', body: { name: '' } }, ['name']],
    [400, 'platform.malformed', { method: 'POST', path: '/admin/services', body: '{' }],
    [401, 'platform.sign_in_required', { path: '/bills', by: 'nobody' }],
    [401, 'platform.sign_in_required', { path: '/bills', by: 'wrong' }],
    [403, 'platform.forbidden', { path: '/admin/bills', by: 'user' }],
    [403, 'platform.key_permission', { path: '/admin/users', by: 'key' }],
    [404, 'platform.not_found', { path: '/nothing' }],
    [404, 'billing.bill_not_found', { path: '/admin/bills/bil_01j7q5tb3ge1v8m1zq6d2d9c7a' }],
    [405, 'platform.method_not_allowed', { method: 'DELETE', path: '/bills' }],
    [
      409,
      'identity.last_admin',
      { method: 'PATCH', path: '/admin/users/:staff', body: { status: 'inactive' } },
    ],
    [
      412,
      'platform.changed_since',
      {
        method: 'PATCH',
        path: '/organization',
        by: 'user',
        body: { name: 'Two' },
        headers: { 'if-match': '"old"' },
      },
    ],
    [
      413,
      'platform.too_large',
      { method: 'POST', path: '/admin/services', body: { name: 'x'.repeat(1_100_000) } },
    ],
    [
      415,
      'platform.media_type',
      { method: 'POST', path: '/admin/services', body: 'name', headers: { 'content-type': 'text/plain' } },
    ],
  ];

describe('T-API-PROBLEM: problem details (RFC 9457) in the envelope', () => {
  it.each(refusals.map(([status, code, call, fields = []]) => [status, code, call, fields] as const))(
    '%d %s',
    async (status, code, call, fields) => {
      const english = await send(call, 'en');
      expect([english.status, english.refused.code]).toEqual([status, code]);
      expect(english.type).toMatch(/^application\/json/);
      const { refused } = english;
      // The document’s own schema of errors.
      expect([isFailure(refused), isFailure.errors]).toEqual([true, null]);
      expect([refused.data, refused.isSuccess]).toEqual([null, false]);
      // `type` and `status`: a code that some feature or the platform defines with this status.
      expect(known.get(code) ?? status).toBe(status);
      // `title` and `detail`: a sentence in the requested language, not the key.
      const chinese = await send(call, 'zh-TW');
      expect(chinese.refused.code).toBe(code);
      expect(refused.message).toMatch(/^[A-Z“].*[.!?]$/s);
      expect(chinese.refused.message).toMatch(/[\u4e00-\u9fff]/);
      // `instance`: unique to the call.
      expect(refused.requestId).toMatch(/^\w{8,}/);
      expect(chinese.refused.requestId).not.toBe(refused.requestId);
      // Further members: fields by name, each with a sentence.
      expect(refused.errors?.map(({ field }) => field)).toEqual(expect.arrayContaining([...fields]));
      for (const { field, code: why, message } of refused.errors ?? []) {
        expect(message).toMatch(/^\S.*\.$/);
        expect([message.includes(field), why.includes('.')]).toEqual([true, true]);
      }
    },
  );

  it('a matching tag is not an error', async () => {
    const { status } = await send(
      {
        method: 'PATCH',
        path: '/organization',
        by: 'user',
        body: { name: 'One' },
        headers: { 'if-match': tag },
      },
      'en',
    );
    expect(status).toBe(200);
  });

  it('tells a wrong value from a missing one', async () => {
    const errors = async (body: object): Promise<unknown> =>
      (await send({ method: 'POST', path: '/admin/api-keys', body }, 'en')).refused.errors;
    expect(await errors({})).toMatchObject([{ field: 'name', code: 'platform.field_required' }]);
    for (const name of [5, ['a'], { a: 1 }, 'half a character: \ud83d'])
      expect(await errors({ name })).toMatchObject([{ field: 'name', code: 'platform.field_invalid' }]);
  });
});
