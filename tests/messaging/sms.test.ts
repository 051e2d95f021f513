// Text messages through the operator’s gateway; its secret is never shown, and its responses are not passed
// on.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { sms, type SmsGateway } from '#features/messaging/sms/contract.ts';
import { hasSms, sendSms, type SmsMessage } from '#features/messaging/sms/server/index.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { FakeSmsGateway } from '../support/sms.ts';

let console: TestConsole;
let gateway: FakeSmsGateway;
let admin: string;
let user: { token: string; userId: string };
const secret = 'the secret of the gateway';

beforeAll(async () => {
  gateway = await new FakeSmsGateway().start();
  console = await createTestConsole(undefined, { PRIVATE_HOSTS: '127.0.0.1' });
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  await console.ok(identity.updateProfile, { phone: '0912-345-678' }, { token: user.token });
});
afterAll(() => gateway.stop());

const generic = (more: Partial<SmsGateway> = {}): SmsGateway => ({
  preset: 'generic',
  url: `${gateway.address}/send`,
  account: '',
  from: '',
  toField: 'to',
  textField: 'text',
  fromField: 'from',
  ...more,
});
const twilio = (more: Partial<SmsGateway> = {}): SmsGateway =>
  generic({ preset: 'twilio', url: gateway.address, account: 'AC123', from: '+15005550006', ...more });
const save = (given: SmsGateway, more: { isOn?: boolean; token?: string } = {}) =>
  console.ok(sms.saveSmsSettings, { isOn: true, ...given, ...more }, { token: admin });
const system = { kind: 'system', name: 'test' } as const;
const sent = (messages: readonly SmsMessage[], on = console) =>
  unitOfWork(on.app, { actor: system, mode: 'write' }, (ctx) => sendSms(ctx, messages));
const outboxOf = async (key: string) =>
  (
    await sql<{
      sent: boolean;
      failed: boolean;
      attempts: number;
      error: string | null;
    }>`select sent_at is not null as sent, parked_at is not null as failed, attempts, last_error as error from outbox where kind = 'sms' and key = ${key}`.execute(
      console.app.database.kysely,
    )
  ).rows;
const lastCall = () => gateway.calls.at(-1);

