// An Admin who views the console as another user sees what that user sees, cannot change anything, gains no
// access, and the view ends on time.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract, noInput, nothing, pathNames, route, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { makeHttp } from '#platform/server/http/http.ts';
import type { Actor } from '#platform/server/unit-of-work/ctx.ts';
import { identity } from '#features/access/identity/contract.ts';
import { authenticate } from '#features/access/identity/server/index.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { features } from '#app/features.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
let adminId: Id<'usr'>;
let one: Awaited<ReturnType<typeof registerUser>>;
let view: string;
const reason = 'ticket 1042: bill is not shown';
const db = () => console.app.database.kysely;
const routes: [string, Route][] = [
  ...features.map((feature) => [feature.name, feature.contract] as const),
  ['console', consoleContract] as const,
]
  .flatMap(([name, table]) =>
    Object.entries(table).map(([verb, spec]): [string, Route] => [`${name}.${verb}`, spec]),
  )
  .filter(([, spec]) => typeof spec.access === 'object');
const begin = (userId: string, by = admin) =>
  console.call(identity.startView, { userId: userId as Id<'usr'>, reason }, { token: by });
/** Signs the Admin in again and starts a new view. */
async function anew(): Promise<void> {
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  view = (await begin(one.userId)).data.token;
}
const reads = async (token = view): Promise<number> =>
  (await console.call(identity.profile, {}, { token })).status;

async function callWithoutInput(
  spec: Route,
  token: string,
): Promise<{ status: number; code: string | undefined; text: string }> {
  const path = pathNames(spec.path).reduce((text, name) => text.replace(`:${name}`, 'x'), spec.path);
  const hasBody = spec.method !== 'GET' && spec.method !== 'DELETE';
  const response = await fetch(`${console.address}/api${path}`, {
    method: spec.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(hasBody ? { 'content-type': spec.raw?.types[0] ?? 'application/json' } : {}),
    },
    ...(hasBody ? { body: spec.raw ? 'x' : '{}' } : {}),
  });
  const text = await response.text();
  return { status: response.status, code: /"code":"([\w.]+)"/.exec(text)?.[1], text };
}

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  adminId = (await console.ok(identity.profile, {}, { token: admin })).id;
  one = await registerUser(console, 'owner@one.example', 'One');
});

