// Webhooks: events reach a real receiver, signed, once, again after a failure, and delay nothing else.
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { webhooks, type Delivery, type Endpoint } from '#features/messaging/webhooks/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  adminAccount,
  type TestConsole,
} from '../support/console.ts';
import { isSignedBy, Receiver } from '../support/receiver.ts';

type Owner = Awaited<ReturnType<typeof registerUser>>;
type Made = { readonly endpoint: Endpoint; readonly secret: string };
const [secondMs, hourMs, dayMs] = [1000, 3_600_000, 86_400_000];
let console: TestConsole;
let one: Owner;
let two: Owner;
let receiver: Receiver;
let count = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-05T00:00:00Z'), { WEBHOOK_LOOPBACK: 'allow' });
  await setUp(console);
  [one, two] = [
    await registerUser(console, 'owner@one.example', 'One'),
    await registerUser(console, 'owner@two.example', 'Two'),
  ];
  receiver = await new Receiver().start();
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.status = 200;
  receiver.answer = 'ok';
});

const db = () => console.app.database.kysely;
/** Adds an endpoint with its own path. */
const add = async (
  more: Partial<{ eventTypes: Endpoint['eventTypes'] }> = {},
  owner = one,
): Promise<Made & { path: string }> => {
  const path = `/hook-${++count}`;
  return {
    ...(await console.ok(
      webhooks.createEndpoint,
      { url: `${receiver.address}${path}`, ...more },
      { token: owner.token },
    )),
    path,
  };
};
const remove = (made: Made, owner = one) =>
  console.ok(webhooks.deleteEndpoint, { endpointId: made.endpoint.id }, { token: owner.token });
const stateOf = (made: Made) =>
  console.ok(webhooks.getEndpoint, { endpointId: made.endpoint.id }, { token: one.token });
const listOf = async (made: Made): Promise<readonly Delivery[]> =>
  (await console.ok(webhooks.listDeliveries, { endpointId: made.endpoint.id }, { token: one.token })).items;
const detailOf = (made: Made, deliveryId: Delivery['id']) =>
  console.ok(webhooks.getDelivery, { endpointId: made.endpoint.id, deliveryId }, { token: one.token });
const test = (made: Made) =>
  console.ok(webhooks.sendTest, { endpointId: made.endpoint.id }, { token: one.token });
/** Sends an organization an event, as the features do. */
const postNotices = (
  subjects: readonly string[],
  kind: 'bill.issued' | 'bill.paid' | 'refund.unsure' = 'bill.issued',
  owner = one,
) =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
    postToOrganizations(
      ctx,
      subjects.map((subject) => ({
        organizationId: owner.organizationId as never,
        notice: {
          kind,
          type: 'payment',
          category: 'billing',
          subject,
          period: '2024-08',
          textKey: 'payments.notice_bill_issued',
          params: { number: 'B-1', month: '2024-08', amount: '5273', currency: 'TWD' },
          link: '/billing/management?month=2024-08',
        },
      })),
    ),
  );
/** Waits until a delivery has this many attempts; the console sends by itself. */
const attempted = (made: Made, deliveryId: Delivery['id'], attempts: number) =>
  expect.poll(async () => (await detailOf(made, deliveryId)).attempts).toBe(attempts);
async function forward(ms: number): Promise<void> {
  console.clock.advance(ms);
  console.app.wakeOutbox();
  await sql`update session set expires_at = ${new Date(console.clock.now().getTime() + 30 * dayMs)}`.execute(
    db(),
  );
  [one, two] = [
    { ...one, token: await signIn(console, 'owner@one.example') },
    { ...two, token: await signIn(console, 'owner@two.example') },
  ];
}

