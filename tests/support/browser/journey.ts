// Provides journeys with a console started as its user starts it, and a browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launchChromium } from '../../../tools/chromium.ts';
import { copyConsole, endConsole, printedAddresses, spawnConsole } from './console-process.ts';

export type Journey = {
  readonly address: string;
  /** The one-time setup address that the console printed. */
  readonly setupAddress: string;
  readonly browser: Browser;
  /** The console's data directory, for changes that otherwise only time could cause. */
  readonly dataDir: string;
  /**
   * A page for a new person with a separate browser context, in Traditional Chinese by default. `elsewhere`:
   * other origins that this journey visits on purpose; requests to any further one are faults. `motion`:
   * animations are off by default, so that no step waits for them.
   */
  readonly person: (options?: {
    locale?: string;
    width?: number;
    height?: number;
    elsewhere?: readonly string[];
    motion?: 'reduce' | 'no-preference';
  }) => Promise<{ context: BrowserContext; page: Page; pageErrors: string[] }>;
  /**
   * Calls the API and returns the envelope's data; throws the console's message on failure. A text body is
   * sent unchanged.
   */
  readonly call: <T>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    mediaType?: string,
  ) => Promise<T>;
  /** Sets the console up, in Taipei and NT$, and returns the {@link operator}'s token. */
  readonly setUp: () => Promise<string>;
  /** Registers a person with their own organization. */
  readonly register: (
    owner: Credentials & { readonly name: string; readonly organization: string },
  ) => Promise<{ readonly id: string; readonly organizationId: string }>;
  /** Signs a person in through the form, in Traditional Chinese; on a new page by default. */
  readonly signIn: (who: Credentials, page?: Page) => Promise<Page>;
  /**
   * Gives the page's browser a person's session without the form, and opens no page; for tests that open
   * another address next.
   */
  readonly openSession: (who: Credentials, page?: Page) => Promise<Page>;
  /** Stops the console as its operator does, and starts it again at the same address with the same data. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Makes the console hang: it accepts calls and answers none until `hang(false)`. */
  readonly hang: (on: boolean) => void;
  readonly end: () => Promise<void>;
};

export type Credentials = { readonly account: string; readonly password: string };
/** The first Admin of every journey that does not set up by hand. */
export const operator: Credentials = { account: 'admin@cloud.example', password: 'a long enough passphrase' };

/** What journeys may share, to start sooner. */
export type Shared = {
  /** People use contexts of this browser; without it the journey launches its own. */
  readonly browser?: Browser | undefined;
  /** A data directory as a first start leaves it, to be copied; without it the console creates its database. */
  readonly emptyConsole?: string | undefined;
};

/** In the page: resolves when its heading is there and nothing is being fetched, or after a short time. */
const stands = `new Promise((done) => {
  const isThere = () => document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root') === null;
  if (isThere()) return done();
  const end = () => (observer.disconnect(), clearTimeout(bound), done());
  const observer = new MutationObserver(() => isThere() && end());
  const bound = setTimeout(end, 1500);
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy', 'class'] });
})`;

/**
 * Makes `goto` and `reload` wait until a page of the console is complete. Playwright's assertions retry after
 * 20, 50, 100 and 100 milliseconds, and then twice a second: nearly every page is complete soon after the
 * fifth attempt and would wait for the sixth. What a page must show is up to the test: a page that is not
 * complete after a short time is not waited for.
 */
function waitForPages(page: Page, address: string): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const settled = async <T>(answer: T, how?: { readonly waitUntil?: string }): Promise<T> => {
    // An explicit `waitUntil` is respected; after a redirect to another document there is nothing to wait for
    // here.
    if (how?.waitUntil === undefined && page.url().startsWith(address))
      await page.evaluate(stands).catch(() => undefined);
    return answer;
  };
  page.goto = async (to, how) => settled(await goto(to, how), how);
  page.reload = async (how) => settled(await reload(how), how);
}

/**
 * Starts a console on an empty data directory, and Chromium. With DATABASE_URL in the environment it uses
 * that server. `prepare` may put files into the data directory first.
 */
export async function startJourney(
  environment: Readonly<Record<string, string>> = {},
  prepare?: (dataDir: string) => void,
  shared: Shared = {},
): Promise<Journey> {
  const dataDir = mkdtempSync(join(tmpdir(), 'skytally-e2e-'));
  if (shared.emptyConsole !== undefined) copyConsole(shared.emptyConsole, dataDir);
  prepare?.(dataDir);
  let child = spawnConsole(dataDir, environment);
  const [{ address, setupAddress }, browser] = await Promise.all([
    printedAddresses(child),
    shared.browser ?? launchChromium(),
  ]);
  const contexts = new Set<BrowserContext>();
  const call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    mediaType = 'application/json',
  ): Promise<T> => {
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': mediaType }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T; message: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer.data;
  };
  const person: Journey['person'] = async ({
    locale = 'zh-TW',
    width = 1440,
    height = 900,
    elsewhere = [],
    motion = 'reduce',
  } = {}) => {
    const context = await browser.newContext({
      locale,
      viewport: { width, height },
      acceptDownloads: true,
      reducedMotion: motion,
    });
    contexts.add(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    waitForPages(page, address);
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && ![address, ...elsewhere].includes(origin))
        pageErrors.push(`third party: ${origin}`);
    });
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) pageErrors.push(message.text());
    });
    return { context, page, pageErrors };
  };
  return {
    address,
    setupAddress,
    browser,
    dataDir,
    person,
    call,
    setUp: async () => {
      const { token } = await call<{ token: string }>('POST', '/system/initialization', {
        setupToken: new URL(setupAddress).searchParams.get('token'),
        basic: {
          name: '雲帳',
          companyPrefix: '福爾摩沙雲端',
          currency: 'TWD',
          timeZone: 'Asia/Taipei',
          language: 'zhTW',
          taxRate: '5',
        },
        admin: { ...operator, name: 'Operator' },
      });
      // So that the past month is closed when a journey does it, and not automatically in the middle of one.
      await call('PATCH', '/admin/settings', { graceHours: 744 }, token);
      return token;
    },
    register: async ({ account, password, name, organization }) =>
      (
        await call<{ user: { id: string; organizationId: string } }>('POST', '/user/register', {
          email: account,
          password,
          name,
          organization,
          agreeToTerms: true,
        })
      ).user,
    signIn: async ({ account, password }, given) => {
      const page = given ?? (await person()).page;
      await page.goto(`${address}/login`);
      await page.getByLabel(/^帳號/).fill(account);
      await page.getByLabel(/^密碼/).fill(password);
      await page.getByRole('button', { name: '登入', exact: true }).click();
      await page.waitForURL((url) => url.pathname !== '/login');
      return page;
    },
    openSession: async ({ account, password }, given) => {
      const page = given ?? (await person()).page;
      const answer = await page
        .context()
        .request.post(`${address}/api/user/login`, { data: { account, password } });
      if (!answer.ok()) throw new Error(`sign-in of ${account}: ${answer.status()} ${await answer.text()}`);
      return page;
    },
    stop: () => endConsole(child),
    start: async () => {
      child = spawnConsole(dataDir, { ...environment, PORT: new URL(address).port });
      await printedAddresses(child, true);
    },
    hang: (on) => void child.kill(on ? 'SIGSTOP' : 'SIGCONT'),
    end: async () => {
      if (shared.browser === undefined) await browser.close();
      else await Promise.all([...contexts].map((context) => context.close()));
      await endConsole(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
