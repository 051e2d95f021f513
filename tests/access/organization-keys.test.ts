// API keys: what they allow, for how long, and that they are limited to their organization.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathNames } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { hourMs } from '#kernel/durations.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

type Owner = Awaited<ReturnType<typeof registerUser>>;
const start = new Date('2024-09-20T00:00:00Z');
const pricing: Pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '2' };

let console: TestConsole;
let admin: string;
let one: Owner;
let two: Owner;
/** Ids of organization Two, and ids that do not exist. */
let foreign: { subscriptionId: never; billId: never; lineId: never };
const absent = {
  subscriptionId: 'sub_00000000000000000000000000' as never,
  billId: 'bil_00000000000000000000000000' as never,
  lineId: '1' as never,
};

const make = (name: string, options: { scope?: 'metering' | 'read'; expiresAt?: Date } = {}, by = one) =>
  console.ok(identity.createOrganizationKey, { name, ...options }, { token: by.token });
const db = () => console.app.database.kysely;
const mayRead = async (secret: string) =>
  (await console.call(identity.organization, {}, { token: secret })).status;
async function moveTo(moment: Date): Promise<void> {
  console.clock.set(moment);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one = { ...one, token: await signIn(console, 'owner@one.example') };
  two = { ...two, token: await signIn(console, 'owner@two.example') };
}

beforeAll(async () => {
  console = await createTestConsole(start);
  admin = await setUp(console);
  [one, two] = [
    await registerUser(console, 'owner@one.example', 'One'),
    await registerUser(console, 'owner@two.example', 'Two'),
  ];
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Platform',
      pricing,
      meter: { eventType: 'call', aggregation: 'sum', unit: 'requests' },
    },
    { token: admin },
  );
  const subscribe = (owner: Owner) =>
    console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: owner.organizationId as never,
        serviceId: service.id,
        startedAt: new Date('2024-08-01T00:00:00Z'),
      },
      { token: admin },
    );
  const [, subscription] = [await subscribe(one), await subscribe(two)];
  const { secret } = await make('meter', {}, two);
  const event = {
    specversion: '1.0',
    id: 'e1',
    source: '/s',
    type: 'call',
    subject: subscription.id,
    time: '2024-09-10T00:00:00Z',
    data: { value: '5' },
  };
  await console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      body: JSON.stringify([event]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  await moveTo(new Date('2024-10-02T00:00:00Z'));
  await console.ok(billing.closeMonth, { month: '2024-09' as never }, { token: admin });
  const bill = (await console.ok(billing.listBills, {}, { token: two.token })).items[0];
  const detail = await console.ok(billing.getBill, { billId: bill?.id as never }, { token: two.token });
  foreign = {
    subscriptionId: subscription.id as never,
    billId: bill?.id as never,
    lineId: detail.lines[0]?.id as never,
  };
});

