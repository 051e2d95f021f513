// What somebody sees who zooms, has a narrow window, large fingers or a system's own colours: every route of every role, from the menu itself.
import type { Page } from '@playwright/test';
import { linksOf, menuOf } from '../src/app/menu.ts';
import { operator as admin, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const password = 'another long passphrase';
const outside = ['/', '/login', '/register', '/callback', '/invitation', '/404', '/no/such/page'];
const people: Record<'Admin' | 'User' | 'ReadOnly', Credentials> = {
  Admin: admin,
  User: { account: 'buyer@customer.example', password },
  ReadOnly: { account: 'reader@customer.example', password },
};
const roles = ['Admin', 'User', 'ReadOnly'] as const;
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.call('POST', '/user/register', {
    email: people.User.account,
    name: '第一位使用者',
    password,
    organization: '好客戶',
    agreeToTerms: true,
  });
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    '/admin/organizations',
    undefined,
    token,
  );
  await journey.call(
    'POST',
    '/admin/users',
    {
      account: people.ReadOnly.account,
      name: '會計',
      role: 'ReadOnly',
      organizationId: items[0]?.id,
      password,
    },
    token,
  );
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: '儲存',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  // Long names and many rows, as they really come.
  const { id } = await journey.call<{ id: string }>('POST', '/admin/imports/demo', undefined, token);
  await expect
    .poll(
      async () =>
        (await journey.call<{ state: string }>('GET', `/admin/imports/${id}`, undefined, token)).state,
      { timeout: 60_000, message: 'the import' },
    )
    .toBe('done');
  const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', people.User);
  const services = await journey.call<{ items: { id: string }[] }>(
    'GET',
    '/services?q=%E7%89%A9%E4%BB%B6',
    undefined,
    own,
  );
  const { id: subject } = await journey.call<{ id: string }>(
    'POST',
    '/subscriptions',
    { serviceId: services.items[0]?.id },
    own,
  );
  const { secret } = await journey.call<{ secret: string }>(
    'POST',
    '/admin/api-keys',
    { name: 'gateway' },
    token,
  );
  await journey.call(
    'POST',
    '/usage/events',
    [{ specversion: '1.0', id: '1', source: '/gateway', type: 'gb', subject, data: { value: '20' } }],
    secret,
    'application/cloudevents-batch+json',
  );
});
test.afterAll(async () => {
  await journey.end();
});

type Window = {
  readonly width: number;
  readonly height: number;
  readonly scale?: number;
  readonly hasTouch?: boolean;
};

