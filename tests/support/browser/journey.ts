// What a journey needs: a console started as its user starts it, and a browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launchChromium } from '../../../tools/chromium.ts';
import { copyConsole, endConsole, printedAddresses, spawnConsole } from './console-process.ts';

export type Journey = {
  readonly address: string;
  /** The one-time set-up address that the console printed. */
  readonly setupAddress: string;
  readonly browser: Browser;
  /** The console's own data directory, for what only time could do. */
  readonly dataDir: string;
  /**
   * A new person at a browser of their own, in Traditional Chinese unless said otherwise. `elsewhere`: other origins that this journey leads to on purpose; a request to any further one is a fault. `motion`: most
   * people here want none, so that no step waits for something to move.
   */
  readonly person: (options?: {
    locale?: string;
    width?: number;
    height?: number;
    elsewhere?: readonly string[];
    motion?: 'reduce' | 'no-preference';
  }) => Promise<{ context: BrowserContext; page: Page; pageErrors: string[] }>;
  /** Calls the API and answers the envelope's data; throws what the console says when it refuses. A text goes as it is. */
  readonly call: <T>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    mediaType?: string,
  ) => Promise<T>;
  /** Sets the console up, in Taipei and NT$, and answers the {@link operator}'s token. */
  readonly setUp: () => Promise<string>;
  /** Registers somebody with an organization of theirs. */
  readonly register: (
    owner: Credentials & { readonly name: string; readonly organization: string },
  ) => Promise<{ readonly id: string; readonly organizationId: string }>;
  /** Signs somebody in as people do, in Traditional Chinese; on a page of their own when none is given. */
  readonly signIn: (who: Credentials, page?: Page) => Promise<Page>;
  /** Gives the page's browser somebody's session without the form, and opens no page: for whoever goes to an address of their own next. */
  readonly openSession: (who: Credentials, page?: Page) => Promise<Page>;
  /** Ends the console as its operator does, and starts it again at the same address on the same data. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Lets the console hang: it takes calls and answers none until `hang(false)`. */
  readonly hang: (on: boolean) => void;
  readonly end: () => Promise<void>;
};

export type Credentials = { readonly account: string; readonly password: string };
/** The first Admin of every journey that does not set up by hand. */
export const operator: Credentials = { account: 'admin@cloud.example', password: 'a long enough passphrase' };

/** What journeys may share, to start sooner. */
export type Shared = {
  /** People sit at this browser, each in a context of their own; without it the journey has one of its own. */
  readonly browser?: Browser | undefined;
  /** A data directory as a first start leaves it, to be copied; without it the console makes its database. */
  readonly emptyConsole?: string | undefined;
};

/** In the page: settles when its heading is there and nothing of it is being fetched, or after a moment. */
const stands = `new Promise((done) => {
  const isThere = () => document.querySelector('h1') !== null && document.querySelector('[aria-busy=true], .MuiSkeleton-root') === null;
  if (isThere()) return done();
  const end = () => (observer.disconnect(), clearTimeout(bound), done());
  const observer = new MutationObserver(() => isThere() && end());
  const bound = setTimeout(end, 1500);
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy', 'class'] });
})`;

/**
 * Lets whoever goes to a page of the console, or loads it anew, go on as soon as it stands. Playwright looks again after 20, 50, 100 and 100
 * milliseconds, and then twice a second: nearly every page is there soon after its fifth look and would wait for the sixth. What a page must show is the test's to
 * say: one that does not stand in a moment is left as it is.
 */
function waitForPages(page: Page, address: string): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const settled = async <T>(answer: T, how?: { readonly waitUntil?: string }): Promise<T> => {
    // Whoever says when to go on means it; whoever is sent on to another document is told nothing of this one.
    if (how?.waitUntil === undefined && page.url().startsWith(address))
      await page.evaluate(stands).catch(() => undefined);
    return answer;
  };
  page.goto = async (to, how) => settled(await goto(to, how), how);
  page.reload = async (how) => settled(await reload(how), how);
}

/** Starts a console on an empty data directory, and Chromium. With DATABASE_URL in the environment it uses that server. `prepare` may put something into the data directory first. */
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
      // The past month is closed when a journey says so, and not in the middle of one at five past the hour.
      await call('PATCH', '/admin/settings', { graceHours: 720 }, token);
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