describe('webhook events', () => {
  it('describe what happened: an issued bill arrives signed, in the organization’s language, with exact figures', async () => {
    const made = await add();
    const admin = await signIn(console, adminAccount.account, adminAccount.password);
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Storage',
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      { token: admin },
    );
    await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: one.organizationId as never,
        serviceId: service.id,
        startedAt: new Date('2024-08-01T00:00:00Z'),
      },
      { token: admin },
    );
    await console.ok(billing.closeMonth, { month: '2024-08' as never }, { token: admin });
    await expect.poll(() => receiver.at(made.path).length).toBe(1);
    const [got] = receiver.at(made.path);
    const bill = (await console.ok(billing.listBills, {}, { token: one.token })).items[0]!;
    expect(isSignedBy(made.secret, got!)).toBe(true);
    expect(JSON.parse(got!.body)).toEqual({
      type: 'bill.issued',
      timestamp: console.clock.now().toISOString(),
      data: {
        organizationId: one.organizationId,
        billId: bill.id,
        number: bill.number,
        month: '2024-08',
        amount: { amount: '105', currency: 'TWD' },
        message: expect.stringContaining('NT$105'),
        link: `${console.address}/billing/management?month=2024-08`,
      },
    });
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': (await listOf(made))[0]!.id,
      'webhook-timestamp': String(console.clock.now().getTime() / 1000),
    });
    await expect.poll(async () => (await stateOf(made)).lastDeliveredAt).toEqual(console.clock.now());
    await remove(made);
  });

  it('are sent once per endpoint, however often they are emitted, and only selected kinds', async () => {
    const [all, chosen] = [await add(), await add({ eventTypes: ['payment.succeeded', 'bill.paid'] })];
    await postNotices(['bil_1']);
    await postNotices(['bil_1', 'bil_2'], 'bill.issued');
    await postNotices(['bil_1'], 'bill.paid');
    await postNotices(['x'], 'refund.unsure');
    await expect.poll(() => [receiver.at(all.path).length, receiver.at(chosen.path).length]).toEqual([4, 1]);
    expect(receiver.at(chosen.path).map((each) => (JSON.parse(each.body) as { type: string }).type)).toEqual([
      'bill.paid',
    ]);
    expect(JSON.parse(receiver.at(all.path).at(-1)!.body)).toMatchObject({
      type: 'other',
      data: { kind: 'refund.unsure' },
    });
    await Promise.all([remove(all), remove(chosen)]);
  });

  it('stay within the organization, and are not sent if their transaction is rolled back', async () => {
    const [own, foreign] = [await add(), await add({}, two)];
    await postNotices(['bil_3'], 'bill.issued', two);
    const undone = unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
      await postToOrganizations(ctx, [
        {
          organizationId: one.organizationId as never,
          notice: {
            kind: 'bill.paid',
            type: 'payment',
            category: 'billing',
            subject: 'bil_4',
            period: '',
            textKey: 'payments.notice_bill_paid',
            params: {},
            link: null,
          },
        },
      ]);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await expect.poll(() => receiver.at(foreign.path).length).toBe(1);
    expect([receiver.at(own.path).length, (await listOf(own)).length]).toEqual([0, 0]);
    await Promise.all([remove(own), remove(foreign, two)]);
  });
});

describe('2.H-132 a failed delivery', () => {
  it('is retried with the same bytes and id, and a new signature', async () => {
    const made = await add();
    receiver.status = 503;
    receiver.answer = 'later, please';
    const { id } = await test(made);
    await attempted(made, id, 1);
    expect((await detailOf(made, id)).items).toMatchObject([
      { number: 1, status: 503, failure: 'status', answer: 'later, please' },
    ]);
    expect((await stateOf(made)).failingSince).toEqual(console.clock.now());
    receiver.status = 200;
    await forward(5 * secondMs);
    await attempted(made, id, 2);
    const [first, second] = receiver.at(made.path);
    expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, id]);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
    expect([first!, second!].map((each) => isSignedBy(made.secret, each))).toEqual([true, true]);
    expect(await detailOf(made, id)).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      items: [{ number: 2, status: 200, failure: null }, { number: 1 }],
    });
    expect((await stateOf(made)).failingSince).toBeNull();
    await remove(made);
  });

  it('fails permanently within a day after eight attempts, is shown with each of them, and can be sent again', async () => {
    const made = await add();
    receiver.status = 500;
    const began = console.clock.now().getTime();
    const { id } = await test(made);
    await attempted(made, id, 1);
    const due: number[] = [];
    for (let attempts = 2; attempts <= 8; attempts++) {
      const { nextAttemptAt } = await detailOf(made, id);
      due.push((nextAttemptAt!.getTime() - console.clock.now().getTime()) / secondMs);
      await forward(nextAttemptAt!.getTime() - console.clock.now().getTime());
      await attempted(made, id, attempts);
    }
    expect(due).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 21_600]);
    expect(console.clock.now().getTime() - began).toBeLessThanOrEqual(dayMs);
    expect(await detailOf(made, id)).toMatchObject({
      state: 'parked',
      nextAttemptAt: null,
      lastStatus: 500,
      lastFailure: 'status',
    });
    expect(await stateOf(made)).toMatchObject({ parked: 1, waiting: 0, isOn: true });

    receiver.status = 204;
    await console.ok(
      webhooks.replayDelivery,
      { endpointId: made.endpoint.id, deliveryId: id },
      { token: one.token },
    );
    await attempted(made, id, 9);
    expect(await detailOf(made, id)).toMatchObject({ state: 'delivered', lastStatus: 204 });
    expect(
      new Set(receiver.at(made.path).map((each) => `${each.headers['webhook-id']} ${each.body}`)).size,
    ).toBe(1);
    await remove(made);
  });

  it('shows the exact reason: no connection, or a forbidden address', async () => {
    const closed = await new Receiver().start();
    await closed.stop();
    const made = await console.ok(
      webhooks.createEndpoint,
      { url: `${closed.address}/` },
      { token: one.token },
    );
    const { id } = await test(made);
    await attempted(made, id, 1);
    expect((await detailOf(made, id)).items).toMatchObject([
      { status: null, failure: 'connection', detail: 'ECONNREFUSED', answer: '' },
    ]);
    await remove(made);
  });
});

