// `expand`: an expanded object is what its own read returns, for whom it returns it, and nothing else.
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { everyFeature } from '#app/every-feature.ts';
import { contract, route, type Route } from '#kernel/contract.ts';
import { makeHttp } from '#platform/server/http/http.ts';
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { meteredConsole } from '../support/metered-console.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  signIn,
  type TestConsole,
} from '../support/console.ts';

type Told = {
  readonly data: Readonly<Record<string, unknown>> & {
    readonly expanded?: Readonly<Record<string, unknown>>;
  };
  readonly code?: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
};
let console: TestConsole;
let admin: string;
let owner: string;
let other: string;
const known: Record<string, string> = {};

const get = async (path: string, token: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${console.address}/api${path}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'en', ...headers },
  });
  const text = await answer.text();
  return {
    status: answer.status,
    tag: answer.headers.get('etag') ?? '',
    told: (text === '' ? { data: {} } : JSON.parse(text)) as Told,
  };
};
const filled = (path: string): string =>
  path.replace(/:(\w+)/g, (_place, name: string) => known[name] ?? `no ${name}`);

const expanding = everyFeature({ jobs: () => [], kinds: () => [] })
  .flatMap((one) => Object.values(one.contract))
  .filter((one: Route) => one.expand !== undefined);

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T00:00:00Z'));
  const metered = await meteredConsole(console);
  admin = metered.admin;
  const sent = await fetch(`${console.address}/api/usage/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${metered.key}`, 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id: '1',
      source: '/test',
      type: 'call',
      subject: metered.subscriptionId,
      time: '2024-09-10T00:00:00Z',
      data: { value: '7' },
    }),
  });
  if (sent.status !== 202) throw new Error(`usage was answered ${sent.status}`);
  console.clock.set(new Date('2024-10-02T00:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  owner = await signIn(console, 'owner@one.example');
  ({ token: other } = await registerUser(console, 'owner@two.example', 'Two'));
  await console.ok(billing.closeMonth, { month: '2024-09' as never }, { token: admin });
  const {
    items: [bill],
  } = await console.ok(billing.listBills, {}, { token: owner });
  const { items: users } = await console.ok(identity.listUsers, {}, { token: admin });
  const member = users.find(({ account }) => account === 'owner@one.example');
  const staff = users.find(({ role }) => role === 'Admin');
  const {
    data: { items: services },
  } = (await get('/admin/services', admin)).told as unknown as { data: { items: { id: string }[] } };
  Object.assign(known, {
    billId: bill?.id,
    subscriptionId: metered.subscriptionId,
    userId: member?.id,
    staffId: staff?.id,
    organizationId: member?.organizationId,
    serviceId: services[0]?.id,
  });
});

