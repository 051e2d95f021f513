// Set-up, sign-in, sessions and API documentation, over HTTP.
import { beforeAll, describe, expect, it } from 'vitest';
import { administration } from '#features/operations/administration/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { namespaces } from '#app/locales/namespaces.ts';
import { mostJoined } from '#platform/server/http/joined-texts.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  signIn,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
beforeAll(async () => {
  console = await createTestConsole();
});

const form = (setupToken: string) => ({
  setupToken,
  basic: {
    name: 'Skytally',
    companyPrefix: 'Formosa Cloud',
    currency: 'TWD' as const,
    timeZone: 'Asia/Taipei',
    language: 'zhTW' as const,
    taxRate: '5',
  },
  admin: { account: adminAccount.account, name: 'Operator', password: adminAccount.password },
});
const raw = (path: string, init: RequestInit = {}) => fetch(`${console.address}${path}`, init);

describe('first setup (R-AUTH-21)', () => {
  it('is possible without an Admin, only with the token', async () => {
    expect(await console.ok(administration.systemStatus, {})).toMatchObject({
      initialized: false,
      name: 'System',
      version: 'v1.0.0',
      signIn: { password: true, google: false, oidc: false },
    });
    expect((await console.call(administration.initialize, form('wrong'))).status).toBe(403);
    expect((await console.call(administration.checkSetupToken, { setupToken: 'wrong' })).status).toBe(403);
    expect(
      (await console.ok(administration.checkSetupToken, { setupToken: console.setupToken })).checks.map(
        (check) => check.name,
      ),
    ).toEqual(['database', 'disk', 'address']);
    const short = form(console.setupToken);
    expect(
      (
        await console.call(administration.initialize, {
          ...short,
          admin: { ...short.admin, password: 'short' },
        })
      ).envelope.errors,
    ).toMatchObject([{ field: 'admin.password', code: 'identity.password_too_short' }]);
  });

  it('creates exactly one Admin in 50 concurrent calls, and changes nothing afterwards (reliability.md 2.A-22)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => console.call(administration.initialize, form(console.setupToken))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    admin = answers.find((answer) => answer.status === 201)?.data.token ?? '';
    expect((await console.call(administration.initialize, form(console.setupToken))).envelope.code).toBe(
      'administration.already_initialized',
    );
    expect((await console.ok(identity.listUsers, {}, { token: admin })).total).toBe(1);
    expect(await console.ok(administration.systemStatus, {})).toMatchObject({
      initialized: true,
      name: 'Skytally',
      companyPrefix: 'Formosa Cloud',
    });
  });
});

describe('R-ADM-03 the administrator’s address', () => {
  it('is public once set, is a valid address or empty, and can be changed by Admins only', async () => {
    const supportEmail = async () => (await console.ok(administration.systemStatus, {})).supportEmail;
    expect(await supportEmail()).toBe('');
    const wrong = await raw('/api/admin/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin}` },
      body: JSON.stringify({ supportEmail: 'nobody there' }),
    });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { errors: [{ field: 'supportEmail' }] }]);
    expect(
      (await console.call(administration.updateSettings, { supportEmail: 'help@cloud.example' })).status,
    ).toBe(401);
    expect(
      (
        await console.ok(
          administration.updateSettings,
          { supportEmail: 'help@cloud.example' },
          { token: admin },
        )
      ).supportEmail,
    ).toBe('help@cloud.example');
    expect(await supportEmail()).toBe('help@cloud.example');
    await console.ok(administration.updateSettings, { supportEmail: '' }, { token: admin });
    expect(await supportEmail()).toBe('');
  });
});