describe('an endpoint', () => {
  it('F15 that never responds delays no other one, and no request', async () => {
    const dead = await new Receiver().start();
    dead.status = 0;
    const slow = await console.ok(webhooks.createEndpoint, { url: `${dead.address}/` }, { token: one.token });
    const good = await add();
    await postNotices(Array.from({ length: 40 }, (_, index) => `bil_f${index}`));
    await expect.poll(() => receiver.at(good.path).length).toBe(40);
    // A few requests to the dead endpoint hang, while the good one has received everything.
    await expect.poll(() => dead.open).toBeGreaterThan(0);
    expect(dead.open).toBeLessThanOrEqual(4);
    expect((await stateOf(slow)).waiting).toBe(40);
    await Promise.all([remove(slow), remove(good)]);
    await dead.stop();
  });

  it(
    'F15 may hang with all endpoints of three organizations: another organization’s does not wait for them',
    { timeout: 240_000 },
    async () => {
      const dead = await new Receiver().start();
      dead.status = 0;
      const owners: Owner[] = [];
      for (const name of ['slow1', 'slow2', 'slow3']) {
        const owner = await registerUser(console, `${name}@slow.example`, name);
        for (let index = 0; index < 20; index++)
          await console.ok(
            webhooks.createEndpoint,
            { url: `${dead.address}/${name}-${index}` },
            { token: owner.token },
          );
        owners.push(owner);
      }
      const good = await add();
      // Requests hang for ten seconds at most. On a machine so busy that one of them ends before the good request
      // was made, a round proves nothing, and another one is made once the endpoints have rested.
      let stillHang = false;
      for (let round = 1; round <= 5 && !stillHang; round++) {
        dead.received.length = 0;
        for (const owner of owners) await postNotices([`bil_slow${round}`], 'bill.issued', owner);
        await expect.poll(() => new Set(dead.received.map(({ path }) => path)).size).toBe(60);
        await postNotices([`bil_good${round}`]);
        await expect.poll(() => receiver.at(good.path).length).toBe(round);
        const ended = async (): Promise<number> => {
          const { rows } = await sql<{
            count: bigint;
          }>`select count(distinct d.endpoint_id) from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id where d.event_key like ${`%bil_slow${round}`}`.execute(
            db(),
          );
          return Number(rows[0]?.count);
        };
        stillHang = (await ended()) === 0;
        if (stillHang) break;
        await expect.poll(ended).toBe(60);
        await forward(hourMs);
      }
      expect(stillHang).toBe(true);
      await sql`delete from webhook_endpoint where url like ${`${dead.address}%`}`.execute(db());
      await Promise.all([remove(good), dead.stop()]);
    },
  );

  it('of a killed console is taken over by the next one, as soon as the outbox releases its message', async () => {
    const made = await add();
    const now = console.clock.now().getTime();
    // The state left by a killed console: the endpoint is claimed, and the message that woke it is leased for
    // a minute.
    await sql`update webhook_endpoint set busy_until = ${new Date(now + 55 * secondMs)} where id = ${made.endpoint.id}`.execute(
      db(),
    );
    await sql`insert into outbox (kind, key, payload, attempts, created_at, due_at) values ('webhook', ${made.endpoint.id}, ${JSON.stringify({ endpointId: made.endpoint.id })}::jsonb, 1, now(), ${new Date(now + 60 * secondMs)})`.execute(
      db(),
    );
    const { id } = await test(made);
    await expect
      .poll(async () =>
        Number(
          (
            await sql<{
              open: bigint;
            }>`select count(*) as open from outbox where kind = 'webhook' and sent_at is null and due_at <= ${console.clock.now()}`.execute(
              db(),
            )
          ).rows[0]?.open,
        ),
      )
      .toBe(0);
    expect(await detailOf(made, id)).toMatchObject({ state: 'waiting', attempts: 0 });
    await forward(60 * secondMs);
    await attempted(made, id, 1);
    expect((await detailOf(made, id)).state).toBe('delivered');
    await remove(made);
  });

  it('pauses after failures, then is tested with one delivery before the others follow', async () => {
    const made = await add();
    receiver.status = 500;
    await postNotices(Array.from({ length: 12 }, (_, index) => `bil_r${index}`));
    await expect.poll(async () => (await stateOf(made)).failingSince).not.toBeNull();
    expect(receiver.at(made.path)).toHaveLength(4);
    await forward(5 * secondMs);
    await expect.poll(() => receiver.at(made.path).length).toBe(5);
    receiver.status = 200;
    await forward(10 * secondMs);
    await expect.poll(async () => (await stateOf(made)).lastDeliveredAt).not.toBeNull();
    // Failed deliveries wait for their own time.
    await forward(301 * secondMs);
    await expect.poll(async () => (await stateOf(made)).waiting).toBe(0);
    expect(new Set(receiver.at(made.path).map((each) => each.headers['webhook-id'])).size).toBe(12);
    await remove(made);
  });

  it('is disabled when nothing arrived for five days, and its organization is notified; enabled again, failed deliveries are sent', async () => {
    const made = await add();
    receiver.status = 500;
    const days = async (since: number) => {
      const { id } = await test(made);
      const until = console.clock.now().getTime() + since;
      for (let attempts = 1; console.clock.now().getTime() < until; attempts++) {
        await attempted(made, id, attempts);
        const { nextAttemptAt } = await detailOf(made, id);
        if (!nextAttemptAt) break;
        // After this many failures it waits up to five minutes between attempts.
        await forward(Math.max(300 * secondMs, nextAttemptAt.getTime() - console.clock.now().getTime()));
      }
    };
    await days(dayMs);
    expect((await stateOf(made)).isOn).toBe(true);
    await forward(4 * dayMs);
    await days(dayMs);
    expect(await stateOf(made)).toMatchObject({ isOn: false, offReason: 'failing', parked: 2, waiting: 0 });
    const { items } = await console.ok(
      notifications.listNotifications,
      { category: 'system' },
      { token: one.token },
    );
    expect(
      items.filter((each) => each.message.includes(made.endpoint.url) && each.message.includes('5')),
    ).toHaveLength(1);
    expect(
      (await console.call(webhooks.sendTest, { endpointId: made.endpoint.id }, { token: one.token })).envelope
        .code,
    ).toBe('webhooks.is_off');
    await postNotices(['bil_missed']);
    expect(await listOf(made)).toHaveLength(2);

    receiver.status = 200;
    await console.ok(
      webhooks.updateEndpoint,
      { endpointId: made.endpoint.id, isOn: true },
      { token: one.token },
    );
    const [newest] = await listOf(made);
    const replay = (since: Date) =>
      console.ok(webhooks.replayFailed, { endpointId: made.endpoint.id, since }, { token: one.token });
    expect(await replay(new Date(newest!.createdAt.getTime() + 1))).toEqual({ replayed: 0 });
    expect(await replay(newest!.createdAt)).toEqual({ replayed: 1 });
    expect(await replay(new Date(0))).toEqual({ replayed: 1 });
    await expect
      .poll(async () => (await listOf(made)).map((each) => each.state))
      .toEqual(['delivered', 'delivered']);
    await remove(made);
  });

  it('that responds with 410 Gone is disabled immediately; a redirect is a failure', async () => {
    const gone = await add();
    receiver.status = 410;
    await test(gone);
    await expect.poll(async () => (await stateOf(gone)).offReason).toBe('gone');
    receiver.status = 302;
    const moved = await add();
    const { id } = await test(moved);
    await attempted(moved, id, 1);
    expect(await detailOf(moved, id)).toMatchObject({
      state: 'waiting',
      lastStatus: 302,
      lastFailure: 'status',
    });
    await Promise.all([remove(gone), remove(moved)]);
  });

  it('that is disabled manually fails its waiting deliveries', async () => {
    const made = await add();
    receiver.status = 500;
    const { id } = await test(made);
    await attempted(made, id, 1);
    expect(
      await console.ok(
        webhooks.updateEndpoint,
        { endpointId: made.endpoint.id, isOn: false },
        { token: one.token },
      ),
    ).toMatchObject({ isOn: false, offReason: 'by_hand', waiting: 0, parked: 1 });
    await remove(made);
  });
});

