// Browser push: encrypted for one browser, signed by this console, sent through the outbox; and how expired
// subscriptions are removed.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { push } from '#features/messaging/push/contract.ts';
import { pushReachOf, sendPush, type PushMessage } from '#features/messaging/push/server/index.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { FakePushService } from '../support/push.ts';

let console: TestConsole;
let service: FakePushService;
let user: { token: string; userId: string };
let other: { token: string; userId: string };

beforeAll(async () => {
  service = await new FakePushService().start();
  console = await createTestConsole();
  await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  other = await registerUser(console, 'owner@two.example', 'Two');
});
afterAll(() => service.stop());

const register = (name: string, who = user) =>
  console.ok(push.addPushSubscription, service.subscribe(name), {
    token: who.token,
    headers: { 'user-agent': `Browser of ${name}` },
  });
const devices = async (who = user) =>
  (await console.ok(push.listPushSubscriptions, {}, { token: who.token })).items;
const sent = (messages: readonly PushMessage[]) =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' }, mode: 'write' }, (ctx) =>
    sendPush(ctx, messages),
  );
const message = (key: string, more: Partial<PushMessage> = {}): PushMessage => ({
  userId: user.userId,
  key,
  title: '用量警告',
  body: '「儲存」用量已達配額的 85%。',
  link: '/service/overview',
  ...more,
});
const outboxOf = async (key: string) => {
  const { rows } = await sql<{
    sent: boolean;
    failed: boolean;
    attempts: number;
    error: string | null;
  }>`select sent_at is not null as sent, parked_at is not null as failed, attempts, last_error as error from outbox where kind = 'push' and key like ${`${key} %`} order by id`.execute(
    console.app.database.kysely,
  );
  return rows;
};

describe('R-NOTE-02: push', () => {
  it('reaches each browser of its user, encrypted for it, signed by this console, and nobody else’s', async () => {
    await register('laptop');
    await register('phone');
    await register('stranger', other);
    await sent([message('one')]);
    await expect.poll(() => service.pushed).toHaveLength(2);
    const { publicKey } = await console.ok(push.listPushSubscriptions, {}, { token: user.token });
    for (const pushed of service.pushed) {
      expect(pushed.message).toEqual({
        title: '用量警告',
        body: '「儲存」用量已達配額的 85%。',
        link: '/service/overview',
        tag: 'one',
      });
      expect(pushed.key).toBe(publicKey);
      expect(pushed.headers).toMatchObject({
        ttl: '86400',
        urgency: 'normal',
        'content-encoding': 'aes128gcm',
        topic: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/) as string,
      });
      expect(pushed.claims).toMatchObject({
        aud: service.address,
        sub: expect.stringMatching(/^mailto:/) as string,
      });
      expect(Number(pushed.claims['exp']) - Date.now() / 1000).toBeLessThanOrEqual(86_400);
    }
    await expect
      .poll(() => outboxOf('one'))
      .toEqual([
        { sent: true, failed: false, attempts: 1, error: null },
        { sent: true, failed: false, attempts: 1, error: null },
      ]);
    expect((await devices()).map(({ device, lastError }) => [device, lastError])).toEqual([
      ['Browser of phone', ''],
      ['Browser of laptop', ''],
    ]);
  });

  it('counts the browsers of users, and stores nothing for users without one', async () => {
    const nobody = await registerUser(console, 'none@three.example', 'Three');
    const reach = await unitOfWork(
      console.app,
      { actor: { kind: 'system', name: 'test' }, mode: 'read' },
      (ctx) => pushReachOf(ctx, [user.userId, other.userId, nobody.userId]),
    );
    expect([...reach]).toEqual(
      expect.arrayContaining([
        [user.userId, 2],
        [other.userId, 1],
      ]),
    );
    expect(reach.has(nobody.userId)).toBe(false);
    await sent([message('none', { userId: nobody.userId })]);
    expect(await outboxOf('none')).toEqual([]);
  });

  it('the same key is sent once, however often it is requested', async () => {
    const before = service.calls;
    await sent([message('twice')]);
    await sent([message('twice')]);
    await expect.poll(async () => (await outboxOf('twice')).filter((each) => each.sent)).toHaveLength(2);
    expect(service.calls - before).toBe(2);
  });

  it.each([404, 410])(
    'a browser whose push service responds with %i is removed, and its message fails with the reason',
    async (status) => {
      const who = await registerUser(console, `gone${status}@one.example`, `Gone ${status}`);
      await register(`gone${status}`, who);
      service.answers.push({ status, text: 'unsubscribed' });
      await sent([message(`gone${status}`, { userId: who.userId })]);
      await expect
        .poll(() => outboxOf(`gone${status}`))
        .toMatchObject([
          {
            failed: true,
            attempts: 1,
            error: `answered ${status}: the browser has withdrawn its permission`,
          },
        ]);
      expect(await devices(who)).toEqual([]);
    },
  );

  it.each([429, 503])(
    'a busy push service (%i) is retried, and the reason is shown meanwhile',
    async (status) => {
      const who = await registerUser(console, `busy${status}@one.example`, `Busy ${status}`);
      await register(`busy${status}`, who);
      service.answers.push({ status, text: 'later' });
      await sent([message(`busy${status}`, { userId: who.userId })]);
      await expect
        .poll(() => outboxOf(`busy${status}`))
        .toMatchObject([{ sent: false, failed: false, attempts: 1, error: `answered ${status}` }]);
      expect(await devices(who)).toMatchObject([{ lastError: `answered ${status}` }]);
      console.clock.advance(3000);
      await expect
        .poll(() => outboxOf(`busy${status}`))
        .toMatchObject([{ sent: true, attempts: 2, error: null }]);
      expect(await devices(who)).toMatchObject([{ lastError: '' }]);
    },
  );

  it('a permanent rejection fails with the push service’s message', async () => {
    const who = await registerUser(console, 'refused@one.example', 'Refused');
    await register('refused', who);
    service.answers.push({ status: 403, text: 'the key is another one' });
    await sent([message('refused', { userId: who.userId })]);
    await expect.poll(() => outboxOf('refused')).toMatchObject([{ failed: true, error: 'answered 403' }]);
    expect(await devices(who)).toMatchObject([{ lastError: 'answered 403' }]);
  });

  it('a browser belongs to the user who registered it last: earlier messages to others are not shown to them', async () => {
    const [first, second] = [
      await registerUser(console, 'first@one.example', 'First'),
      await registerUser(console, 'second@one.example', 'Second'),
    ];
    await register('shared', first);
    await sent([
      message('before', { userId: first.userId, dueAt: new Date(console.clock.now().getTime() + 60_000) }),
    ]);
    await register('shared', second);
    expect([await devices(first), (await devices(second)).length]).toEqual([[], 1]);
    console.clock.advance(61_000);
    await expect
      .poll(() => outboxOf('before'))
      .toMatchObject([{ failed: true, error: 'the browser is not registered any more' }]);
    expect(service.pushed.some((each) => each.message.tag === 'before')).toBe(false);
  });

  it('can be removed by its user only', async () => {
    const [device] = await devices();
    expect(
      await console.call(
        push.removePushSubscription,
        { endpoint: device?.endpoint ?? '' },
        { token: other.token },
      ),
    ).toMatchObject({ status: 404, envelope: { code: 'push.not_found' } });
    await console.ok(
      push.removePushSubscription,
      { endpoint: device?.endpoint ?? '' },
      { token: user.token },
    );
    expect(await devices()).toHaveLength(1);
  });

  it('long texts are truncated so that the message fits into 4096 bytes', async () => {
    const who = await registerUser(console, 'long@one.example', 'Long');
    await register('long', who);
    await sent([message('long', { userId: who.userId, title: '長'.repeat(500), body: '文'.repeat(5000) })]);
    await expect.poll(() => service.pushed.some((each) => each.message.tag === 'long')).toBe(true);
    const pushed = service.pushed.find((each) => each.message.tag === 'long');
    expect([[...(pushed?.message.title ?? '')].length, [...(pushed?.message.body ?? '')].length]).toEqual([
      120, 800,
    ]);
    expect(Number(pushed?.headers['content-length'])).toBeLessThanOrEqual(4096);
  });
});

