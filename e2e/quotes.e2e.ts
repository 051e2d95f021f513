// A quote in a real browser: an Admin writes it beside its estimate, the customer opens its link without
// signing in and accepts it, and everything in it is created.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { machineOfTwoCharges } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = 'owner@quotes.example';
let journey: Journey;
let admin: Page;
let guest: Page;
let pageErrors: readonly string[][];
let link = '';

const field = (form: Locator, name: RegExp): Locator => form.getByRole('textbox', { name });
const open = async (page: Page, path: string, heading: string | RegExp): Promise<void> => {
  await page.goto(journey.address + path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};

/** Adds a commitment for a year. */
async function commit(
  form: Locator,
  number: number,
  {
    name,
    amount,
    services,
    charge,
  }: {
    readonly name: string;
    readonly amount: string;
    readonly services: readonly string[];
    readonly charge?: string;
  },
): Promise<void> {
  await form.getByRole('button', { name: '新增承諾消費' }).click();
  const entry = form.getByRole('listitem', { name: `承諾消費 ${number}` });
  await field(entry, /^名稱（中文）/).fill(name);
  await field(entry, /^名稱（英文）/).fill(`Commitment ${number}`);
  await field(entry, /^每期金額/).fill(amount);
  for (const service of services) {
    await entry.getByRole('combobox', { name: '適用服務' }).click();
    await admin.getByRole('listbox').getByRole('option', { name: service }).click();
  }
  if (charge === undefined) return;
  await entry.getByRole('combobox', { name: '計費項目' }).click();
  await admin.getByRole('listbox').getByRole('option', { name: charge }).click();
  // The list stays open for further selections.
  expect(
    await axeFindings(admin, ['aria-required-children', 'aria-required-parent', 'list', 'listitem']),
  ).toEqual([]);
  await admin.keyboard.press('Escape');
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const token = await journey.setUp();
  await journey.register({ account: owner, password, name: '客戶管理者', organization: '晨光科技' });
  await journey.call(
    'POST',
    '/admin/services',
    {
      name: '物件儲存',
      type: 'Storage',
      category: '自有服務',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '300', unitPrice: '2' },
      meter: { eventType: 'storage.gb', aggregation: 'sum', unit: 'GB' },
    },
    token,
  );
  await journey.call('POST', '/admin/services', machineOfTwoCharges, token);
  const [first, second] = [await journey.person(), await journey.person()];
  [admin, guest] = [first.page, second.page];
  pageErrors = [first.pageErrors, second.pageErrors];
  await journey.openSession(operator, admin);
});
test.afterAll(() => journey.end());