describe('sign-in and sessions (R-AUTH-02, R-AUTH-03, R-AUTH-10, R-AUTH-12)', () => {
  const login = (body: object, headers: Record<string, string> = {}) =>
    raw('/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
      body: JSON.stringify(body),
    });

  it('answers an unknown account like a wrong password', async () => {
    const answers = await Promise.all([
      login({ account: adminAccount.account, password: 'wrong' }),
      login({ account: 'nobody@cloud.example', password: 'wrong' }),
    ]);
    const bodies = await Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        ...((await answer.json()) as object),
        requestId: '',
      })),
    );
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject({
      status: 401,
      code: 'login.incorrect',
      message: 'Incorrect account or password',
    });
  });

  it('keeps the session in an HttpOnly cookie for 3 days and the token out of cookies', async () => {
    const answer = await login({
      account: ` ${adminAccount.account.toUpperCase()}`,
      password: adminAccount.password,
    });
    const cookies = answer.headers.getSetCookie();
    const session = cookies.find((cookie) => cookie.startsWith('session=')) ?? '';
    expect(session).toMatch(/HttpOnly/);
    expect(session).toMatch(/SameSite=Strict/);
    const expires = Date.parse(/Expires=([^;]+)/.exec(session)?.[1] ?? '');
    expect(expires - console.clock.now().getTime()).toBe(3 * 86_400_000);
    const { data } = (await answer.json()) as { data: { token: string } };
    expect(cookies.join()).not.toContain(data.token);

    const cookie = session.split(';')[0] ?? '';
    const again = await raw('/api/user/session', { headers: { cookie } });
    expect(again.status).toBe(200);
    // The cookie grants no other access.
    expect((await raw('/api/user/profile', { headers: { cookie } })).status).toBe(401);
    await raw('/api/user/logout', { method: 'POST', headers: { cookie } });
    expect((await raw('/api/user/session', { headers: { cookie } })).status).toBe(401);
    expect(
      (await raw('/api/user/profile', { headers: { authorization: `Bearer ${data.token}` } })).status,
    ).toBe(401);
  });

  it('makes an account wait after repeated failures, longer each time', async () => {
    const user = await registerUser(console, 'victim@one.example', 'One');
    expect(user.userId).toMatch(/^usr_/);
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await login({ account: 'victim@one.example', password: 'wrong' })).status).toBe(401);
    const blocked = await login({ account: 'victim@one.example', password: 'wrong' });
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    console.clock.advance(3000);
    expect(await signIn(console, 'victim@one.example')).toBeTruthy();
  });

  it('ends the other sessions when the password changes and rejects the old one', async () => {
    const first = await registerUser(console, 'changer@one.example', 'Two');
    const second = await signIn(console, 'changer@one.example');
    expect(
      (
        await console.call(
          signin.changePassword,
          { current: 'wrong', next: 'a brand new passphrase' },
          { token: second },
        )
      ).envelope.code,
    ).toBe('signin.password_wrong');
    await console.ok(
      signin.changePassword,
      { current: 'another long passphrase', next: 'a brand new passphrase' },
      { token: second },
    );
    expect((await console.call(identity.profile, {}, { token: first.token })).status).toBe(401);
    expect((await console.call(identity.profile, {}, { token: second })).status).toBe(200);
    expect(
      (await login({ account: 'changer@one.example', password: 'another long passphrase' })).status,
    ).toBe(401);
  });

  it('never deletes the last Admin', async () => {
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    const { items } = await console.ok(identity.listUsers, { role: 'Admin' }, { token: admin });
    expect(
      (
        await console.call(
          identity.updateUser,
          { userId: items[0]?.id ?? ('' as never), status: 'inactive' },
          { token: admin },
        )
      ).envelope.code,
    ).toBe('identity.last_admin');
  });
});

describe('API documents and texts', () => {
  it('describe every route in OpenAPI 3.1, with readable pages', async () => {
    const document = (await (await raw('/api/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/bills/{billId}/payments');
    expect(document.paths['/api/together']).toMatchObject({ get: { parameters: [{ name: 'get' }] } });
    expect((await raw('/api/docs/')).status).toBe(200);
  });

  it('are served for every namespace in both languages, and under no other name (R-I18N-02)', async () => {
    for (const language of ['zhTW', 'enUS'])
      expect((await raw(`/locales/${language}/billing.json`)).status).toBe(200);
    const longest = Object.keys(namespaces)
      .toSorted((one, other) => other.length - one.length)
      .slice(0, mostJoined);
    const together = await raw(`/locales/zhTW+enUS+jaJP/${longest.join('+')}.json?v=0`);
    expect(together.status).toBe(200);
    const texts = (await together.json()) as Record<string, object>;
    expect(Object.values(texts).map((each) => Object.keys(each))).toEqual([longest, longest, longest]);
    for (const path of [
      '/locales/zhTW/nothing.json',
      `/locales/zhTW/${Object.keys(namespaces)
        .slice(0, mostJoined + 1)
        .join('+')}.json`,
      '/locales/deDE/billing.json',
      '/locales/zhTW/..%2f..%2fpackage.json',
      '/locales/__proto__/billing.json',
      '/locales/zhTW/constructor.json',
      '/locales/zhTW/billing',
      '/api/debug/clock',
      '/api/debug/sign-in',
      '/api/debug/mail',
    ]) {
      expect((await raw(path)).status, path).toBe(404);
    }
    expect(
      (
        await raw('/locales/add/zhTW/billing', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404);
  });
});
