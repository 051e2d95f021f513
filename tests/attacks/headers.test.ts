// Headers, browser policy and limits (reliability.md, section 2.F), on a console that serves its pages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { silentLog } from '#platform/server/log.ts';
import { isLong } from '../support/fault-rounds.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { startOn, type RunningConsole } from '#app/server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const folder = mkdtempSync(join(tmpdir(), 'skytally-test-'));
let running: RunningConsole;
beforeAll(async () => {
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(
    join(web, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script>',
  );
  writeFileSync(join(web, 'assets/a-1.js'), 'export {};');
  writeFileSync(join(web, 'assets/a-1.js.map'), '{}');
  const database = await createTestDatabase();
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://console.example',
  });
  running = await startOn(database.connection, config, {
    log: silentLog(),
    clock: movableClock(new Date('2024-10-05T03:00:00Z')),
    webDirectory: Promise.resolve(web),
  });
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});
const get = (path: string, init: RequestInit = {}) => fetch(running.listening + path, init);
const policyOf = (answer: Response): Map<string, string> =>
  new Map(
    (answer.headers.get('content-security-policy') ?? '').split(';').map((part): [string, string] => {
      const [name = '', ...values] = part.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );

describe('pages', () => {
  it('2.F-104 allow only listed sources, and inline code only with this response’s nonce', async () => {
    const answer = await get('/login');
    const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
    const policy = policyOf(answer);
    expect(nonce.length).toBeGreaterThanOrEqual(22);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe(`'self' 'nonce-${nonce}'`);
    expect(policy.get('connect-src')).toBe("'self'");
    for (const name of ['object-src', 'base-uri', 'frame-ancestors'])
      expect(policy.get(name), name).toBe("'none'");
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe-|\*/);
  });

  it('2.F-106 have a different nonce in each of 1,000 responses', async () => {
    const nonces = new Set<string>();
    for (let index = 0; index < 1000; index++) nonces.add(policyOf(await get('/')).get('script-src') ?? '');
    expect(nonces.size).toBe(1000);
  });

  it.each([
    '/assets/a-1.js.map',
    '/assets%2F..%2Findex.html',
    '/assets/../stamp.json',
    '/.git/config',
    '/.env',
    '/assets/',
    '/assets/nothing.js',
  ])('%s is not served as a file (2.E-102)', async (path) => {
    const answer = await get(path);
    if (answer.status === 200) expect(answer.headers.get('content-type')).toContain('text/html');
    else expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('"mappings"');
  });
});

describe('every response', () => {
  const paths: [string, RequestInit][] = [
    ['/', {}],
    ['/login', {}],
    ['/no/such/page', {}],
    ['/assets/a-1.js', {}],
    ['/assets/none.js', {}],
    ['/api/nothing', {}],
    ['/api/user/profile', {}],
    ['/api/user/session', {}],
    ['/api/system/status', {}],
    ['/api/user/login', { method: 'POST' }],
    ['/api/user/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
    ['/api/user/login', { method: 'DELETE' }],
    ['/locales/zhTW/app.json', {}],
    ['/locales/zhTW+enUS/app+billing.json', {}],
    ['/locales/xx/app.json', {}],
    ['/healthz', {}],
    ['/api/docs', {}],
  ];
  it.each(paths)('2.F-105 %s %j has the security headers', async (path, init) => {
    const { headers } = await get(path, init);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it.each(paths)('2.F-108, 2.F-114 %s %j reveals no software or version', async (path, init) => {
    const answer = await get(path, init);
    expect([...answer.headers.keys()]).not.toContain('server');
    expect([...answer.headers.keys()]).not.toContain('x-powered-by');
    if (answer.status >= 400)
      expect(await answer.text()).not.toMatch(/fastify|node_modules|postgres|\.ts:|at \w+ \(/i);
  });

  it('2.F-105 an internal error has them, too', async () => {
    const answer = await get('/api/system/status', { headers: { 'accept-language': 'x'.repeat(100) } });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('2.F-113 metrics are not served to other machines', async () => {
    const inside = await get('/metrics');
    expect(inside.status).toBe(200);
    const outside = await running.fastify.inject({
      method: 'GET',
      url: '/metrics',
      remoteAddress: '203.0.113.9',
    });
    expect(outside.statusCode).toBe(404);
    expect(
      JSON.parse(
        (await running.fastify.inject({ method: 'GET', url: '/healthz', remoteAddress: '203.0.113.9' })).body,
      ),
    ).toEqual({ status: 'ok' });
  });
});

describe('2.A-23 features of development', () => {
  it.each(['/api/debug/sign-in', '/api/debug/clock', '/api/debug/mail'])(
    '%s is rejected in production',
    async (path) => {
      const answer = await get(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"role":"Admin","now":null}',
      });
      expect(answer.status).toBe(404);
    },
  );
});

describe('limits', () => {
  let console: TestConsole;
  let user: { token: string };
  beforeAll(async () => {
    console = await createTestConsole();
    await setUp(console);
    user = await registerUser(console, 'owner@one.example', 'One');
  });

  it('2.F-110 too many calls are rejected with the time to retry', async () => {
    const body = JSON.stringify({ setupToken: 'wrong' });
    const answers = await Promise.all(
      Array.from({ length: 80 }, () =>
        fetch(`${console.address}/api/system/initialization/check`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      ),
    );
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]?.json()).toMatchObject({ code: 'platform.too_many_requests', isSuccess: false });
  });

  it('2.F-112 an expensive call runs at most twice at once per person', async () => {
    const path = `${console.address}/api/bills/bil_00000000000000000000000000/pdf`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(path, { headers: { authorization: `Bearer ${user.token}` } })),
    );
    const statuses = new Set(answers.map((answer) => answer.status));
    expect(statuses).toEqual(new Set([404, 429]));
    expect((await fetch(path, { headers: { authorization: `Bearer ${user.token}` } })).status).toBe(404);
  });

  // `npm run faults` makes ten thousand attempts; what an attempt may leave in memory is the same in both.
  const resets = isLong ? 10_000 : 2500;
  const maxKbEach = 2;
  it(`2.F-110 ${resets} accounts and addresses leave rows in the database and nothing in memory`, async () => {
    const proxied = await createTestConsole(undefined, { TRUST_PROXY: '127.0.0.1' });
    await setUp(proxied);
    const confirmReset = (index: number) =>
      fetch(`${proxied.address}/api/user/password-reset/confirm`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        },
        body: JSON.stringify({ token: 'x'.repeat(43), password: `nobody ${index} has this` }),
      }).then((answer) => answer.arrayBuffer());
    const heapMb = (): number => {
      collect();
      return process.memoryUsage().heapUsed / 1024 ** 2;
    };
    let index = 0;
    const upTo = (last: number) =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          while (index < last) await confirmReset(index++);
        }),
      );
    await upTo(500);
    const before = heapMb();
    await upTo(500 + resets);
    expect(heapMb() - before).toBeLessThan((resets * maxKbEach) / 1024);
  }, 240_000);
});