describe('R-ADM-02 viewing as a user', () => {
  beforeAll(anew);
  it('returns the same as for that user in every read', async () => {
    const readable = routes.filter(
      ([, spec]) =>
        spec.method === 'GET' && typeof spec.access === 'object' && spec.access.roles.includes('User'),
    );
    expect(readable.length).toBeGreaterThan(30);
    for (const [name, spec] of readable) {
      const [viewed, own] = [await callWithoutInput(spec, view), await callWithoutInput(spec, one.token)];
      expect([viewed.status, viewed.code], name).toEqual([own.status, own.code]);
      expect(viewed.text, name).not.toMatch(/"(secret|token|password\w*|seed|hash)":"/i);
    }
    const [viewed, own] = await Promise.all(
      [view, one.token].map((token) => console.ok(identity.organization, {}, { token })),
    );
    expect(viewed).toEqual(own);
  });

  it.each(routes.filter(([name, spec]) => spec.method !== 'GET' && name !== 'identity.endView'))(
    'rejects %s',
    async (_name, spec) => {
      const { status, code } = await callWithoutInput(spec, view);
      const isTheirs = typeof spec.access === 'object' && spec.access.roles.includes('User');
      expect([status, code]).toEqual([403, isTheirs ? 'platform.view_only' : 'platform.forbidden']);
    },
  );

  it.each(
    routes.filter(
      ([, spec]) =>
        spec.method === 'GET' && typeof spec.access === 'object' && !spec.access.roles.includes('User'),
    ),
  )('gives no access to %s', async (_name, spec) => {
    expect((await callWithoutInput(spec, view)).status).toBe(403);
  });

  it('allows no write method, even for a call that is named like a read', async () => {
    const actor: Actor | undefined = await authenticate(console.app, view);
    const sly = contract({
      sly: route({
        method: 'GET',
        path: '/sly',
        access: { roles: ['User'] },
        summary: '',
        input: noInput,
        output: nothing,
      }),
    });
    const fastify = await makeHttp(
      console.app,
      [
        {
          name: 'sly',
          contract: sly,
          errors: {},
          jobs: [],
          ownUnitOfWork: [],
          senders: {},
          verbs: {
            sly: async (ctx) => {
              await sql`update app_user set name = 'changed' where id = ${one.userId}`.execute(ctx.db);
              return null;
            },
          },
        },
      ],
      { authenticate: async () => actor },
    );
    const { statusCode } = await fastify.inject({
      method: 'GET',
      url: '/api/sly',
      headers: { authorization: 'Bearer x' },
    });
    await fastify.close();
    expect([statusCode, (await console.ok(identity.profile, {}, { token: one.token })).name]).toEqual([
      500,
      'owner',
    ]);
  });

  it('cannot be renewed, is not a session, and gets no live ticket', async () => {
    expect(
      (await fetch(`${console.address}/api/user/session`, { headers: { authorization: `Bearer ${view}` } }))
        .status,
    ).toBe(401);
    const [head, payload, signature] = view.split('.');
    const asSession = [
      Buffer.from(
        JSON.stringify({
          ...(JSON.parse(Buffer.from(head ?? '', 'base64url').toString()) as object),
          typ: 'at+jwt',
        }),
      ).toString('base64url'),
      payload,
      signature,
    ].join('.');
    expect(await reads(asSession)).toBe(401);
    expect((await console.call(identity.liveTicket, {}, { token: view })).envelope.code).toBe(
      'platform.view_only',
    );
  });

  it('is not possible for Admins and inactive or deleted users, and needs a reason and a recent sign-in', async () => {
    const { user: other } = await console.ok(
      identity.createUser,
      { account: 'second@cloud.example', name: 'Second', role: 'Admin', password: userPassword },
      { token: admin },
    );
    const { user: off } = await console.ok(
      identity.createUser,
      {
        account: 'off@one.example',
        name: 'Off',
        role: 'ReadOnly',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
      },
      { token: admin },
    );
    await console.ok(identity.updateUser, { userId: off.id, status: 'inactive' }, { token: admin });
    expect([
      (await begin(other.id)).envelope.code,
      (await begin(adminId)).envelope.code,
      (await begin(off.id)).envelope.code,
    ]).toEqual(['identity.view_of_admin', 'identity.view_of_admin', 'identity.view_of_inactive']);
    await console.ok(users.deleteUser, { userId: off.id }, { token: admin });
    expect((await begin(off.id)).status).toBe(404);
    for (const body of [
      {},
      { reason: '   short ' },
      { reason: '     ' },
      { reason, minutes: 31 },
      { reason, minutes: 0 },
      { reason, role: 'Admin' },
    ]) {
      expect(
        (
          await fetch(`${console.address}/api/admin/users/${one.userId}/view`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${admin}` },
            body: JSON.stringify(body),
          })
        ).status,
        JSON.stringify(body),
      ).toBe(Object.hasOwn(body, 'reason') && body.reason?.trim() === 'short' ? 201 : 400);
    }
    // A quarter of an hour after the sign-in the token still works, but this call needs a recent sign-in.
    const entered = await fetch(`${console.address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(adminAccount),
    });
    console.clock.advance(14 * 60_000);
    const cookie =
      entered.headers
        .getSetCookie()
        .find((line) => line.startsWith('session='))
        ?.split(';')[0] ?? '';
    const { data } = (await (
      await fetch(`${console.address}/api/user/session`, { headers: { cookie } })
    ).json()) as { data: { token: string } };
    console.clock.advance(2 * 60_000);
    expect((await begin(one.userId, data.token)).envelope.code).toBe('platform.fresh_sign_in');
  });

  it('is logged for the Admin: the start with its reason, the pages viewed, the calls rejected, the end', async () => {
    await anew();
    await reads();
    await console.call(identity.updateOrganization, { name: 'x' }, { token: view });
    await console.ok(identity.endView, {}, { token: view });
    const { rows } = await sql<{
      action: string;
      actor_id: string;
      subject: string;
      detail: Record<string, unknown>;
    }>`select action, actor_id, subject, detail from audit_log where seq > (select max(seq) from audit_log where action = 'identity.startView') - 1 order by seq`.execute(
      db(),
    );
    expect(rows.map((row) => [row.action, row.actor_id, row.subject])).toEqual([
      ['identity.startView', adminId, one.userId],
      ['platform.viewed', adminId, one.userId],
      ['platform.refused', adminId, 'identity.updateOrganization'],
      ['platform.viewed', adminId, one.userId],
      ['identity.endView', adminId, one.userId],
    ]);
    expect(rows[0]?.detail).toMatchObject({ reason });
    expect(rows[1]?.detail).toMatchObject({
      call: 'identity.profile',
      viewedAs: one.userId,
      viewId: rows[0]?.detail['viewId'],
    });
    // The audit log has no entry in the viewed user’s name.
    expect(
      (
        await sql`select from audit_log where actor_id = ${one.userId} and action in ('platform.viewed', 'platform.refused')`.execute(
          db(),
        )
      ).rows,
    ).toHaveLength(0);
  });

  it('is notified to the user, once a day per Admin', async () => {
    await anew();
    await begin(one.userId);
    await begin(one.userId);
    const { items } = await console.ok(
      notifications.listNotifications,
      {},
      { token: await signIn(console, 'owner@one.example') },
    );
    expect(items.filter((item) => JSON.stringify(item).includes(reason))).toHaveLength(1);
  });
});

describe('a view as a user ends', () => {
  beforeEach(anew);
  it('when it is ended, and the Admin’s own session continues', async () => {
    expect(await reads()).toBe(200);
    await console.ok(identity.endView, {}, { token: view });
    expect(await reads()).toBe(401);
    expect(await reads(admin)).toBe(200);
  });
  it('when the same session starts another one', async () => {
    const second = (await begin(one.userId)).data.token;
    expect(await reads()).toBe(401);
    expect(await reads(second)).toBe(200);
  });
  it('after half an hour, however new the Admin’s session is', async () => {
    console.clock.advance(30 * 60_000 - 1000);
    expect(await reads()).toBe(200);
    console.clock.advance(2000);
    expect(await reads()).toBe(401);
  });
  it('when the Admin’s session ends', async () => {
    await console.ok(
      identity.endOtherSessions,
      {},
      { token: await signIn(console, adminAccount.account, adminAccount.password) },
    );
    expect(await reads()).toBe(401);
  });
  it.each([
    ['loses the role', { role: 'ReadOnly' as const }],
    ['is deactivated', { status: 'inactive' as const }],
  ])('when the Admin %s', async (_how, change) => {
    const account = `helper-${Object.keys(change)[0]}@cloud.example`;
    const { user } = await console.ok(
      identity.createUser,
      { account, name: 'Helper', role: 'Admin', password: userPassword },
      { token: admin },
    );
    view = (await begin(one.userId, await signIn(console, account))).data.token;
    expect(await reads()).toBe(200);
    await console.ok(
      identity.updateUser,
      {
        userId: user.id,
        ...change,
        ...('role' in change && { organizationId: one.organizationId as Id<'org'> }),
      },
      { token: admin },
    );
    expect(await reads()).toBe(401);
  });
  it.each([
    ['is deactivated', { status: 'inactive' as const }],
    ['becomes an Admin', { role: 'Admin' as const }],
  ])('when the user %s', async (_how, change) => {
    const { user } = await console.ok(
      identity.createUser,
      {
        account: `${Object.values(change)[0]?.toLowerCase()}@one.example`,
        name: 'Viewed',
        role: 'User',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
      },
      { token: admin },
    );
    view = (await begin(user.id)).data.token;
    expect(await reads()).toBe(200);
    await console.ok(identity.updateUser, { userId: user.id, ...change }, { token: admin });
    expect(await reads()).toBe(401);
  });
  it('and a view as a ReadOnly member reads no more than that member', async () => {
    const { user } = await console.ok(
      identity.createUser,
      {
        account: 'reader@one.example',
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
      },
      { token: admin },
    );
    view = (await begin(user.id)).data.token;
    expect([
      await reads(),
      (await console.call(identity.invitations, {}, { token: view })).status,
      (await console.call(signin.twoFactor, {}, { token: view })).status,
    ]).toEqual([200, 403, 403]);
  });
});
