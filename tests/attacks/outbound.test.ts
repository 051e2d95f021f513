// Addresses that users enter must not reach internal services, and the responses of such services are not
// passed on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '#features/operations/administration/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { push } from '#features/messaging/push/contract.ts';
import { sms, type SmsGateway } from '#features/messaging/sms/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { startHostileIdp, type HostileIdp } from '../support/hostile-idp.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { FakeSmsGateway } from '../support/sms.ts';
import { StandIn } from '../support/stand-in.ts';

const secretWords = 'what only this machine may read';
/** An internal service that users must not reach; it answers every request. */
class Inside extends StandIn {
  requests = 0;
  protected async serve(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    response.end(JSON.stringify({ sid: secretWords, message: secretWords, keys: [] }));
  }
}
const inside = new Inside();
beforeAll(() => inside.start());
afterAll(() => inside.stop());

/** Notations of this machine, private networks and the metadata services of clouds. */
const inner = [
  'http://127.0.0.1:4000/',
  'http://localhost:4000/',
  'http://[::1]:4000/',
  'https://127.0.0.1:4000/',
  'https://127.1:4000/',
  'https://2130706433:4000/',
  'https://0x7f000001:4000/',
  'https://0177.0.0.1:4000/',
  'https://0.0.0.0:4000/',
  'https://[::1]:4000/',
  'https://[::ffff:127.0.0.1]:4000/',
  'https://[fd00::1]/',
  'https://localhost:4000/',
  'https://sms.localhost/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/latest/meta-data/',
  'https://metadata.google.internal/',
];
const gatewayAt = (url: string): SmsGateway => ({
  preset: 'generic',
  url,
  account: '',
  from: '',
  toField: 'to',
  textField: 'text',
  fromField: 'from',
});

describe('by default', () => {
  let console: TestConsole;
  let admin: string;
  let token: string;
  beforeAll(async () => {
    console = await createTestConsole(undefined, { NODE_ENV: 'production' });
    admin = await setUp(console);
    ({ token } = await registerUser(console, 'owner@one.example', 'One'));
  });

  it.each(inner)('an SMS gateway at %s is rejected', async (url) => {
    const answer = await console.call(
      sms.saveSmsSettings,
      { isOn: true, ...gatewayAt(url) },
      { token: admin },
    );
    expect(answer).toMatchObject({ status: 400, envelope: { code: 'sms.url_private' } });
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', 'localhost', '[::ffff:127.0.0.1]'])(
    'an SMS gateway at %s stored by an earlier version is not called',
    async (host) => {
      const url = `https://${host}:${new URL(inside.address).port}/`;
      const stored = JSON.stringify({ isOn: true, gateway: gatewayAt(url), token: '' });
      await sql`insert into setting (key, value, changed_at, changed_by) values ('sms.gateway', ${stored}::jsonb, now(), 'test') on conflict (key) do update set value = excluded.value`.execute(
        console.app.database.kysely,
      );
      const answer = await console.call(sms.testSms, { to: '0912345678' }, { token: admin });
      expect(answer).toMatchObject({ status: 400, envelope: { code: 'sms.url_private' } });
      expect(inside.requests).toBe(0);
    },
  );

  it.each(inner)('a webhook to %s is rejected', async (url) => {
    const answer = await console.call(webhooks.createEndpoint, { url }, { token });
    expect(answer.status).toBe(400);
  });

  it.each(inner)('a push service of a browser at %s is rejected', async (endpoint) => {
    const keys = { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) };
    const answer = await console.call(push.addPushSubscription, { endpoint, keys } as never, { token });
    expect(answer).toMatchObject({ status: 400, envelope: { code: 'push.endpoint_refused' } });
  });
});