describe('R-NOTE-02: text messages', () => {
  it('without a gateway nothing is queued, and everybody left out is listed', async () => {
    expect(await unitOfWork(console.app, { actor: system, mode: 'read' }, hasSms)).toBe(false);
    expect(await console.ok(sms.getSmsSettings, {}, { token: admin })).toMatchObject({
      source: 'off',
      isOn: false,
      hasToken: false,
      gateway: { preset: 'generic', url: '' },
    });
    expect(await sent([{ userId: user.userId, key: 'early', text: 'x' }])).toEqual([
      { userId: user.userId, reason: 'no_gateway' },
    ]);
    expect(await outboxOf('early')).toEqual([]);
    expect(await console.call(sms.testSms, { to: '0912345678' }, { token: admin })).toMatchObject({
      status: 409,
      envelope: { code: 'sms.off' },
    });
  });

  it('a generic gateway gets JSON with the E.164 number and the token, under configurable names', async () => {
    await save(generic({ toField: 'phone', textField: 'message', fromField: 'sender', from: 'Skytally' }), {
      token: secret,
    });
    expect(await sent([{ userId: user.userId, key: 'generic', text: '用量已達 85%' }])).toEqual([]);
    await expect
      .poll(() => outboxOf('generic'))
      .toEqual([{ sent: true, failed: false, attempts: 1, error: null }]);
    expect(lastCall()).toMatchObject({
      path: '/send',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(lastCall()?.body ?? '')).toEqual({
      phone: '+886912345678',
      message: '用量已達 85%',
      sender: 'Skytally',
    });
  });

  it('Twilio gets its form with the account’s name and token', async () => {
    await save(twilio(), { token: secret });
    await sent([{ userId: user.userId, key: 'twilio', text: 'Overdue & due' }]);
    await expect.poll(() => outboxOf('twilio')).toMatchObject([{ sent: true }]);
    expect(lastCall()).toMatchObject({
      path: '/2010-04-01/Accounts/AC123/Messages.json',
      headers: { authorization: `Basic ${Buffer.from(`AC123:${secret}`).toString('base64')}` },
    });
    expect(Object.fromEntries(new URLSearchParams(lastCall()?.body))).toEqual({
      To: '+886912345678',
      From: '+15005550006',
      Body: 'Overdue & due',
    });
  });

  it('rejected ones fail with their status; temporary failures are retried', async () => {
    await save(twilio(), { token: secret });
    gateway.answers.push({
      status: 400,
      body: JSON.stringify({
        code: 21211,
        message: "The 'To' number is not a valid phone number.",
        status: 400,
      }),
    });
    await sent([{ userId: user.userId, key: 'wrong', text: 'x' }]);
    await expect
      .poll(() => outboxOf('wrong'))
      .toEqual([
        {
          sent: false,
          failed: true,
          attempts: 1,
          error: 'HTTP 400',
        },
      ]);
    for (const [status, body] of [
      [429, '{"code":20429,"message":"Too Many Requests"}'],
      [503, 'down for repair'],
    ] as const) {
      gateway.answers.push({ status, body });
      await sent([{ userId: user.userId, key: `busy ${status}`, text: 'x' }]);
      await expect
        .poll(() => outboxOf(`busy ${status}`))
        .toMatchObject([
          {
            sent: false,
            failed: false,
            attempts: 1,
            error: `HTTP ${status}`,
          },
        ]);
      console.clock.advance(3000);
      await expect.poll(() => outboxOf(`busy ${status}`)).toMatchObject([{ sent: true, attempts: 2 }]);
    }
  });

  it('people without a valid number are listed; the others get theirs once', async () => {
    const [none, wrong] = [
      await registerUser(console, 'none@one.example', 'None'),
      await registerUser(console, 'wrong@one.example', 'Wrong'),
    ];
    await console.ok(identity.updateProfile, { phone: '12' }, { token: wrong.token });
    const messages = [user, none, wrong].map(({ userId }) => ({ userId, key: `all ${userId}`, text: 'x' }));
    const before = gateway.calls.length;
    expect(await sent(messages)).toEqual([
      { userId: none.userId, reason: 'no_number' },
      { userId: wrong.userId, reason: 'number_wrong' },
    ]);
    await sent(messages);
    await expect.poll(() => outboxOf(`all ${user.userId}`)).toMatchObject([{ sent: true }]);
    expect(gateway.calls.length - before).toBe(1);
  });
});

describe('the gateway’s settings', () => {
  it('the token is never shown, is stored encrypted, and is not sent to another address', async () => {
    expect(await save(generic(), { token: secret })).toMatchObject({ source: 'settings', hasToken: true });
    const answer = await console.call(sms.getSmsSettings, {}, { token: admin });
    expect(JSON.stringify(answer.envelope)).not.toContain(secret);
    const { rows } = await sql<{
      value: string;
    }>`select value::text from setting where key = 'sms.gateway'`.execute(console.app.database.kysely);
    expect(rows[0]?.value).not.toContain(secret);
    expect(await save(generic({ from: 'Other' }))).toMatchObject({ hasToken: true });
    // An Admin who changes the address must not be able to send the old token to it.
    expect(await save(generic({ url: `${gateway.address}/elsewhere` }))).toMatchObject({ hasToken: false });
    await save(generic(), { token: secret });
    expect(await save(generic(), { token: '' })).toMatchObject({ hasToken: false });
    const audit = await sql<{
      text: string;
    }>`select coalesce(string_agg(detail::text, ' '), '') as text from audit_log`.execute(
      console.app.database.kysely,
    );
    expect(audit.rows[0]?.text).not.toContain(secret);
  });

  it.each([
    ['http elsewhere', () => generic({ url: 'http://sms.example.com/' }), 'sms.url_unsafe'],
    ['credentials', () => generic({ url: 'https://a:b@sms.example.com/' }), 'sms.url_unsafe'],
    ['Twilio without an account', () => twilio({ account: '' }), 'sms.account_missing'],
    ['Twilio without a sender', () => twilio({ from: '' }), 'sms.from_missing'],
  ])('%s is rejected', async (_what, given, code) => {
    expect(
      await console.call(sms.saveSmsSettings, { isOn: true, ...given() }, { token: admin }),
    ).toMatchObject({ status: 400, envelope: { code } });
  });

  it('a test returns its result immediately, without the gateway’s message', async () => {
    await save(twilio(), { token: secret });
    expect(await console.ok(sms.testSms, { to: '0987654321' }, { token: admin })).toMatchObject({
      to: '+886987654321',
      reference: expect.stringMatching(/^SM\d+$/) as string,
    });
    expect(await console.call(sms.testSms, { to: '12' }, { token: admin })).toMatchObject({
      status: 400,
      envelope: { code: 'sms.number_wrong' },
    });
    gateway.answers.push({ status: 401, body: '{"code":20003,"message":"Authenticate"}' });
    expect(
      await console.call(sms.testSms, { to: '0987654321' }, { token: admin, language: 'enUS' }),
    ).toMatchObject({
      status: 422,
      envelope: {
        code: 'sms.gateway_refused',
        message:
          'The SMS gateway refused the message (HTTP 401). Check the token, account and numbers; the gateway’s own log says why.',
      },
    });
    await save(generic({ url: 'http://127.0.0.1:9/' }));
    expect(await console.call(sms.testSms, { to: '0987654321' }, { token: admin })).toMatchObject({
      status: 422,
      envelope: { code: 'sms.gateway_silent' },
    });
  });
});

describe('a gateway configured in the environment', () => {
  let own: TestConsole;
  beforeAll(async () => {
    own = await createTestConsole(undefined, {
      SMS_GATEWAY_URL: `${gateway.address}/environment?key=hidden`,
      SMS_GATEWAY_TOKEN: 'of-the-environment',
    });
  });

  it('overrides the settings, which then cannot be changed', async () => {
    const token = await setUp(own);
    const settings = await own.call(sms.getSmsSettings, {}, { token });
    expect(settings.data).toMatchObject({
      source: 'environment',
      isOn: true,
      hasToken: true,
      gateway: { url: gateway.address },
    });
    expect(JSON.stringify(settings.envelope)).not.toMatch(/hidden|of-the-environment/);
    expect(await own.call(sms.saveSmsSettings, { isOn: true, ...generic() }, { token })).toMatchObject({
      status: 409,
      envelope: { code: 'sms.from_environment' },
    });
    await own.ok(sms.testSms, { to: '+886912345678' }, { token });
    expect(lastCall()).toMatchObject({
      path: '/environment?key=hidden',
      headers: { authorization: 'Bearer of-the-environment' },
    });
  });
});
