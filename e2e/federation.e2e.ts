// Federated sign-in in a real browser: a real provider, a hostile one, and Google with a simulated script.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Request } from '@playwright/test';
import { startHostileIdp, type Answers, type HostileIdp } from '../tests/support/hostile-idp.ts';
import { startIdp, type Idp } from '../tools/idp.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

type Person = Awaited<ReturnType<Journey['person']>>;
const password = 'another long passphrase';

/**
 * A port that was free a moment ago, because a provider must know its clients’ addresses before they start.
 */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function post<T>(journey: Journey, path: string, body: object): Promise<T> {
  const response = await fetch(`${journey.address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data: T; message: string };
  if (!response.ok) throw new Error(`${path}: ${answer.message}`);
  return answer.data;
}

async function setUp(journey: Journey): Promise<void> {
  await post(journey, '/system/initialization', {
    setupToken: new URL(journey.setupAddress).searchParams.get('token'),
    basic: {
      name: '雲帳',
      companyPrefix: '福爾摩沙雲端',
      currency: 'TWD',
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      taxRate: '5',
    },
    admin: { account: 'admin@cloud.example', name: 'Operator', password: 'a long enough passphrase' },
  });
}
const register = (journey: Journey, email: string) =>
  post(journey, '/user/register', {
    email,
    name: 'owner',
    password,
    organization: 'Owner',
    agreeToTerms: true,
  });
const isSignedIn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    `JSON.parse(localStorage.getItem('authStore') ?? '{}').state?.isAuthenticated === true`,
  );
const storedText = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`);

test.describe('a real provider (R-AUTH-05 to R-AUTH-09, R-AUTH-12)', () => {
  // The steps run in order and build on each other.
  test.describe.configure({ mode: 'serial' });

  let journey: Journey;
  let idp: Idp;
  let user: Person;

  test.beforeAll(async ({ startJourney }) => {
    const port = await freePort();
    // Token lifetime: the renewal begins a minute before the end.
    idp = await startIdp({ consoles: [`http://127.0.0.1:${port}`], accessTokenSeconds: 64 });
    journey = await startJourney({
      PORT: String(port),
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: idp.clientId,
    });
    await setUp(journey);
    user = await journey.person({ elsewhere: [new URL(idp.issuer).origin] });
  });
  test.afterAll(async () => {
    await journey.end();
    await idp.end();
  });

  /** Pages that may make requests only to the console and this provider. */
  const someone = () => journey.person({ elsewhere: [idp.issuer] });
  const choose = async (page: Page, name: string) =>
    page.getByRole('button', { name: `Sign in as ${name}` }).click();
  const enter = async (page: Page, name: string, path = '/login') => {
    await page.goto(journey.address + path);
    await page.getByRole('button', { name: '使用身分提供者登入' }).click();
    await choose(page, name);
  };
  let callback = '';

  test('gets the request of R-AUTH-06, and sign-in lands by role without a trace in the address (R-AUTH-14, 2.I-155)', async () => {
    const { page } = user;
    const requests: URL[] = [];
    page.on('request', (request: Request) => {
      const url = new URL(request.url());
      if (url.pathname === '/auth') requests.push(url);
      if (url.pathname === '/callback' && url.searchParams.has('code')) callback = url.href;
    });
    await enter(page, 'user');
    await page.waitForURL(`${journey.address}/user/dashboard`);
    const wish = Object.fromEntries(requests[0]?.searchParams ?? []);
    expect(wish).toMatchObject({
      client_id: 'console',
      response_type: 'code',
      scope: 'openid profile email api offline_access',
      redirect_uri: `${journey.address}/callback`,
      code_challenge_method: 'S256',
    });
    expect(wish['nonce']).toBeTruthy();
    expect(callback).toContain('code=');
    expect(page.url()).toBe(`${journey.address}/user/dashboard`);
    expect(await storedText(page)).not.toMatch(/eyJ|code_verifier|refresh/);
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  test('cannot use a callback twice (2.I-133, 135)', async () => {
    const { page } = await someone();
    await page.goto(callback);
    await page.getByText('技術細節').click();
    await page.getByText('No matching state found in storage').waitFor();
    expect(page.url()).toBe(`${journey.address}/callback`);
    expect(await isSignedIn(page)).toBe(false);
    await user.page.goto(callback);
    await user.page.getByText('這個瀏覽器沒有進行中的外部登入，請重新開始。').waitFor();
  });

  test('allows silent renewal a minute before the end, with the rotated refresh token (R-AUTH-08)', async () => {
    const { page } = await someone();
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (
        request.method() === 'POST' &&
        new URL(request.url()).pathname === '/token' &&
        (request.postData() ?? '').includes('grant_type=refresh_token')
      )
        renewals.push(new URLSearchParams(request.postData() ?? '').get('refresh_token') ?? '');
    });
    await enter(page, 'reader');
    await page.waitForURL(`${journey.address}/dashboard`);
    const renewed = await page.waitForResponse(
      (response) =>
        new URL(response.url()).pathname === '/token' &&
        (response.request().postData() ?? '').includes('refresh_token'),
      { timeout: 30_000 },
    );
    expect(renewed.status()).toBe(200);
    const first = renewals.length;
    await expect.poll(() => renewals.length, { timeout: 30_000 }).toBeGreaterThan(first);
    expect(new Set(renewals).size).toBe(renewals.length);
    expect(await isSignedIn(page)).toBe(true);
  });

  test('signs a user with a lost session in again, and returns them to where they were (R-AUTH-13)', async () => {
    const { page, context } = await someone();
    await page.goto(`${journey.address}/usage/statistics?view=daily`);
    await choose(page, 'user');
    await page.waitForURL(`${journey.address}/usage/statistics?view=daily`);
    // The session ends elsewhere; the provider still knows the user, so nothing is asked.
    await context.clearCookies({ domain: '127.0.0.1' });
    await page.goto(`${journey.address}/billing/management`);
    await page.getByRole('heading', { level: 1, name: '帳單查詢' }).waitFor();
    expect(page.url()).toBe(`${journey.address}/billing/management`);
    expect(await isSignedIn(page)).toBe(true);
  });

  test('with a manipulated state shows that it does not match (R-AUTH-07, 2.I-133)', async () => {
    const { page } = await someone();
    await page.goto(`${journey.address}/login`);
    await page.getByRole('button', { name: '使用身分提供者登入' }).click();
    await page.getByRole('button', { name: 'Sign in as user' }).waitFor();
    await page.goto(
      `${journey.address}/callback?${new URLSearchParams({ code: 'stolen', state: 'tampered', iss: idp.issuer }).toString()}`,
    );
    await page.getByText('技術細節').click();
    await page.getByText('State does not match', { exact: true }).waitFor();
    expect(await isSignedIn(page)).toBe(false);
  });

  test('needs the password of an existing account’s owner, then links and signs in (2.I-150)', async () => {
    await register(journey, 'newcomer@elsewhere.example');
    const { page } = await someone();
    await enter(page, 'newcomer');
    await page.getByRole('heading', { name: '連結您的帳號' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel(/^您帳號的密碼/).fill('not the password');
    await page.getByRole('button', { name: '連結並登入' }).click();
    await page.getByText('密碼不正確。').waitFor();
    await page.getByLabel(/^您帳號的密碼/).fill(password);
    await page.getByRole('button', { name: '連結並登入' }).click();
    await page.waitForURL(`${journey.address}/user/dashboard`);
    await page.goto(`${journey.address}/user/profile?section=security`);
    await page.getByText('身分提供者 newcomer@elsewhere.example').waitFor();
  });

  test('is linked from the profile after the password, and unlinked', async () => {
    await register(journey, 'owner@own.example');
    const { page, context } = await someone();
    await context.request.post(`${journey.address}/api/user/login`, {
      data: { account: 'owner@own.example', password },
    });
    await page.goto(`${journey.address}/user/profile?section=security`);
    await page.getByRole('button', { name: '連結身分提供者' }).click();
    await choose(page, 'spare');
    await page.getByLabel(/^您帳號的密碼/).fill(password);
    await page.getByRole('button', { name: '連結身分提供者' }).click();
    await page.waitForURL(`${journey.address}/user/profile?section=security`);
    await page.getByText('身分提供者 spare@elsewhere.example').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '取消連結 身分提供者 spare@elsewhere.example' }).click();
    await page.getByText('尚未連結外部帳號。').waitFor();
  });

  test('ends its session at sign-out and returns with the message (R-AUTH-12)', async () => {
    const signOut = async (page: Page) => {
      await page.getByRole('button', { name: '設定' }).click();
      await page.getByRole('button', { name: '登出' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    };
    // Once with the tokens still in memory, once after a reload has deleted them.
    const other = await someone();
    await enter(other.page, 'reader');
    await other.page.waitForURL(`${journey.address}/dashboard`);
    await signOut(other.page);
    await other.page.waitForURL(`${journey.address}/`);
    const { page } = user;
    await page.goto(`${journey.address}/user/dashboard`);
    await signOut(page);
    await page.waitForURL(`${journey.address}/`);
    await page.getByText('您已登出。').first().waitFor();
    expect(await isSignedIn(page)).toBe(false);
    expect(await storedText(page)).not.toContain('signedInThrough');
    // The provider asks for sign-in again.
    await page.goto(`${journey.address}/login`);
    await page.getByRole('button', { name: '使用身分提供者登入' }).click();
    await page.getByRole('button', { name: 'Sign in as user' }).waitFor();
  });

  test('with opaque tokens is used by introspection (R-AUTH-05)', async ({ startJourney }) => {
    const port = await freePort();
    const opaque = await startIdp({ consoles: [`http://127.0.0.1:${port}`], accessTokens: 'opaque' });
    const second = await startJourney({
      PORT: String(port),
      OIDC_ISSUER: opaque.issuer,
      OIDC_CLIENT_ID: opaque.clientId,
    });
    try {
      const { page } = await second.person();
      await page.goto(`${second.address}/login`);
      await page.getByRole('button', { name: '使用身分提供者登入' }).click();
      await choose(page, 'reader');
      await page.waitForURL(`${second.address}/dashboard`);
    } finally {
      await second.end();
      await opaque.end();
    }
  });

  test('causes no page error and no security policy violation', () => expect(user.pageErrors).toEqual([]));
});

test.describe('a hostile provider, and Google', () => {
  let journey: Journey;
  let idp: HostileIdp;
  let honest: Answers;
  const script = 'https://accounts.google.com/gsi/client';

  test.beforeAll(async ({ startJourney }) => {
    idp = await startHostileIdp();
    honest = { ...idp.answers };
    journey = await startJourney({
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: 'console',
      GOOGLE_CLIENT_ID: 'google-us',
      GOOGLE_JWKS_URL: `${idp.issuer}/jwks`,
    });
    await setUp(journey);
  });
  test.afterAll(async () => {
    await journey.end();
    await idp.end();
  });
  test.beforeEach(() => {
    Object.assign(idp.answers, honest);
  });

  /** Pages that may make requests only to the console, this provider and Google. */
  const someone = (options: { locale?: string } = {}) =>
    journey.person({ ...options, elsewhere: [idp.issuer, new URL(script).origin] });
  const noGoogle = (page: Page) => page.route(script, (route) => route.abort());
  const leave = async (page: Page) => {
    await noGoogle(page);
    await page.goto(`${journey.address}/login`);
    await page.getByRole('button', { name: '使用身分提供者登入' }).click();
  };
  const back = (asked: URLSearchParams, params: string): string =>
    `${asked.get('redirect_uri')}?state=${asked.get('state')}&${params}`;
  const tokens = async (claims: Record<string, unknown>, asked: URLSearchParams) => ({
    body: {
      access_token: await idp.sign({
        sub: 'user-1',
        aud: 'console',
        client_id: 'console',
        scope: 'openid api',
      }),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid',
      id_token: await idp.sign(
        { sub: 'user-1', aud: 'console', nonce: asked.get('nonce') ?? undefined, ...claims },
        { typ: 'JWT' },
      ),
    },
  });

  const wrong: [string, () => void, string][] = [
    [
      'another issuer in the answer, mix-up (2.I-136)',
      () => {
        idp.answers.authorize = (asked) => back(asked, 'code=c&iss=https://evil.example');
      },
      'Issuer does not match',
    ],
    [
      'no issuer in the answer though promised (2.I-136)',
      () => {
        idp.answers.authorize = (asked) => back(asked, 'code=c');
      },
      'Issuer does not match',
    ],
    [
      'a repeated code (2.I-136)',
      () => {
        idp.answers.authorize = (asked) => back(asked, `code=c&code=d&iss=${idp.issuer}`);
      },
      'Repeated parameter: code',
    ],
    [
      'tokens in the address (2.I-134)',
      () => {
        idp.answers.authorize = (asked) => back(asked, `access_token=t&id_token=t&iss=${idp.issuer}`);
      },
      'Tokens in the address are not accepted',
    ],
    [
      'a code that it does not know (2.I-135)',
      () => {
        idp.answers.authorize = (asked) => back(asked, `code=stolen&iss=${idp.issuer}`);
      },
      'invalid_grant',
    ],
    [
      'an error with markup (2.I-156)',
      () => {
        idp.answers.authorize = (asked) =>
          back(
            asked,
            `error=access_denied&error_description=${encodeURIComponent('<img src=x onerror=alert(1)>')}&iss=${idp.issuer}`,
          );
      },
      'access_denied',
    ],
    [
      'another nonce (2.I-137)',
      () => {
        idp.answers.token = (_form, asked) => tokens({ nonce: 'other' }, asked);
      },
      'nonce in id_token does not match nonce in client storage',
    ],
    [
      'an ID token for another client (2.I-139)',
      () => {
        idp.answers.token = (_form, asked) => tokens({ aud: 'other' }, asked);
      },
      'Audience of the ID Token does not match',
    ],
    [
      'an ID token of another issuer',
      () => {
        idp.answers.token = (_form, asked) => tokens({ iss: 'https://evil.example' }, asked);
      },
      'Issuer of the ID Token does not match',
    ],
    [
      'an ID token without subject (R-AUTH-07)',
      () => {
        idp.answers.token = (_form, asked) => tokens({ sub: undefined }, asked);
      },
      'ID Token is missing a subject claim',
    ],
    [
      'user-info of somebody else (2.I-140)',
      () => {
        idp.answers.userInfo = () => ({ body: { sub: 'somebody-else' } });
      },
      'subject from UserInfo response does not match subject in ID Token',
    ],
    [
      'status 500 at the token endpoint (R-AUTH-07)',
      () => {
        idp.answers.token = async () => ({ status: 500, body: {} });
      },
      'Internal Server Error (500)',
    ],
    [
      'status 201 at the token endpoint (R-AUTH-07)',
      () => {
        idp.answers.token = async (_form, asked) => ({ ...(await tokens({}, asked)), status: 201 });
      },
      'The provider answered with status 201',
    ],
  ];
  for (const [what, arrange, detail] of wrong)
    test(`cannot sign in with ${what}`, async () => {
      arrange();
      const { page, context } = await someone();
      await leave(page);
      await page.waitForURL(`${journey.address}/callback`);
      await page.getByText('技術細節').click();
      await page.getByText(detail).first().waitFor();
      expect(page.url()).toBe(`${journey.address}/callback`);
      expect(await isSignedIn(page)).toBe(false);
      expect(await page.locator('main img, details img').count()).toBe(0);
      expect(await storedText(page)).not.toMatch(/eyJ|oidc\./);
      await context.close();
    });

  const strange: [string, (document: Record<string, unknown>) => Record<string, unknown>][] = [
    ['names another issuer', (document) => ({ ...document, issuer: 'https://evil.example' })],
    [
      'sends people to another host',
      (document) => ({ ...document, authorization_endpoint: 'https://evil.example/authorize' }),
    ],
    [
      'has its token endpoint on another host',
      (document) => ({ ...document, token_endpoint: 'https://evil.example/token' }),
    ],
  ];
  for (const [what, change] of strange)
    test(`a provider whose document ${what} is not redirected to (2.I-138)`, async () => {
      idp.answers.discovery = (document) => ({ body: change(document) });
      const { page, context } = await someone();
      await leave(page);
      await page.getByText('無法完成登入：身分提供者回報錯誤。').waitFor();
      expect(new URL(page.url()).pathname).toBe('/login');
      await context.close();
    });

  test('offers a way back after ten seconds, and reports a network timeout (R-AUTH-07, R-AUTH-08)', async () => {
    const [document, token] = [
      Promise.withResolvers<{ body: object }>(),
      Promise.withResolvers<{ body: object }>(),
    ];
    let good: Record<string, unknown> = {};
    const { page, context } = await someone();
    await page.clock.install();
    await noGoogle(page);
    await page.goto(`${journey.address}/login`);
    const authorize = idp.answers.authorize;
    idp.answers.authorize = (asked) => {
      // From here on the provider is slow with everything.
      idp.answers.discovery = (known) => {
        good = known;
        return document.promise;
      };
      idp.answers.token = () => token.promise;
      return authorize(asked);
    };
    await page.getByRole('button', { name: '使用身分提供者登入' }).click();
    await page.getByRole('status').filter({ hasText: '正在完成登入…' }).waitFor();
    // From here on time passes only when the test advances it.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000);
    await expect.poll(() => Object.keys(good).length).toBeGreaterThan(0);
    const before = idp.asked.get('/token') ?? 0;
    await page.clock.runFor(7000);
    expect(await page.getByRole('link', { name: '返回登入頁' }).count()).toBe(0);
    document.resolve({ body: good });
    await expect.poll(() => idp.asked.get('/token') ?? 0).toBeGreaterThan(before);
    await page.clock.runFor(3000);
    await page.getByRole('link', { name: '返回登入頁' }).waitFor();
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await page.getByText('技術細節').click();
    await page.getByText('Network timed out', { exact: true }).waitFor();
    await page.getByText('身分提供者未在時限內回應，請再試一次。').waitFor();
    token.resolve({ body: {} });
    await context.close();
  });

  /** Tokens that the browser renews three seconds later, when sign-in has landed. */
  const shortLived = async (sub: string, asked: URLSearchParams, refreshToken?: string) => {
    const { body } = await tokens({ sub }, asked);
    return {
      body: {
        ...body,
        access_token: await idp.sign({ sub, aud: 'console', client_id: 'console', scope: 'openid api' }),
        expires_in: 63,
        ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      },
    };
  };
  const knownAs = (sub: string) => () => ({
    body: { sub, email: `${sub}@harbour.example`, email_verified: true },
  });

  test('with a renewal for another user ends the session (R-AUTH-07, 2.I-140)', async () => {
    idp.answers.userInfo = knownAs('renewed');
    idp.answers.token = async (form, asked) => {
      if (form.get('grant_type') !== 'refresh_token') return shortLived('renewed', asked, 'one');
      idp.answers.userInfo = knownAs('somebody-else');
      // A user sent to the provider is now asked to sign in there, which makes the end visible.
      idp.answers.authorize = (wish) => back(wish, `error=login_required&iss=${idp.issuer}`);
      return shortLived('somebody-else', asked, 'two');
    };
    const { page, context } = await someone();
    await leave(page);
    await page.waitForURL(`${journey.address}/user/dashboard`);
    await page.getByText('技術細節').click({ timeout: 30_000 });
    await page.getByText('login_required').waitFor();
    expect(await isSignedIn(page)).toBe(false);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('session');
    await context.close();
  });

  test('without a refresh token is renewed in a hidden frame of our own (R-AUTH-08, 2.I-157)', async () => {
    idp.answers.userInfo = knownAs('framed');
    idp.answers.token = (_form, asked) => shortLived('framed', asked);
    const wishes: URLSearchParams[] = [];
    const authorize = idp.answers.authorize;
    idp.answers.authorize = (asked) => {
      wishes.push(asked);
      return authorize(asked);
    };
    const person = await someone();
    await leave(person.page);
    await person.page.waitForURL(`${journey.address}/user/dashboard`);
    const before = idp.asked.get('/token') ?? 0;
    await expect.poll(() => idp.asked.get('/token') ?? 0, { timeout: 30_000 }).toBeGreaterThan(before + 1);
    expect(wishes.length).toBeGreaterThan(2);
    expect(wishes.slice(1).map((wish) => wish.get('prompt'))).toEqual(wishes.slice(1).map(() => 'none'));
    expect(new URL(person.page.url()).pathname).toBe('/user/dashboard');
    expect(person.pageErrors).toEqual([]);
    await person.context.close();
  });

  test('that is down leads to /login (R-AUTH-13, F16)', async () => {
    idp.answers.discovery = () => ({ status: 500 });
    const { page, context } = await someone();
    await noGoogle(page);
    await page.goto(`${journey.address}/usage/statistics`);
    await page.waitForURL(`${journey.address}/login?returnTo=%2Fusage%2Fstatistics`);
    await context.close();
  });

  /**
   * The simulated Google script: one button, whose credential the test creates for the nonce of the page.
   */
  const playGoogle = async (page: Page, credential: (nonce: string) => Promise<string | undefined>) => {
    await page.exposeFunction('makeCredential', credential);
    await page.route(script, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `let given; globalThis.google = { accounts: { id: { initialize: (options) => { given = options; }, renderButton: (place) => {
        const button = document.createElement('button'); button.type = 'button'; button.textContent = 'Google button';
        button.addEventListener('click', async () => given.callback({ credential: (await makeCredential(given.nonce)) ?? undefined })); place.append(button); } } } };`,
      }),
    );
  };
  const googleToken = (claims: Record<string, unknown>) => (nonce: string) =>
    idp.sign(
      {
        iss: 'https://accounts.google.com',
        aud: 'google-us',
        email_verified: true,
        name: 'Google person',
        nonce,
        ...claims,
      },
      { typ: 'JWT' },
    );
  const press = async (
    person: Person,
    credential: (nonce: string) => Promise<string | undefined>,
    path = '/login',
  ) => {
    await playGoogle(person.page, credential);
    const calls: [string, unknown][] = [];
    person.page.on('request', (request) => {
      if (/google-sso\/(register|login)/.test(request.url()))
        calls.push([new URL(request.url()).pathname, request.postDataJSON()]);
    });
    await person.page.goto(journey.address + path);
    await person.page.getByRole('button', { name: 'Google button' }).click();
    return calls;
  };

  test('Google registers first, then signs in, with the exact payloads (R-AUTH-04)', async () => {
    const first = await someone();
    const made: string[] = [];
    const credential = async (nonce: string) => {
      const token = await googleToken({ sub: 'g-1', email: 'g1@gmail.com', jti: String(made.length) })(nonce);
      made.push(token);
      return token;
    };
    const calls = await press(first, credential, '/register');
    await first.page.waitForURL(`${journey.address}/user/dashboard`);
    expect(calls).toEqual([
      [
        '/api/user/google-sso/register',
        { idToken: made[0], agreeToTerms: true, subscribeToNewsletter: false },
      ],
    ]);
    const second = await someone();
    const again = await press(second, credential);
    await second.page.waitForURL(`${journey.address}/user/dashboard`);
    expect(again).toEqual([
      [
        '/api/user/google-sso/register',
        { idToken: made[1], agreeToTerms: true, subscribeToNewsletter: false },
      ],
      ['/api/user/google-sso/login', { idToken: made[1] }],
    ]);
    expect([...first.pageErrors, ...second.pageErrors]).toEqual([]);
  });

  test('Google’s failures are shown in the specification’s words, and the password form stays usable', async () => {
    const english = await someone({ locale: 'en-US' });
    await press(english, googleToken({ sub: 'g-2', email: 'g2@gmail.com', aud: 'somebody-else' }));
    await english.page
      .getByText('Google login failed, please try again or use account/password')
      .first()
      .waitFor();
    const none = await someone({ locale: 'en-US' });
    await press(none, async () => undefined);
    await none.page.getByText('Google sign-in failed', { exact: true }).first().waitFor();
    const blocked = await someone({ locale: 'en-US' });
    await noGoogle(blocked.page);
    await register(journey, 'usable@own.example');
    await blocked.page.goto(`${journey.address}/login`);
    await blocked.page
      .getByText('Google sign-in service is temporarily unavailable, please use account/password')
      .waitFor();
    expect(await axeFindings(blocked.page)).toEqual([]);
    await blocked.page.getByLabel(/^Account/).fill('usable@own.example');
    await blocked.page.getByRole('textbox', { name: /^Password/ }).fill(password);
    await blocked.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await blocked.page.waitForURL(`${journey.address}/user/dashboard`);
  });

  test('Google needs the password of an existing account’s owner before anything is linked (2.I-150)', async () => {
    await register(journey, 'g3@gmail.com');
    const person = await someone();
    await press(person, googleToken({ sub: 'g-3', email: 'g3@gmail.com' }));
    const { page } = person;
    await page.getByRole('heading', { name: '連結您的帳號' }).waitFor();
    expect(await isSignedIn(page)).toBe(false);
    await page.getByLabel(/^您帳號的密碼/).fill(password);
    await page.getByRole('button', { name: '連結並登入' }).click();
    await page.waitForURL(`${journey.address}/user/dashboard`);
    const again = await someone();
    await press(again, googleToken({ sub: 'g-3', email: 'g3@gmail.com' }));
    await again.page.waitForURL(`${journey.address}/user/dashboard`);
    expect(person.pageErrors).toEqual([]);
  });

  test('the content security policy is opened for exactly the configured providers, and a frame for the callback only (2.I-157)', async () => {
    const policyAt = async (path: string) => (await fetch(journey.address + path)).headers;
    const login = (await policyAt('/login')).get('content-security-policy') ?? '';
    expect(login).toContain(`connect-src 'self' https://accounts.google.com/gsi/ ${idp.issuer}`);
    expect(login).toContain(`frame-src 'self' https://accounts.google.com/gsi/ ${idp.issuer}`);
    expect(login).toContain("frame-ancestors 'none'");
    expect((await policyAt('/callback?code=x')).get('content-security-policy')).toContain(
      "frame-ancestors 'self'",
    );
    expect((await policyAt('/login')).get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    // Google’s button needs the origin of its page, and nothing more is sent.
    expect((await policyAt('/login')).get('referrer-policy')).toBe('strict-origin');
    expect(await (await fetch(`${journey.address}/callback?code=x`)).text()).toContain(
      '<meta name="referrer" content="strict-origin"',
    );
  });
});