describe('webhook secrets', () => {
  it('create signatures that the library of the standard accepts', async () => {
    // The library uses the machine’s clock.
    const before = console.clock.now();
    console.clock.set(new Date());
    one = { ...one, token: await signIn(console, 'owner@one.example') };
    const made = await add();
    await test(made);
    await expect.poll(() => receiver.at(made.path).length).toBe(1);
    const [got] = receiver.at(made.path);
    expect(new Webhook(made.secret).verify(got!.body, { ...got!.headers })).toMatchObject({
      type: 'webhook.test',
    });
    expect(() => new Webhook(made.secret).verify(`${got!.body} `, { ...got!.headers })).toThrow();
    expect(Buffer.from(made.secret.slice(6), 'base64')).toHaveLength(32);
    await remove(made);
    console.clock.set(before);
    one = { ...one, token: await signIn(console, 'owner@one.example') };
  });

  it('overlap when changed: both sign until the old one expires, or is ended manually', async () => {
    const made = await add();
    const rotate = (overlapHours?: number) =>
      console.ok(
        webhooks.rotateSecret,
        { endpointId: made.endpoint.id, ...(overlapHours !== undefined && { overlapHours }) },
        { token: one.token },
      );
    const signers = async (...secrets: string[]) => {
      const before = receiver.at(made.path).length;
      await test(made);
      await expect.poll(() => receiver.at(made.path).length).toBe(before + 1);
      return secrets.map((secret) => isSignedBy(secret, receiver.at(made.path).at(-1)!));
    };
    const second = await rotate();
    expect(second.endpoint.previousUntil).toEqual(new Date(console.clock.now().getTime() + 24 * hourMs));
    expect(await signers(made.secret, second.secret)).toEqual([true, true]);
    await forward(24 * hourMs - secondMs);
    expect(await signers(made.secret, second.secret)).toEqual([true, true]);
    await forward(secondMs);
    expect(await signers(made.secret, second.secret)).toEqual([false, true]);
    const third = await rotate(168);
    expect(
      (await console.ok(webhooks.endPreviousSecret, { endpointId: made.endpoint.id }, { token: one.token }))
        .previousUntil,
    ).toBeNull();
    expect(await signers(second.secret, third.secret)).toEqual([false, true]);
    const fourth = await rotate(0);
    expect(await signers(third.secret, fourth.secret)).toEqual([false, true]);
    await remove(made);
  });

  it('are returned once and are nowhere else; every change is logged', async () => {
    const made = await add();
    const { secret: second } = await console.ok(
      webhooks.rotateSecret,
      { endpointId: made.endpoint.id },
      { token: one.token },
    );
    await console.ok(
      webhooks.updateEndpoint,
      { endpointId: made.endpoint.id, description: 'Books', eventTypes: ['bill.paid'] },
      { token: one.token },
    );
    const shown = JSON.stringify(await console.ok(webhooks.listEndpoints, {}, { token: one.token }));
    const { rows } = await sql<{
      text: string;
    }>`select row_to_json(e)::text as text from webhook_endpoint e union all select row_to_json(a)::text from audit_log a union all select row_to_json(o)::text from outbox o`.execute(
      db(),
    );
    for (const secret of [made.secret, second])
      for (const text of [shown, ...rows.map((row) => row.text)])
        expect(text).not.toContain(secret.slice(6, 40));
    await remove(made);
    const audit = await sql<{
      action: string;
    }>`select action from audit_log where subject = ${made.endpoint.id} order by id`.execute(db());
    expect(audit.rows.map((row) => row.action)).toEqual([
      'webhooks.createEndpoint',
      'webhooks.rotateSecret',
      'webhooks.updateEndpoint',
      'webhooks.deleteEndpoint',
    ]);
  });
});

