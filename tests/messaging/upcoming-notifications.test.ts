// Notifications before something happens and about sign-in: expiring keys and trials, quotas that run out,
// changes of sign-in methods (R-NOTE-04).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { runFeatureJob } from '../support/jobs.ts';

let console: TestConsole;
let admin: string;
let owner: { token: string; userId: string; organizationId: string };
const runJob = (name: string) => runFeatureJob(console.app, name);
const messages = async (token: string, category: 'security' | 'system' | 'usage') =>
  (await console.ok(notifications.listNotifications, { category, limit: 100 }, { token })).items
    .map((each) => each.message)
    .toReversed();

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-01T04:00:00Z'));
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@ahead.example', 'Ahead');
});

const moveTo = async (moment: string) => {
  console.clock.set(new Date(moment));
  owner.token = await signIn(console, 'owner@ahead.example');
  admin = await signIn(console, adminAccount.account, adminAccount.password);
};

describe('notifications three days before', () => {
  it('a key’s end go once to its owners, and again for a new end', async () => {
    const { key } = await console.ok(
      identity.createOrganizationKey,
      { name: 'gateway', expiresAt: new Date('2024-10-10T04:00:00Z') },
      { token: owner.token },
    );
    await console.ok(
      identity.createApiKey,
      { name: 'platform', expiresAt: new Date('2024-10-10T04:00:00Z') },
      { token: admin },
    );
    await runJob('notifications.expiring-keys');
    expect(await messages(owner.token, 'system')).toEqual([]);
    await moveTo('2024-10-07T05:00:00Z');
    await runJob('notifications.expiring-keys');
    await runJob('notifications.expiring-keys');
    expect(await messages(owner.token, 'system')).toEqual([
      'The API key “gateway” expires in 3 days (Oct 10, 2024). Rotate it before then so that nothing stops.',
    ]);
    expect(await messages(admin, 'system')).toEqual([
      'The API key “platform” expires in 3 days (Oct 10, 2024). Rotate it before then so that nothing stops.',
    ]);
    await console.ok(identity.revokeOrganizationKey, { keyId: key.id }, { token: owner.token });
    expect(
      (await messages(owner.token, 'security')).filter((message) => message.includes('gateway')),
    ).toEqual(['owner created the API key “gateway”.', 'owner revoked the API key “gateway”.']);
  });

  it('a trial’s end are sent once, and not when the subscription ends with it', async () => {
    const made = await console.ok(
      catalogue.createService,
      {
        name: 'Trial',
        type: 'Storage',
        category: 'Platform',
        trialDays: 5,
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      { token: admin },
    );
    await console.ok(subscriptions.subscribe, { serviceId: made.id }, { token: owner.token });
    await runJob('subscriptions.trials');
    expect((await messages(owner.token, 'system')).filter((message) => message.includes('trial'))).toEqual(
      [],
    );
    await moveTo('2024-10-09T06:00:00Z');
    await runJob('subscriptions.trials');
    await runJob('subscriptions.trials');
    expect((await messages(owner.token, 'system')).filter((message) => message.includes('trial'))).toEqual([
      'The free trial of “Trial” ends in 3 days (Oct 12, 2024). You’re charged from then on.',
    ]);
  });
});

describe('a forecast', () => {
  it('of an exhausted quota is notified once a month, but not in the month’s first days', async () => {
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Quota',
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        quota: { type: 'soft', limit: '100' },
      },
      { token: admin },
    );
    const subscription = await console.ok(
      subscriptions.subscribe,
      { serviceId: service.id },
      { token: owner.token },
    );
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'meter', organizationId: owner.organizationId as never },
      { token: admin },
    );
    const use = (id: string, value: string) =>
      console.ok(
        usage.ingest,
        {},
        {
          token: secret,
          headers: { 'content-type': 'application/cloudevents-batch+json' },
          body: JSON.stringify([
            {
              specversion: '1.0',
              id,
              source: '/s',
              type: 'call',
              subject: subscription.id,
              time: console.clock.now().toISOString(),
              data: { value },
            },
          ]),
        },
      );
    await moveTo('2024-11-02T04:00:00Z');
    await use('1', '40');
    await runJob('quotas.outlook');
    expect(await messages(owner.token, 'usage')).toEqual([]);
    await moveTo('2024-11-10T04:00:00Z');
    await use('2', '20');
    await runJob('quotas.outlook');
    await runJob('quotas.outlook');
    expect(await messages(owner.token, 'usage')).toEqual([
      'At the current pace “Quota” will use up this month’s quota in 7 days (Nov 17, 2024).',
    ]);
  });
});