describe('a key with read access', () => {
  it('reads its own organization and nothing of another: lists, totals and single objects', async () => {
    const { secret } = await make('reports', { scope: 'read' });
    const token = secret;
    expect((await console.ok(identity.organization, {}, { token })).name).toBe('One');
    expect((await console.ok(subscriptions.listSubscriptions, {}, { token })).total).toBe(1);
    const bills = await console.ok(billing.listBills, {}, { token });
    expect(bills.items.map((each) => each.id)).not.toContain(foreign.billId);
    expect((await console.ok(payments.listPayments, {}, { token })).total).toBe(0);
    expect((await console.ok(payments.balance, {}, { token })).owed).toEqual([]);
    expect((await console.ok(quotas.listQuotas, {}, { token })).items).toEqual([]);

    const eventsOf = (subscriptionId: never, by: string) =>
      console.call(usage.events, { subscriptionId }, { token: by });
    const [theirEvents, noEvents, ownEvents] = await Promise.all([
      eventsOf(foreign.subscriptionId, token),
      eventsOf(absent.subscriptionId, token),
      eventsOf(foreign.subscriptionId, two.token),
    ]);
    expect([theirEvents.status, theirEvents.envelope.code, theirEvents.data]).toEqual([
      noEvents.status,
      noEvents.envelope.code,
      noEvents.data,
    ]);
    expect(ownEvents.data.items).toHaveLength(1);

    const single = [
      subscriptions.getSubscription,
      quotas.entitlement,
      billing.getBill,
      billing.billPdf,
      billing.billCsv,
      billing.explainLine,
    ];
    for (const route of single) {
      const only = (ids: typeof foreign) =>
        Object.fromEntries(
          pathNames(route.path).map((name) => [name, ids[name as keyof typeof ids]]),
        ) as never;
      const [foreignAnswer, absentAnswer] = await Promise.all([
        console.call(route, only(foreign), { token }),
        console.call(route, only(absent), { token }),
      ]);
      expect(
        [foreignAnswer.status, foreignAnswer.envelope.code, foreignAnswer.envelope.message],
        route.path,
      ).toEqual([404, absentAnswer.envelope.code, absentAnswer.envelope.message]);
      // The owner’s key is accepted by the same route, so the route itself is open to keys.
      expect((await console.call(route, only(foreign), { token: two.token })).status, route.path).toBe(200);
    }
  });

  it('cannot change anything, or read users, keys or invitations', async () => {
    const { secret: token } = await make('reports only', { scope: 'read' });
    const statuses = await Promise.all([
      console.call(identity.updateOrganization, { name: 'Taken' }, { token }),
      console.call(identity.members, {}, { token }),
      console.call(identity.organizationKeys, {}, { token }),
      console.call(identity.createOrganizationKey, { name: 'more' }, { token }),
      console.call(identity.invite, { email: 'a@b.example', role: 'User' }, { token }),
      console.call(identity.profile, {}, { token }),
      console.call(payments.topUp, { amount: money(100n, 'TWD') }, { token }),
      console.call(
        usage.ingest,
        {},
        { token, body: '[]', headers: { 'content-type': 'application/cloudevents-batch+json' } },
      ),
    ]);
    expect(statuses.map((answer) => answer.status)).toEqual(Array(8).fill(403));
  });

  it('must belong to an organization: the form and the database reject one for the whole platform', async () => {
    const refused = await console.call(
      identity.createApiKey,
      { name: 'all', scope: 'read' },
      { token: admin },
    );
    expect([refused.status, refused.envelope.errors?.map((error) => [error.field, error.code])]).toEqual([
      400,
      [['organizationId', 'identity.read_key_needs_organization']],
    ]);
    const byHand =
      sql`insert into api_key (id, name, scope, secret_hash, created_by, created_at) values ('key_x', 'x', 'read', '\\x01', 'x', now())`.execute(
        db(),
      );
    await expect(byHand).rejects.toThrow(/api_key_reads_one/);
  });
});