describe('T-API-EXPAND: a read with related objects', () => {
  it.each(expanding.map((one) => [one.path, one] as const))(
    'GET %s returns the same as each read alone',
    async (path, one) => {
      const token = path.startsWith('/admin/') ? admin : owner;
      const names = Object.keys(one.expand ?? {});
      const alone = await get(filled(path), token);
      expect(alone.status).toBe(200);
      const expected = Object.fromEntries(
        await Promise.all(
          Object.entries(one.expand ?? {}).map(async ([name, read]) => {
            const { status, told } = await get(filled(read), token);
            expect([read, status]).toEqual([read, 200]);
            return [name, told.data] as const;
          }),
        ),
      );
      for (const query of [`expand=${names.join(',')}`, names.map((name) => `expand=${name}`).join('&')]) {
        const { status, told, tag } = await get(`${filled(path)}?${query}`, token);
        expect(status).toBe(200);
        expect(told).toEqual({
          data: { ...alone.told.data, expanded: expected },
          isSuccess: true,
          message: 'Success',
        });
        expect(tag).toBe(alone.tag);
      }
    },
  );

  it('returns null where there is nothing: an Admin belongs to no organization', async () => {
    const { status, told } = await get(`/admin/users/${known['staffId']}?expand=organization`, admin);
    expect([status, told.data.expanded]).toEqual([200, { organization: null }]);
  });

  it.each([
    ['zh-TW', '這裡的 expand 只能填：quotas, cover。'],
    ['en', 'Here “expand” takes only: quotas, cover.'],
    ['ja', 'ここで expand に指定できるのは次のものだけです：quotas, cover。'],
  ])('rejects an unknown name, and lists the known ones (%s)', async (language, message) => {
    for (const names of ['quotas,history', 'constructor', '', 'quotas,']) {
      const { status, told } = await get(`/subscriptions?expand=${names}`, owner, {
        'accept-language': language,
      });
      expect(status).toBe(400);
      expect(told.errors).toEqual([{ field: 'expand', code: 'platform.expand_unknown', message }]);
    }
  });

  it('rejects it where nothing can be expanded, like any unknown field', async () => {
    const { status, told } = await get('/dunning?expand=quotas', owner);
    expect([status, told.errors?.[0]?.field]).toEqual([400, 'expand']);
  });

  it('grants no additional access: another organization’s bill, a key without the permission for the expanded object', async () => {
    expect((await get(`/bills/${known['billId']}?expand=history`, other)).status).toBe(404);
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'customers', scope: 'permissions', permissions: ['customers:read'], irreversible: false },
      { token: admin },
    );
    const path = `/admin/organizations/${known['organizationId']}`;
    expect((await get(path, secret)).status).toBe(200);
    const alone = await get(`${path}/credit-limit`, secret);
    expect(alone.status).toBe(403);
    const refused = await get(`${path}?expand=account,creditLimit`, secret);
    expect([refused.status, refused.told.code, refused.told.data]).toEqual([403, alone.told.code, null]);
  });

  it('never returns “not modified”, because the expanded object may have changed although the object has not', async () => {
    const path = `/admin/services/${known['serviceId']}`;
    const { tag } = await get(path, admin);
    expect((await get(path, admin, { 'if-none-match': tag })).status).toBe(304);
    const whole = await get(`${path}?expand=overrides`, admin, { 'if-none-match': tag });
    expect([whole.status, whole.tag, whole.told.data.expanded]).toEqual([
      200,
      tag,
      { overrides: { items: [] } },
    ]);
  });
});

describe('T-API-EXPAND: an invalid declaration prevents the start', () => {
  const started = async (
    expand: Route['expand'],
    output: Route['output'] = z.strictObject({ id: z.string() }),
  ) => {
    const made = contract({
      thing: route({
        method: 'GET',
        path: '/things/:thingId',
        access: 'public',
        summary: 'A thing.',
        input: z.strictObject({ thingId: z.string() }),
        output,
        ...(expand && { expand }),
      }),
      parts: route({
        method: 'GET',
        path: '/things/:thingId/parts',
        access: 'public',
        summary: 'Parts.',
        input: z.strictObject({ thingId: z.string(), month: z.string() }),
        output: z.strictObject({}),
      }),
      maker: route({
        method: 'GET',
        path: '/makers/:makerId',
        access: 'public',
        summary: 'A maker.',
        input: z.strictObject({ makerId: z.string() }),
        output: z.strictObject({}),
      }),
    });
    const verbs = { thing: async () => ({}), parts: async () => ({}), maker: async () => ({}) };
    const server = await makeHttp(
      console.app,
      [feature({ name: 'things', contract: made, verbs: verbs as never, errors: {} })],
      { authenticate: async () => ({ kind: 'anonymous' }) },
    );
    await server.close();
  };

  it.each([
    ['an unknown path', { owner: '/owners/:thingId' }, 'is no read'],
    ['a read with required query fields', { parts: '/things/:thingId/parts' }, 'needs more than its path'],
    ['an unknown parameter', { maker: '/makers/:makerId' }, 'without makerId'],
  ] as const)('%s', async (_name, expand, told) => {
    await expect(started(expand)).rejects.toThrow(told);
  });

  it('starts where the response names what to read', async () => {
    await expect(
      started({ maker: '/makers/:makerId' }, z.strictObject({ makerId: z.string() })),
    ).resolves.toBeUndefined();
  });
});