test.describe('quotes (T-QUOTE)', () => {
  test('an Admin writes one; the estimate follows what is typed, and an error is shown at its field', async () => {
    await open(admin, '/admin/quotes', '報價單');
    await admin.getByRole('button', { name: '建立報價單' }).first().click();
    const form = admin.getByRole('form', { name: '報價內容' });
    await form.getByRole('combobox', { name: /^組織/ }).fill('晨');
    await admin.getByRole('option', { name: /^晨光科技/ }).click();
    await form.getByRole('combobox', { name: /^服務/ }).fill('物件');
    await admin.getByRole('option', { name: /^物件儲存/ }).click();
    await field(form, /預估每月用量/).fill('1,000');
    const estimate = admin
      .getByRole('region', { name: '試算' })
      .or(admin.locator('section', { hasText: '個月合約總額' }))
      .last();
    // 300 + 1000 × 2 = 2300, with 5 % tax 2415.
    await expect(estimate.getByText('NT$2,415').first()).toBeVisible();
    await form.getByRole('button', { name: '新增折扣' }).click();
    const discount = form.getByRole('listitem', { name: '折扣 1' });
    await field(discount, /^名稱（中文）/).fill('簽約優惠');
    await field(discount, /^名稱（英文）/).fill('Signing discount');
    await field(discount, /^百分比/).fill('120');
    await form.getByRole('button', { name: '儲存草稿' }).click();
    await expect(discount.getByText(/不超過 100 的百分比/)).toBeVisible();
    await field(discount, /^百分比/).fill('10');
    // 2300 less 10 % is 2070, with tax 2173.5, rounded 2174.
    await expect(estimate.getByText('NT$2,174').first()).toBeVisible();
    await form.getByRole('button', { name: '新增單次費用' }).click();
    const charge = form.getByRole('listitem', { name: '單次費用 1' });
    await field(charge, /^名稱（中文）/).fill('導入服務');
    await field(charge, /^名稱（英文）/).fill('Onboarding');
    await field(charge, /^單價/).fill('5,000');
    await form.getByRole('button', { name: '新增服務' }).click();
    const host = form.getByRole('listitem', { name: '服務 2' });
    await host.getByRole('combobox', { name: /^服務/ }).fill('主機');
    await admin.getByRole('option', { name: /^主機/ }).click();
    await commit(form, 1, { name: '合併承諾', amount: '30,000', services: ['物件儲存', '主機'] });
    await commit(form, 2, { name: '磁碟承諾', amount: '1,200', services: ['主機'], charge: '磁碟' });
    expect(await axeFindings(admin)).toEqual([]);
    await form.getByRole('button', { name: '儲存草稿' }).click();
    const panel = admin.getByRole('dialog');
    await expect(panel.getByText('第 1 版（草稿）')).toBeVisible();
    await expect(panel.getByText('簽約優惠').first()).toBeVisible();
  });

  test('the Admin sends it, and copies its link', async () => {
    const panel = admin.getByRole('dialog', { name: '報價單' });
    await panel.getByRole('button', { name: '傳送' }).click();
    const ask = admin.getByRole('dialog', { name: '傳送報價單給晨光科技？' });
    await ask.getByRole('button', { name: '傳送' }).click();
    const sent = admin.getByRole('dialog', { name: /^Q-\d{6}-0001$/ });
    await expect(sent.getByText('待回覆')).toBeVisible();
    link = (await sent.getByRole('link', { name: /\/quotes\// }).getAttribute('href')) ?? '';
    expect(link).toMatch(/\/quotes\/[\w-]{43}$/);
    expect(await axeFindings(admin)).toEqual([]);
    await admin.reload();
    await expect(sent.getByText('待回覆')).toBeVisible();
  });

  test('the customer reads it without signing in, in both languages, and downloads it', async () => {
    await guest.goto(link);
    await guest.getByRole('heading', { level: 1, name: /^報價單 Q-/ }).waitFor();
    await expect(guest.getByText('簽約優惠').first()).toBeVisible();
    // A whole month: 2,300 and the hosts’ 300, less 10 %, with tax.
    await expect(guest.getByText('NT$2,457').first()).toBeVisible();
    await expect(guest.getByText(/物件儲存、主機：每年承諾消費 NT\$30,000/)).toBeVisible();
    await expect(guest.getByText(/主機（磁碟）：每年承諾消費 NT\$1,200/)).toBeVisible();
    const download = guest.waitForEvent('download');
    await guest.getByRole('button', { name: '下載 PDF' }).click();
    expect((await download).suggestedFilename()).toMatch(/^Q-\d{6}-0001\.pdf$/);
    expect(await axeFindings(guest)).toEqual([]);
    await guest.setViewportSize({ width: 375, height: 812 });
    expect(
      await guest.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    ).toBe(false);
  });

  test('the customer accepts it with a name and a declaration of authority; then everything is created', async () => {
    await guest.getByRole('button', { name: '接受報價' }).click();
    await expect(guest.getByText('請勾選確認您可以代表這個組織接受報價。')).toBeVisible();
    await guest.getByRole('textbox', { name: /^您的姓名/ }).fill('王小明');
    await guest.getByRole('checkbox').check();
    await guest.getByRole('button', { name: '接受報價' }).click();
    await expect(guest.getByText('已接受這份報價')).toBeVisible();
    await guest.reload();
    await expect(guest.getByText('已接受這份報價')).toBeVisible();
    // The Admin’s open panel updates without a reload.
    const panel = admin.getByRole('dialog', { name: /^Q-/ });
    await expect(panel.getByText('已接受').first()).toBeVisible();
    await expect(panel.getByRole('link', { name: '導入服務' })).toBeVisible();
    await panel.getByRole('link', { name: '合併承諾' }).click();
    const pooled = admin.getByRole('dialog', { name: '合併承諾' });
    await expect(pooled.getByText('主機和物件儲存').first()).toBeVisible();
    await admin.goBack();
    await panel.getByRole('link', { name: '磁碟承諾' }).click();
    const single = admin.getByRole('dialog', { name: '磁碟承諾' });
    await expect(single.getByText('主機（磁碟）').first()).toBeVisible();
    await admin.goBack();
    await panel.getByRole('link', { name: '簽約優惠' }).click();
    await admin.getByRole('dialog', { name: '簽約優惠' }).waitFor();
  });

  test('a member finds open quotes beside the credits, and an unknown link is reported', async () => {
    const token = (await journey.call<{ token: string }>('POST', '/user/login', operator)).token;
    const { items } = await journey.call<{ items: { organizationId: string }[] }>(
      'GET',
      '/admin/quotes',
      undefined,
      token,
    );
    const made = await journey.call<{ id: string }>(
      'POST',
      '/admin/quotes',
      {
        organizationId: items[0]?.organizationId,
        currency: 'TWD',
        validUntil: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
        content: {
          months: 3,
          items: [],
          discounts: [],
          grants: [],
          minimumSpend: null,
          oneOffs: [{ name: { zhTW: '教育訓練', enUS: 'Training' }, unitPrice: '8000' }],
        },
      },
      token,
    );
    await journey.call('POST', `/admin/quotes/${made.id}/send`, {}, token);
    const { page, pageErrors: errors } = await journey.person();
    await journey.openSession({ account: owner, password }, page);
    await open(page, '/billing/credits', '額度與優惠');
    await expect(page.getByRole('heading', { name: '待您回覆的報價' })).toBeVisible();
    await page.getByRole('link', { name: /^查看報價單/ }).click();
    await page.getByRole('heading', { level: 1, name: /^報價單 Q-/ }).waitFor();
    // The notification and its e-mail link to the quote itself.
    await page.goto(`${journey.address}/billing/credits?quote=${made.id}`);
    await page.getByRole('heading', { level: 1, name: /^報價單 Q-/ }).waitFor();
    await page.getByRole('button', { name: '婉拒' }).click();
    await page.getByRole('textbox', { name: /^您的姓名/ }).fill('王小明');
    await page.getByRole('button', { name: '婉拒' }).click();
    await expect(page.getByText('已婉拒這份報價')).toBeVisible();
    await page.goto(`${journey.address}/quotes/${'x'.repeat(43)}`);
    await expect(page.getByText(/找不到這份報價單/)).toBeVisible();
    expect([...pageErrors, errors].flat()).toEqual([]);
  });
});