describe('2.H-127: the push address of a browser', () => {
  it.each([
    'http://push.example.com/x',
    'https://10.0.0.1/x',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://user:secret@push.example.com/',
    'https://localhost./',
    'https://intranet/',
    'https://push.example.com:22/',
    'ftp://push.example.com/',
    'not an address',
  ])('%s is rejected', async (endpoint) => {
    const { keys } = service.subscribe('hostile');
    expect(
      await console.call(push.addPushSubscription, { endpoint, keys }, { token: user.token }),
    ).toMatchObject({ status: 400 });
  });

  it('invalid keys are rejected', async () => {
    const { endpoint, keys } = service.subscribe('keys');
    // The last key has the right length but is not a point on the curve.
    for (const wrong of [
      { ...keys, auth: 'short' },
      { ...keys, p256dh: `${keys.p256dh}A` },
      { ...keys, p256dh: '!'.repeat(87) },
      { ...keys, p256dh: `B${'A'.repeat(86)}` },
    ]) {
      const answer = await console.call(
        push.addPushSubscription,
        { endpoint, keys },
        { token: user.token, body: JSON.stringify({ endpoint, keys: wrong }) },
      );
      expect([answer.status, await devices()], wrong.p256dh).toMatchObject([
        400,
        [{ device: 'Browser of laptop' }],
      ]);
    }
  });

  it('a user has at most 20 of them', async () => {
    const who = await registerUser(console, 'many@one.example', 'Many');
    for (let count = 0; count < 20; count++) await register(`many${count}`, who);
    expect(
      await console.call(push.addPushSubscription, service.subscribe('many20'), { token: who.token }),
    ).toMatchObject({ status: 409, envelope: { code: 'push.too_many' } });
    // An existing subscription is only renewed.
    await register('many3', who);
  });
});