describe('a key of an organization (R-AUTH-16, reliability.md 2.C-55)', () => {
  it('reports usage only for its own subscriptions', async () => {
    const { secret } = await make('gateway');
    const event = {
      specversion: '1.0',
      id: 'f1',
      source: '/s',
      type: 'call',
      subject: foreign.subscriptionId,
      time: '2024-10-01T00:00:00Z',
      data: { value: '1' },
    };
    const { data } = await console.call(
      usage.ingest,
      {},
      {
        token: secret,
        body: JSON.stringify([event]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect([data.accepted, data.rejected.map((each) => each.code)]).toEqual([
      0,
      ['usage.subscription_unknown'],
    ]);
  });

  it('is recognized by its first and last characters; its secret is shown once and stored nowhere', async () => {
    const { key, secret } = await make('recognised', { scope: 'read' });
    expect(secret).toMatch(/^skytally_[A-Za-z0-9_-]{43}$/);
    expect(key).toMatchObject({
      hint: `skytally_…${secret.slice(-4)}`,
      scope: 'read',
      organization: 'One',
      lastUsedAt: null,
      rotatedAt: null,
      previousUntil: null,
    });
    const lists = [
      await console.ok(identity.organizationKeys, {}, { token: one.token }),
      await console.ok(identity.listApiKeys, { limit: 200 }, { token: admin }),
    ];
    const { rows } = await sql<{
      text: string;
    }>`select row_to_json(k)::text as text from api_key k union all select row_to_json(a)::text from audit_log a`.execute(
      db(),
    );
    for (const text of [...lists.map((list) => JSON.stringify(list)), ...rows.map((row) => row.text)])
      expect(text).not.toContain(secret.slice(9));
    expect(Object.keys(lists[0]?.items[0] ?? {}).filter((field) => /secret|hash/i.test(field))).toEqual([]);
    await mayRead(secret);
    expect(
      (await console.ok(identity.organizationKeys, {}, { token: one.token })).items.find(
        (each) => each.id === key.id,
      )?.lastUsedAt,
    ).toEqual(console.clock.now());
  });

  it('is rejected as soon as it is revoked or expires', async () => {
    const revoked = await make('revoked', { scope: 'read' });
    expect(await mayRead(revoked.secret)).toBe(200);
    await console.ok(identity.revokeOrganizationKey, { keyId: revoked.key.id }, { token: one.token });
    expect(await mayRead(revoked.secret)).toBe(401);
    expect(
      (await console.call(identity.revokeOrganizationKey, { keyId: revoked.key.id }, { token: one.token }))
        .envelope.code,
    ).toBe('identity.key_not_found');

    const now = console.clock.now();
    const past = await console.call(
      identity.createOrganizationKey,
      { name: 'past', expiresAt: now },
      { token: one.token },
    );
    expect(past.envelope.errors?.map((error) => [error.field, error.code])).toEqual([
      ['expiresAt', 'identity.expiry_past'],
    ]);
    const short = await make('short', { scope: 'read', expiresAt: new Date(now.getTime() + hourMs) });
    await moveTo(new Date(now.getTime() + hourMs - 1));
    expect(await mayRead(short.secret)).toBe(200);
    await moveTo(new Date(now.getTime() + hourMs));
    expect(await mayRead(short.secret)).toBe(401);
    expect(
      (await console.call(identity.rotateOrganizationKey, { keyId: short.key.id }, { token: one.token }))
        .envelope.code,
    ).toBe('identity.key_ran_out');
  });
});

describe('rotating a key', () => {
  it('keeps the old secret valid for the overlap, 24 hours by default', async () => {
    const { key, secret } = await make('rotated', { scope: 'read' });
    const now = console.clock.now();
    const next = await console.ok(identity.rotateOrganizationKey, { keyId: key.id }, { token: one.token });
    expect(next.key).toMatchObject({
      id: key.id,
      hint: `skytally_…${next.secret.slice(-4)}`,
      rotatedAt: now,
      previousUntil: new Date(now.getTime() + 24 * hourMs),
    });
    expect(next.secret).not.toBe(secret);
    expect(await Promise.all([mayRead(secret), mayRead(next.secret)])).toEqual([200, 200]);
    await moveTo(new Date(now.getTime() + 24 * hourMs - 1));
    expect(await Promise.all([mayRead(secret), mayRead(next.secret)])).toEqual([200, 200]);
    await moveTo(new Date(now.getTime() + 24 * hourMs));
    expect(await Promise.all([mayRead(secret), mayRead(next.secret)])).toEqual([401, 200]);
    expect(
      (await console.ok(identity.organizationKeys, {}, { token: one.token })).items.find(
        (each) => each.id === key.id,
      )?.previousUntil,
    ).toBeNull();
  });

  it('without overlap ends the old secret immediately; a second rotation ends the first secret; revoking ends all', async () => {
    const { key, secret: first } = await make('thrice', { scope: 'read' });
    const rotate = (overlapHours: number) =>
      console.ok(identity.rotateOrganizationKey, { keyId: key.id, overlapHours }, { token: one.token });
    const { secret: second } = await rotate(0);
    expect(await Promise.all([first, second].map(mayRead))).toEqual([401, 200]);
    const { secret: third } = await rotate(168);
    const { secret: fourth } = await rotate(168);
    expect(await Promise.all([first, second, third, fourth].map(mayRead))).toEqual([401, 401, 200, 200]);
    await console.ok(identity.revokeApiKey, { keyId: key.id }, { token: admin });
    expect(await Promise.all([third, fourth].map(mayRead))).toEqual([401, 401]);
  });

  it('twice at the same moment counts once, so that no secret in use is lost', async () => {
    const { key, secret } = await make('twice at once', { scope: 'read' });
    const waiting = async () =>
      Number(
        (
          await sql<{
            waiting: bigint;
          }>`select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update api_key set secret_hash%'`.execute(
            db(),
          )
        ).rows[0]?.waiting,
      );
    // Both requests have read the same secret and wait to replace it.
    const answers = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select 1 from api_key where id = ${key.id} for update`.execute(tx);
        const both = [1, 2].map(() =>
          console.call(identity.rotateOrganizationKey, { keyId: key.id }, { token: one.token }),
        );
        await expect.poll(waiting).toBe(2);
        return both;
      });
    const [good, late] = (await Promise.all(answers)).toSorted((left, right) => left.status - right.status);
    expect([good?.status, late?.status, late?.envelope.code]).toEqual([200, 409, 'identity.key_changed']);
    expect(await Promise.all([mayRead(secret), mayRead(good?.data.secret ?? '')])).toEqual([200, 200]);
  });

  it.each([-1, 169, 1.5])('rejects an overlap of %d hours', async (overlapHours) => {
    const { items } = await console.ok(identity.organizationKeys, {}, { token: one.token });
    const response = await fetch(
      `${console.address}/api/organization/api-keys/${items[0]?.id ?? ''}/rotate`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ overlapHours }),
      },
    );
    expect(response.status).toBe(400);
  });
});