describe('when the operator allows one host', () => {
  let console: TestConsole;
  let admin: string;
  const gateway = new FakeSmsGateway();
  beforeAll(async () => {
    await gateway.start();
    console = await createTestConsole(undefined, { PRIVATE_HOSTS: new URL(gateway.address).host });
    admin = await setUp(console);
  });
  afterAll(() => gateway.stop());
  const save = (preset: SmsGateway['preset']) =>
    console.ok(
      sms.saveSmsSettings,
      { isOn: true, ...gatewayAt(gateway.address), preset, account: 'AC1', from: '+15005550006' },
      { token: admin },
    );
  const test = () => console.call(sms.testSms, { to: '0912345678' }, { token: admin });

  it('other hosts and ports are still rejected', async () => {
    for (const url of [
      inside.address,
      'https://10.0.0.1/',
      gateway.address.replace('127.0.0.1', '127.0.0.2'),
    ])
      expect(
        await console.call(sms.saveSmsSettings, { isOn: true, ...gatewayAt(url) }, { token: admin }),
      ).toMatchObject({ status: 400 });
  });

  it.each(['generic', 'twilio'] as const)(
    'the response of a gateway is not passed on: %s',
    async (preset) => {
      await save(preset);
      const body = JSON.stringify({
        sid: secretWords,
        id: secretWords,
        message: secretWords,
        error: secretWords,
        code: 7,
      });
      for (const status of [200, 302, 400, 503]) {
        gateway.answers.push({ status, body });
        const { envelope, status: httpStatus } = await test();
        expect(httpStatus, `${status}`).toBe(status < 300 ? 200 : 422);
        expect(JSON.stringify(envelope)).not.toContain(secretWords);
      }
    },
  );

  it('nor stored where somebody could read it', async () => {
    await save('generic');
    for (const status of [400, 500]) gateway.answers.push({ status, body: secretWords });
    await sql`insert into outbox (kind, key, payload, due_at, created_at) select 'sms', 'attack' || place, '{"to":"+886912345678","text":"x"}', ${console.clock.now()}, ${console.clock.now()} from generate_series(1, 2) as place`.execute(
      console.app.database.kysely,
    );
    console.clock.advance(1000);
    const errors = async () =>
      (
        await sql<{
          error: string | null;
        }>`select last_error as error from outbox where kind = 'sms'`.execute(console.app.database.kysely)
      ).rows.map((row) => row.error);
    await expect.poll(errors).toEqual(expect.arrayContaining(['HTTP 400', 'HTTP 500']));
    const shown = await console.ok(monitoring.monitoring, {}, { token: admin });
    expect(
      JSON.stringify(shown, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain(secretWords);
  });

  it('a redirect to an internal address is not followed', async () => {
    await save('generic');
    const redirecting = await startRedirect();
    try {
      const other = await createTestConsole(undefined, { PRIVATE_HOSTS: new URL(redirecting.address).host });
      const token = await setUp(other);
      await other.ok(sms.saveSmsSettings, { isOn: true, ...gatewayAt(redirecting.address) }, { token });
      expect(await other.call(sms.testSms, { to: '0912345678' }, { token })).toMatchObject({
        status: 422,
        envelope: { code: 'sms.gateway_silent' },
      });
      expect(inside.requests).toBe(0);
    } finally {
      await redirecting.stop();
    }
  });
});

class Redirecting extends StandIn {
  protected async serve(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(307, { location: inside.address }).end();
  }
}
const startRedirect = (): Promise<Redirecting> => new Redirecting().start();

describe('services configured in the environment', () => {
  let console: TestConsole;
  let admin: string;
  let idp: HostileIdp;
  let honest: HostileIdp['answers'];
  const broken = new (class extends StandIn {
    protected async serve(_request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = JSON.stringify({
        error: { message: secretWords, type: 'card_error' },
        RtnMsg: secretWords,
      });
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
    }
  })();
  beforeAll(async () => {
    await broken.start();
    idp = await startHostileIdp(() => new Date('2024-10-05T03:00:00Z'));
    honest = { ...idp.answers };
    console = await createTestConsole(undefined, {
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: 'console',
      GOOGLE_CLIENT_ID: 'google-us',
      GOOGLE_JWKS_URL: `${broken.address}/jwks`,
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_API_BASE: broken.address,
      ECPAY_MERCHANT_ID: '1',
      ECPAY_HASH_KEY: 'a-long-hash-key',
      ECPAY_HASH_IV: 'a-long-hash-iv-',
      ECPAY_API_BASE: broken.address,
    });
    admin = await setUp(console);
  });
  afterAll(async () => {
    await idp.end();
    await broken.stop();
  });
  const test = (service: 'google' | 'oidc' | 'stripe' | 'ecpay') =>
    console.ok(administration.testService, { service }, { token: admin });

  it.each(['google', 'stripe', 'ecpay'] as const)('the response of %s is not passed on', async (service) => {
    const result = await test(service);
    expect(result.isGood).toBe(false);
    expect(result.message).not.toContain(secretWords);
  });

  it.each(['jwks_uri', 'token_endpoint', 'userinfo_endpoint', 'introspection_endpoint'])(
    'a discovery document cannot direct the console to an internal address with its %s',
    async (name) => {
      for (const address of [inside.address, 'https://169.254.169.254/']) {
        idp.answers.discovery = (document) => honest.discovery({ ...document, [name]: address });
        expect(await test('oidc'), address).toMatchObject({ isGood: false });
      }
      expect(inside.requests).toBe(0);
    },
  );

  it('nor with a redirect, and nothing of its response is passed on', async () => {
    idp.answers.discovery = () => ({ status: 302, headers: { location: inside.address } });
    expect(await test('oidc')).toMatchObject({ isGood: false });
    idp.answers.discovery = () => ({ status: 500, body: { error: secretWords, issuer: secretWords } });
    expect((await test('oidc')).message).not.toContain(secretWords);
    idp.answers.discovery = () => ({ body: { issuer: secretWords } });
    expect((await test('oidc')).message).not.toContain(secretWords);
    expect(inside.requests).toBe(0);
  });
});
