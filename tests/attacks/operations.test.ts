// The operator’s log and tables (reliability.md, section 2.J), on a console whose log is read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { startOn, type RunningConsole } from '#app/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-operations-'));
const lines: string[] = [];
const planted: string[] = [];
/** Creates a secret that the test later looks for in all outputs. */
function plant(text: string): string {
  planted.push(text);
  return text;
}
let running: RunningConsole;

beforeAll(async () => {
  const { connection } = await createTestDatabase();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'trace',
    SETUP_TOKEN: plant('planted-setup-token-1'),
    SMTP_URL: `smtp://me:${plant('planted-smtp-2')}@127.0.0.1:1`,
    SMS_GATEWAY_URL: 'http://127.0.0.1:1',
    SMS_GATEWAY_TOKEN: plant('planted-sms-3'),
    STRIPE_SECRET_KEY: plant('sk_test_planted4'),
    STRIPE_WEBHOOK_SECRET: plant('whsec_planted5'),
    STRIPE_API_BASE: 'http://127.0.0.1:1',
    ECPAY_MERCHANT_ID: '1',
    ECPAY_HASH_KEY: plant('planted6hashkey'),
    ECPAY_HASH_IV: plant('planted7hash_iv'),
    ECPAY_API_BASE: 'http://127.0.0.1:1',
  });
  running = await startOn(connection, config, {
    log: createLog({ level: 'trace', destination: { write: (line) => lines.push(line) } }),
    clock: movableClock(new Date('2024-10-05T03:00:00Z')),
    webDirectory: Promise.resolve(undefined),
  });
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Response = { status: number; data: Record<string, unknown> | null; cookies: string[] };
async function send(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
  const answer = await fetch(`${running.listening}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]?.split('=')[1] ?? '')
    .filter((value) => value.length > 15);
  const text = await answer.text();
  return {
    status: answer.status,
    data: text.startsWith('{') ? (JSON.parse(text) as { data: Record<string, unknown> | null }).data : null,
    cookies,
  };
}

describe('2.J-160 the log', () => {
  it('contains none of the secrets that passed through the console, at the most verbose level and with errors', async () => {
    const password = plant('planted-admin-password-8');
    const setUp = await send('POST', '/system/initialization', {
      setupToken: 'planted-setup-token-1',
      basic: {
        name: 'x',
        companyPrefix: '',
        currency: 'TWD',
        timeZone: 'Asia/Taipei',
        language: 'zhTW',
        taxRate: '5',
      },
      admin: { account: 'admin@cloud.example', name: 'Admin', password },
    });
    const admin = plant(String(setUp.data?.['token']));
    setUp.cookies.forEach(plant);
    await send('POST', '/user/register', {
      email: 'user@one.example',
      name: 'One',
      password: plant('planted-user-password-9'),
      organization: 'One',
      agreeToTerms: true,
    });
    await send('POST', '/user/login', {
      account: 'user@one.example',
      password: plant('planted-wrong-password-10'),
    });
    await send('POST', '/user/login', { account: plant('planted-typed-as-account-11'), password });
    const again = await send('POST', '/user/login', { account: 'admin@cloud.example', password });
    plant(String(again.data?.['token']));
    again.cookies.forEach(plant);
    await send(
      'POST',
      '/user/password',
      { currentPassword: plant('planted-not-mine-12'), newPassword: plant('planted-new-password-13') },
      admin,
    );
    const totp = await send('POST', '/user/two-factor', {}, admin);
    for (const value of Object.values(totp.data ?? {}))
      if (typeof value === 'string' && value.length > 15) plant(value);
    await send('POST', '/user/two-factor/confirm', { code: plant('942-817') }, admin);
    const key = await send('POST', '/admin/api-keys', { name: 'gateway' }, admin);
    plant(String(key.data?.['secret']));
    await send(
      'POST',
      '/usage/events',
      { authorization: plant('planted-in-body-14') },
      String(key.data?.['secret']),
    );
    await send(
      'PUT',
      '/admin/sms-settings',
      {
        isOn: true,
        preset: 'generic',
        url: 'http://127.0.0.1:1',
        account: '',
        from: '',
        toField: 'to',
        textField: 'text',
        fromField: 'from',
        token: plant('planted-gateway-15'),
      },
      admin,
    );
    await send('POST', '/user/reset-password', {
      token: plant('planted-reset-link-16'),
      password: plant('planted-reset-password-17'),
    });
    await send('GET', `/admin/users?q=${plant('planted-in-address-18')}`, undefined, admin);
    await send('GET', '/admin/users', undefined, plant('planted-bearer-19'));
    for (const service of ['stripe', 'ecpay'])
      await send('POST', `/admin/settings/services/${service}/test`, {}, admin);
    // An unexpected error during a request with a body: the database’s message with row values and parameters
    // must not be logged.
    await sql`alter table app_user rename to app_user_away`.execute(running.app.database.kysely);
    expect(
      (
        await send('POST', '/user/login', {
          account: plant('planted-in-fault-20@x.example'),
          password: plant('planted-in-fault-21'),
        })
      ).status,
    ).toBe(500);
    await sql`alter table app_user_away rename to app_user`.execute(running.app.database.kysely);
    const { accessTokenKey, licenceKey } = running.app.secrets;
    plant(accessTokenKey);
    plant(licenceKey.split('\n')[1] ?? '');
    await expect.poll(() => lines.length).toBeGreaterThan(3);
    const log = lines.join('');
    expect(log).toContain('request failed');
    expect(planted.length).toBeGreaterThanOrEqual(30);
    expect(planted.filter((secret) => secret.length < 6 || log.includes(secret))).toEqual([]);
    // The errors stored for the operator contain no secret either. They are stored after the response.
    const stored = async () =>
      (await sql<{ message: string }>`select message from fault`.execute(running.app.database.kysely)).rows;
    await expect.poll(async () => (await stored()).length).toBeGreaterThan(0);
    const rows = await stored();
    expect(planted.filter((secret) => JSON.stringify(rows).includes(secret))).toEqual([]);
  });
});

describe('2.J-162 history tables', () => {
  // The console's own user owns these tables, so the trigger refuses a change to every user until someone
  // removes it.
  it.each(['audit_log', 'ledger_entry', 'ledger_transaction'])(
    'of %s cannot be changed or deleted by the console’s own database user',
    async (table) => {
      const db = running.app.database.kysely;
      const { rows } = await sql<{
        tgname: string;
        enabled: string;
      }>`select tgname, tgenabled as enabled from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal`.execute(
        db,
      );
      expect(rows.every(({ enabled }) => enabled === 'O')).toBe(true);
      await expect(sql`truncate ${sql.table(table)} cascade`.execute(db)).rejects.toThrow('never changed');
    },
  );
});
