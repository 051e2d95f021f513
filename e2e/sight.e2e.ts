// Zoom, narrow windows, touch targets and forced colors: every route of every role, opened from the menu.
import type { Page } from '@playwright/test';
import { linksOf, menuOf } from '../src/app/menu.ts';
import { comesToRest } from '#tests/support/browser/axe.ts';
import { roles, type Role } from '#kernel/roles.ts';
import { operator as admin, type Credentials, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const password = 'another long passphrase';
const outside = [
  '/',
  '/login',
  '/register',
  '/callback',
  '/company-sign-in',
  '/invitation',
  '/404',
  '/no/such/page',
];
const people: Record<Role, Credentials> = {
  Admin: admin,
  User: { account: 'buyer@customer.example', password },
  ReadOnly: { account: 'reader@customer.example', password },
};
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  const { organizationId } = await journey.register({
    account: people.User.account,
    password,
    name: '第一位使用者',
    organization: '好客戶',
  });
  await journey.call(
    'POST',
    '/admin/users',
    {
      account: people.ReadOnly.account,
      name: '會計',
      role: 'ReadOnly',
      organizationId,
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
  // Realistic long names and many rows.
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
test.afterAll(() => journey.end());

/** A page in a wide window; nobody is signed in without a role. */
async function pageOf(role: Role | undefined): Promise<Page> {
  const { page } = await journey.person({ width: 1280 });
  return role === undefined ? page : journey.openSession(people[role], page);
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${journey.address}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await comesToRest(page);
}

type Window = {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
  readonly mobile: boolean;
};
const phone: Window = { width: 375, height: 812, deviceScaleFactor: 1, mobile: true };
const windows: Readonly<Record<string, Window>> = {
  '320 pixels': { width: 320, height: 640, deviceScaleFactor: 1, mobile: false },
  // Zooming halves the window in CSS pixels and doubles the pixels of each.
  '1280 pixels at 200 %': { width: 640, height: 400, deviceScaleFactor: 2, mobile: false },
  '375 pixels': phone,
};

/** What reaches over the right edge of the window: the page scrolls sideways, or something is cut off. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const scrolls = (one) => one !== null && one !== document.documentElement && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const name = (one) => one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40);
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().right > clientWidth + 1 && one.getBoundingClientRect().width > 1 && !scrolls(one));
  return scrollWidth <= clientWidth && wide.length === 0 ? [] : [scrollWidth + ' px: ' + wide.slice(-3).map(name).join(' | ')];
})()`;

/**
 * Targets smaller than 44 by 44 pixels. Exceptions as in WCAG 2.5.8: links in a sentence, and hidden or
 * disabled elements; for a field or checkbox its label counts as well.
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

/**
 * What does not fit the window of this size, and on a phone what is too small for a finger. A page takes its
 * new width a moment after the window.
 */
async function misfits(page: Page, look: Window): Promise<readonly string[]> {
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setTouchEmulationEnabled', { enabled: look.mobile });
  await device.send('Emulation.setDeviceMetricsOverride', look);
  await comesToRest(page);
  let found: readonly string[] = [];
  await expect
    .poll(
      async () => {
        found = await page.evaluate<string[]>(tooWide);
        if (look.mobile) found = [...found, ...(await page.evaluate<string[]>(tooSmall))];
        return found.length;
      },
      { timeout: 15_000, intervals: [50] },
    )
    .toBe(0)
    .catch(() => undefined);
  await device.detach();
  return found;
}

/** R-SHELL-09 to 11 and the Admin’s further pages: path → heading. */
const headings: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  Admin: {
    '/admin/dashboard': '系統儀表板',
    '/admin/service-management': '服務管理',
    '/admin/user-management': '使用者管理',
    '/admin/system-settings': '系統設定',
    '/admin/permissions': '權限管理',
    '/admin/meters': '計量項目',
    '/admin/connectors': '連接器',
    '/admin/cost-imports': '雲端成本與轉售',
    '/admin/event-streams': '事件串流',
    '/admin/reconciliation': '對帳',
    '/admin/organizations': '組織管理',
    '/admin/billing': '帳務管理',
    '/admin/discounts': '折扣與優惠碼',
    '/admin/credit-grants': '預付與贈送額度',
    '/admin/commitments': '承諾消費',
    '/admin/one-off-charges': '單次費用',
    '/admin/contract-simulator': '合約試算',
    '/admin/payments': '付款管理',
    '/admin/bank-statements': '銀行對帳單',
    '/admin/einvoices': '電子發票',
    '/admin/dunning': '催繳',
    '/admin/finance': '財務總覽',
    '/admin/exchange-rates': '匯率',
    '/admin/accounting': '會計匯出',
    '/admin/ledger': '總帳',
    '/admin/quotas': '配額申請',
    '/admin/announcements': '公告',
    '/admin/imports': '資料匯入',
    '/admin/api-keys': 'API 金鑰',
    '/admin/approvals': '核准',
    '/admin/security': '安全',
    '/admin/identity-providers': '公司登入',
    '/admin/monitoring': '系統監控',
    '/admin/audit-log': '稽核紀錄',
    '/admin/audit-exports': '稽核紀錄轉送',
    '/admin/sandboxes': '沙箱',
    '/admin/licenses': '授權管理',
    '/admin/backups': '備份',
    '/admin/personal-data': '個人資料',
    '/admin/data-exports': '每夜匯出',
    '/admin/notifications': '通知',
    '/admin/account': '我的帳戶',
    '/device': '確認裝置登入',
  },
  User: {
    '/user/dashboard': '儀表板',
    '/service/overview': '服務總覽',
    '/cloud-service/management': '雲端服務',
    '/billing/dashboard': '帳務儀表板',
    '/usage/statistics': '用量統計',
    '/billing/management': '帳單查詢',
    '/billing/credits': '額度與優惠',
    '/billing/card-entry': '輸入卡片',
    '/billing/customers': '我的客戶',
    '/device': '確認裝置登入',
    '/user/profile': '個人資料',
    '/user/notifications': '通知',
  },
  ReadOnly: {
    '/dashboard': '帳務儀表板',
    '/usage/statistics': '用量統計',
    '/billing/management': '帳單查詢',
    '/billing/credits': '額度與優惠',
    '/billing/customers': '我的客戶',
    '/device': '確認裝置登入',
  },
};

/**
 * The title of a page in four places (C4): its heading, the document’s title, the end of the breadcrumb, the
 * entry of the menu.
 */
async function namesItself(page: Page, role: Role, path: string): Promise<void> {
  const paths = linksOf(menuOf(role)).map((link) => link.path);
  let title: string[] = [];
  // Parts that are still loading may replace the screen once more.
  const isNamed = async (): Promise<boolean> => {
    title = await page.getByRole('heading', { level: 1 }).allInnerTexts();
    return title.length === 1 && (await page.title()) === `${title[0]} · 福爾摩沙雲端 雲帳`;
  };
  await expect.poll(isNamed, { message: path }).toBe(true);
  if (headings[role][path] !== undefined) expect(title[0], path).toContain(headings[role][path]);
  const trail = page.getByRole('navigation', { name: '導覽路徑' });
  // Each page is opened through the menu, from the first page after sign-in.
  if (path !== paths[0])
    expect(await trail.locator('[aria-current="page"]').innerText(), path).toBe(title[0]);
  const current = page.getByRole('navigation', { name: '主選單' }).locator('a[aria-current="page"]');
  if (paths.includes(path)) expect(await current.first().getAttribute('href'), path).toBe(path);
}

// Each page is opened once and checked in every window size, because loading it takes longest.
test.describe('every page fits 320 pixels, 1280 at 200 % zoom, and 375 where every target is large enough for a finger (R-SHELL-16, R-SHELL-17)', () => {
  // A bound against hanging, as everywhere: the Admin has over forty pages, each checked in three windows.
  test.describe.configure({ timeout: 300_000 });
  const fits = async (page: Page, path: string, found: string[]): Promise<void> => {
    for (const [name, look] of Object.entries(windows))
      found.push(...(await misfits(page, look)).map((one) => `${path}, ${name}: ${one}`));
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  test('outside the frame', async () => {
    const page = await pageOf(undefined);
    const found: string[] = [];
    for (const path of outside) {
      await open(page, path);
      await fits(page, path, found);
    }
    await page.context().close();
    expect(found).toEqual([]);
  });

  for (const role of roles)
    test(`for ${role}, and has one h1, which the document’s title, the end of the breadcrumb and the highlighted entry repeat (C4, R-SHELL-01 to R-SHELL-04, R-SHELL-09 to R-SHELL-11)`, async () => {
      const page = await pageOf(role);
      await page.addInitScript(() =>
        localStorage.setItem('layoutStore', JSON.stringify({ state: { sidebarShow: true }, version: 0 })),
      );
      const found: string[] = [];
      const paths = [...linksOf(menuOf(role)).map((link) => link.path), ...Object.keys(headings[role])];
      for (const path of new Set(paths)) {
        await open(page, path);
        await namesItself(page, role, path);
        await page.getByRole('button', { name: '關閉選單' }).first().click();
        await fits(page, path, found);
      }
      await page.context().close();
      expect(found).toEqual([]);
    });
});

test.describe('forced colors of the operating system', () => {
  /** What the browser draws of the first element that the selector finds. */
  const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(name)})`,
    );

  test('keep focus, selection, switches and charts visible', async () => {
    const page = await pageOf('Admin');
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await open(page, '/admin/user-management?status=active');
    await page.locator('.MuiTab-root[aria-selected=true]').waitFor();
    const canvas = await styleOf(page, 'body', 'background-color');
    await expect.poll(() => styleOf(page, '.MuiTabs-indicator', 'background-color')).not.toBe(canvas);
    expect(await styleOf(page, '.MuiButton-contained', 'border-top-width')).toBe('1px');
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('tbody tr:focus').waitFor();
    expect(await styleOf(page, 'tbody tr:focus', 'outline-width')).toBe('3px');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.locator('tbody tr.Mui-selected:not(:focus)').waitFor();
    expect(await styleOf(page, 'tbody tr.Mui-selected', 'outline-width')).toBe('2px');
    expect(await styleOf(page, '.MuiChip-root', 'border-top-width')).toBe('1px');
    await page.context().close();
  });

  test('draw an edge around every part of a chart, and distinguish switches that are on and off', async () => {
    const page = await pageOf('User');
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

test.describe('reduced motion', () => {
  test('limits every animation to a moment if the system or the settings ask for it (R-SHELL-16)', async () => {
    const page = await pageOf('Admin');
    await open(page, '/admin/user-management');
    await page.getByRole('button', { name: '欄位', exact: true }).click();
    await page.getByRole('dialog', { name: '欄位' }).waitFor();
    // Holding back a screen’s parts until they are loaded moves nothing.
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    const longest = await page.evaluate<number>(
      'Math.max(0, ...document.getAnimations().map((one) => Number(one.effect?.getComputedTiming().endTime ?? 0)).filter(Number.isFinite))',
    );
    expect(longest).toBeLessThanOrEqual(10);
    await page.context().close();
  });
});