describe('webhook limits', () => {
  it('2.H-127 an address of this machine or of a private network is rejected at its field, unless the operator allowed it', async () => {
    const strict = await createTestConsole();
    await setUp(strict);
    const { token } = await registerUser(strict, 'owner@strict.example', 'Strict');
    for (const [url, code] of [
      [receiver.address, 'not_https'],
      ['https://127.0.0.1:4443/', 'not_public'],
      ['https://localhost/', 'host'],
      ['https://[::ffff:169.254.169.254]/', 'not_public'],
      ['https://a:b@hooks.example.com/', 'credentials'],
    ] as const) {
      const refused = await strict.call(webhooks.createEndpoint, { url }, { token });
      expect(
        [refused.status, refused.envelope.errors?.map((error) => [error.field, error.code])],
        url,
      ).toEqual([400, [['url', `webhooks.url_${code}`]]]);
    }
    const { endpoint } = await strict.ok(
      webhooks.createEndpoint,
      { url: 'https://hooks.example.com/in' },
      { token },
    );
    const changed = await strict.call(
      webhooks.updateEndpoint,
      { endpointId: endpoint.id, url: 'https://10.0.0.1/' },
      { token },
    );
    expect(changed.envelope.errors?.[0]?.code).toBe('webhooks.url_not_public');
  });

  it('an organization has at most twenty, even when two are added concurrently', async () => {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        console.call(
          webhooks.createEndpoint,
          { url: `${receiver.address}/many-${index}` },
          { token: two.token },
        ),
      ),
    );
    const { total, items } = await console.ok(webhooks.listEndpoints, { limit: 100 }, { token: two.token });
    expect([total, items.length]).toEqual([20, 20]);
    expect(
      (await console.call(webhooks.createEndpoint, { url: `${receiver.address}/more` }, { token: two.token }))
        .envelope.code,
    ).toBe('webhooks.too_many');
  });

  it('a hundred thousand deliveries are paged and counted on the server', async () => {
    const made = await add();
    await sql`insert into webhook_delivery (id, endpoint_id, event_key, event_type, body, state, created_at, began_at)
      select 'whd_' || lpad(n::text, 26, '0'), ${made.endpoint.id}, n::text, case when n % 1000 = 0 then 'bill.paid' else 'bill.issued' end, '{}', case when n % 10 = 0 then 'parked' else 'delivered' end, timestamptz '2024-01-01' + n * interval '1 minute', '2024-01-01' from generate_series(1, 100000) n`.execute(
      db(),
    );
    await sql`analyze webhook_delivery`.execute(db());
    const page = (more: object) =>
      console.ok(
        webhooks.listDeliveries,
        { endpointId: made.endpoint.id, limit: 50, ...more },
        { token: one.token },
      );
    expect(await page({})).toMatchObject({ total: 100_000 });
    const failedPage = await page({ state: 'parked' });
    expect([failedPage.total, failedPage.items.length, failedPage.items[0]?.id.slice(-6)]).toEqual([
      10_000,
      50,
      '100000',
    ]);
    const next = await page({ state: 'parked', cursor: failedPage.nextCursor! });
    expect(next.items[0]?.id.slice(-6)).toBe('099500');
    expect(await page({ type: 'bill.paid' })).toMatchObject({ total: 100 });
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`explain select id from webhook_delivery where endpoint_id = ${made.endpoint.id} and state = 'parked' order by created_at desc, id desc limit 50`.execute(
      db(),
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index.*webhook_delivery_state/);
    await remove(made);
  });
});