/** A page of somebody with a window of their own; nobody is signed in without a role. */
async function pageOf(
  role: (typeof roles)[number] | undefined,
  { width, height, scale = 1, hasTouch = false }: Window,
): Promise<Page> {
  const context = await journey.browser.newContext({
    locale: 'zh-TW',
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch,
    isMobile: hasTouch,
    reducedMotion: 'reduce',
    baseURL: journey.address,
  });
  const page = await context.newPage();
  if (role) expect((await context.request.post('/api/user/login', { data: people[role] })).ok()).toBe(true);
  return page;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

const routes = [undefined, ...roles].map((role) => ({
  role,
  paths: role ? linksOf(menuOf(role)).map((link) => link.path) : outside,
}));

/** Runs a question on every route of everybody and answers what it found, with the route before it. Everybody goes at the same time: each mostly waits until nothing more is asked for. */
async function everywhere(look: Window, ask: (page: Page) => Promise<readonly string[]>): Promise<string[]> {
  const found = await Promise.all(
    routes.map(async ({ role, paths }) => {
      const own: string[] = [];
      const page = await pageOf(role, look);
      for (const path of paths) {
        await open(page, path);
        own.push(...(await ask(page)).map((one) => `${role ?? 'nobody'} ${path}: ${one}`));
      }
      await page.context().close();
      return own;
    }),
  );
  return found.flat();
}

/** What reaches over the right edge of the window: the page scrolls sideways, or the end of something is cut off. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const scrolls = (one) => one !== null && one !== document.documentElement && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const name = (one) => one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40);
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().right > clientWidth + 1 && one.getBoundingClientRect().width > 1 && !scrolls(one));
  return scrollWidth <= clientWidth && wide.length === 0 ? [] : [scrollWidth + ' px: ' + wide.slice(-3).map(name).join(' | ')];
})()`;

/**
 * Targets smaller than 44 by 44 pixels. Left out are what WCAG 2.5.8 leaves out too: links in a sentence, and what is hidden or
 * switched off; of a field or checkbox its label counts as well.
 */
const tooSmall = `(() => {
  const least = 43.5;
  const targets = [...document.querySelectorAll('button, a[href], select, summary, textarea, input:not([type=hidden]), [role=button], [role=tab], [role=switch], [role=menuitem]')];
  const areaOf = (one) => {
    const boxes = [one, ...(one.labels ?? []), one.closest('label'), one.closest('.MuiInputBase-root'), one.closest('.MuiSlider-root')].filter(Boolean).map((part) => part.getBoundingClientRect());
    return { width: Math.max(...boxes.map((box) => box.width)), height: Math.max(...boxes.map((box) => box.height)) };
  };
  const isInSentence = (one) => /^(A|BUTTON)$/.test(one.tagName) && /^inline(-block)?$/.test(getComputedStyle(one).display) && [...(one.parentElement?.childNodes ?? [])].some((node) => node !== one && node.nodeType === 3 && node.textContent.trim() !== '');
  const isSkip = (one) => one.getBoundingClientRect().bottom <= 0;
  return targets
    .filter((one) => one.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && !one.disabled && one.getAttribute('aria-disabled') !== 'true' && !isInSentence(one) && !isSkip(one) && one.getBoundingClientRect().width > 0)
    .map((one) => ({ one, ...areaOf(one) }))
    .filter(({ width, height }) => width < least || height < least)
    .map(({ one, width, height }) => one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? one.getAttribute('name') ?? '').trim().slice(0, 30) + ' ' + Math.round(width) + '×' + Math.round(height));
})()`;

test.describe('every route of every role (R-SHELL-16, R-SHELL-17)', () => {
  test.beforeEach(() => test.setTimeout(600_000));

  test('fits 320 pixels without scrolling sideways', async () => {
    expect(await everywhere({ width: 320, height: 640 }, (page) => page.evaluate<string[]>(tooWide))).toEqual(
      [],
    );
  });

  test('fits a window of 1280 pixels at 200 % zoom', async () => {
    // Zooming halves the window in CSS pixels and doubles the pixels of each.
    expect(
      await everywhere({ width: 640, height: 400, scale: 2 }, (page) => page.evaluate<string[]>(tooWide)),
    ).toEqual([]);
  });

  test('fits 375 pixels, and every target there is large enough for a finger', async () => {
    const ask = async (page: Page) => [
      ...(await page.evaluate<string[]>(tooWide)),
      ...(await page.evaluate<string[]>(tooSmall)),
    ];
    expect(await everywhere({ width: 375, height: 812, hasTouch: true }, ask)).toEqual([]);
  });
});

test.describe("a system's own colours (forced-colors)", () => {
  /** What the browser draws of the first that the selector finds. */
  const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(name)})`,
    );

  test('leave focus, chosen states, switches and charts in sight', async () => {
    const page = await pageOf('Admin', { width: 1280, height: 900 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await open(page, '/admin/user-management?status=active');
    await page.locator('.MuiTab-root[aria-selected=true]').waitFor();
    const canvas = await styleOf(page, 'body', 'background-color');
    await expect.poll(() => styleOf(page, '.MuiTabs-indicator', 'background-color')).not.toBe(canvas);
    expect(await styleOf(page, '.MuiButton-contained', 'border-top-width')).toBe('1px');
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await styleOf(page, 'tbody tr:focus', 'outline-width')).toBe('3px');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    expect(await styleOf(page, 'tbody tr.Mui-selected', 'outline-width')).toBe('2px');
    expect(await styleOf(page, '.MuiChip-root', 'border-top-width')).toBe('1px');
    await page.context().close();
  });

  test('draw an edge around every part of a chart, and keep a switch that is on apart from one that is off', async () => {
    const page = await pageOf('User', { width: 1280, height: 900 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await open(page, '/billing/dashboard');
    const part = '[role=application] svg path[stroke=CanvasText]';
    await page.locator(part).first().waitFor();
    await page.locator('[role=application] svg pattern').first().waitFor({ state: 'attached' });
    await expect.poll(() => styleOf(page, part, 'stroke')).toBe(await styleOf(page, 'h1', 'color'));
    const compare = page.getByRole('switch', { name: '與前一期比較' });
    const track = () => styleOf(page, '.MuiSwitch-track', 'background-color');
    const off = await track();
    await compare.check();
    await expect.poll(track).not.toBe(off);
    await page.context().close();
  });
});

test.describe('less movement', () => {
  test('lets nothing move for longer than a moment where the system or the settings ask for it (R-SHELL-16)', async () => {
    const page = await pageOf('Admin', { width: 1280, height: 900 });
    await open(page, '/admin/user-management');
    await page.getByRole('button', { name: '欄位', exact: true }).click();
    await page.getByRole('dialog', { name: '欄位' }).waitFor();
    // What holds back a screen's parts until they are there moves nothing.
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    const longest = await page.evaluate<number>(
      'Math.max(0, ...document.getAnimations().map((one) => Number(one.effect?.getComputedTiming().endTime ?? 0)).filter(Number.isFinite))',
    );
    expect(longest).toBeLessThanOrEqual(10);
    await page.context().close();
  });
});