describe('an unusual day', () => {
  it('is notified on the next day, once', async () => {
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Steady',
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'hit', aggregation: 'sum', unit: 'hits' },
      },
      { token: admin },
    );
    const subscription = await console.ok(
      subscriptions.subscribe,
      { serviceId: service.id },
      { token: owner.token },
    );
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'steady', organizationId: owner.organizationId as never },
      { token: admin },
    );
    const weeks = [
      '2024-11-13',
      '2024-11-20',
      '2024-11-27',
      '2024-12-04',
      '2024-12-11',
      '2024-12-18',
      '2024-12-25',
    ];
    for (const [index, day] of weeks.entries()) {
      console.clock.set(new Date(`${day}T04:00:00Z`));
      await console.ok(
        usage.ingest,
        {},
        {
          token: secret,
          headers: { 'content-type': 'application/cloudevents-batch+json' },
          body: JSON.stringify([
            {
              specversion: '1.0',
              id: day,
              source: '/s',
              type: 'hit',
              subject: subscription.id,
              time: console.clock.now().toISOString(),
              data: { value: index === weeks.length - 1 ? '900' : '100' },
            },
          ]),
        },
      );
      console.clock.advance(86_400_000);
      await runJob('insights.unusual');
    }
    await runJob('insights.unusual');
    owner.token = await signIn(console, 'owner@ahead.example');
    const unusual = (await messages(owner.token, 'usage')).filter((message) => message.includes('Steady'));
    expect(unusual).toEqual([
      expect.stringMatching(
        /^“Steady” used 900 hits on Dec 25, 2024; the usual range is [\d.]+ to [\d.]+ hits\./,
      ),
    ]);
  });
});

describe('changes of sign-in', () => {
  it('a new browser is notified, a known one and the very first sign-in are not', async () => {
    const { token } = await registerUser(console, 'new@ahead.example', 'New');
    const deviceNotices = async (by: string) =>
      (await messages(by, 'security')).filter((message) => message.includes('new device'));
    const before = (await deviceNotices(token)).length;
    const login = async (headers: Record<string, string>) =>
      fetch(`${console.address}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ account: 'new@ahead.example', password: userPassword }),
      });
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const first = await login({ 'user-agent': firefox });
    expect(await deviceNotices(token)).toHaveLength(before + 1);
    expect((await deviceNotices(token)).at(-1)).toBe(
      'Sign-in from a new device: Firefox · Linux (127.0.0.1).',
    );
    const device =
      first.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('device='))
        ?.split(';')[0] ?? '';
    console.clock.advance(2 * 86_400_000);
    await login({ 'user-agent': firefox, cookie: device });
    const { token: later } = (
      (await (await login({ 'user-agent': firefox, cookie: device })).json()) as { data: { token: string } }
    ).data;
    expect(await deviceNotices(later)).toHaveLength(before + 1);
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from notification n join app_user u on u.id = n.user_id where u.account = ${adminAccount.account} and n.kind = 'security.new_device' and n.created_at < '2024-10-02'`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.count).toBe(0);
  });

  it('a browser that deletes its cookies is notified once a day, another kind of browser separately', async () => {
    const { token } = await registerUser(console, 'forgetful@ahead.example', 'Forgetful');
    const login = async (userAgent: string) => {
      const answer = await fetch(`${console.address}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': userAgent },
        body: JSON.stringify({ account: 'forgetful@ahead.example', password: userPassword }),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { data: { token: string } }).data.token;
    };
    const countDeviceNotices = async (by: string) =>
      (await messages(by, 'security')).filter((message) => message.includes('new device')).length;
    const before = await countDeviceNotices(token);
    for (let times = 0; times < 3; times++) await login('Forgetful/1');
    expect(await countDeviceNotices(token)).toBe(before + 1);
    await login('Forgetful/2');
    expect(await countDeviceNotices(token)).toBe(before + 2);
    console.clock.advance(86_400_000);
    for (let times = 0; times < 2; times++) await login('Forgetful/1');
    expect(await countDeviceNotices(await login('Forgetful/1'))).toBe(before + 3);
  });

  it('a changed password is notified', async () => {
    const { token } = await registerUser(console, 'changes@ahead.example', 'Changes');
    await console.ok(
      signin.changePassword,
      { current: userPassword, next: 'quite another long passphrase' },
      { token },
    );
    expect((await messages(token, 'security')).at(-1)).toBe(
      'Your password has been changed and other devices are signed out.',
    );
  });
});
