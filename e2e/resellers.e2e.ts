// Resellers in a real browser: an Admin creates one, it adds a customer and sets its prices, the customer
// sees and is billed retail prices, and the reseller sees its margin and costs, and records the payment.
import type { Locator, Page } from '@playwright/test';
import { axeFindings, colourRules, setTheme } from '#tests/support/browser/axe.ts';
import { startTestDns, type TestDns } from '#tests/support/dns.ts';
import {
  monthBegin,
  monthName,
  startTerms,
  withMovableClock,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const secondDayMs = 36 * 3_600_000;
const month = monthName(0);
const number = `SUN-${month.replace('-', '')}-0001`;
const client = { account: 'owner@client.example', password: 'another long passphrase' };
/** Browsers resolve names below localhost to this machine. */
const host = 'portal.sun.localhost';
let terms: Terms;
let dns: TestDns;
let seller: Customer;
let page: Page;
let own: Page;
let used: Page;
/** The customer’s subscription to a service with usage charges. */
let calls: string;
const customersPage = () => own.goto(`${terms.journey.address}/billing/customers`);

test.beforeAll(async ({ startJourney }) => {
  dns = await startTestDns();
  terms = await startTerms(await startJourney({ ...withMovableClock, DNS_SERVERS: dns.address }));
  seller = await terms.customer('晨光集團', 'sells@resellers.example');
  ({ page } = terms);
  own = await terms.journey.openSession(seller);
});
test.afterAll(async () => {
  await terms.journey.end();
});

test.describe('T-RESELL: a reseller and its customer', () => {
  test('an Admin makes an organization a reseller', async () => {
    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    await page.getByRole('button', { name: '設定經銷商' }).click();
    const form = page.getByRole('dialog', { name: '設定經銷商' });
    await form.getByRole('combobox', { name: '組織', exact: true }).fill(seller.organization);
    await page.getByRole('option', { name: seller.organization }).first().click();
    await form.getByLabel('銷售名稱').fill('晨光雲端');
    await form.getByLabel('帳單編號開頭').fill('SUN');
    await form.getByLabel('付款方式').fill('請匯款至 007-123456，並註明帳單編號。');
    await form.getByRole('button', { name: '設定經銷商' }).click();
    await page.getByText('已儲存').first().waitFor();
    await page.reload();
    await expect(page.getByRole('row', { name: /晨光雲端.*銷售中/ })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the reseller adds a customer and sets 20 percent', async () => {
    await terms.openBills(own);
    await own.getByRole('link', { name: '我的客戶' }).click();
    await own.getByRole('button', { name: '新增客戶' }).first().click();
    const form = own.getByRole('dialog', { name: '新增客戶' });
    await form.getByLabel('客戶名稱').fill('小店');
    await form.getByLabel('第一位使用者的電子郵件').fill(client.account);
    await form.getByRole('button', { name: '新增客戶' }).click();
    await form.getByText(/#token=/).waitFor();
    await form.getByRole('button', { name: '關閉' }).last().click();
    // The link in the mail, unlike the one on the screen, also confirms the address.
    const token = async (): Promise<string | undefined> => {
      const { letters } = await terms.journey.call<{ letters: readonly { to: string; text: string }[] }>(
        'GET',
        '/debug/mail',
      );
      const letter = letters.find(({ to }) => to === client.account);
      return letter && /\/invitation#token=(\S+)/.exec(letter.text)?.[1];
    };
    await expect.poll(token).toBeDefined();
    await terms.journey.call('POST', '/organization/invitations/accept', {
      token: await token(),
      name: '店長',
      password: client.password,
    });
    await own.getByRole('button', { name: '設定加價' }).click();
    const prices = own.getByRole('dialog', { name: '設定加價' });
    await prices.getByLabel('加價百分比').fill('20');
    await expect(prices).toContainText('客戶付 100 × 1.2 = 120');
    await prices.getByRole('button', { name: '儲存' }).click();
    await expect(own.getByRole('table', { name: '加價' })).toContainText('20%');
    await expect(own.getByRole('row', { name: /小店/ })).toBeVisible();
    expect(await axeFindings(own)).toEqual([]);
  });

  test('the customer sees retail prices and who bills it', async () => {
    const { items } = await terms.callAs<{ items: { id: string }[] }>(seller, 'GET', '/reseller/customers');
    await terms.call('POST', '/admin/subscriptions', {
      organizationId: items[0]?.id,
      serviceId: terms.serviceId,
      startedAt: monthBegin(0).toISOString(),
    });
    // Late usage arrives through it, after the month is closed.
    const { id: serviceId } = await terms.call<{ id: string }>('POST', '/admin/services', {
      name: '推論',
      type: 'API',
      category: '自有',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
    });
    ({ id: calls } = await terms.call<{ id: string }>('POST', '/admin/subscriptions', {
      organizationId: items[0]?.id,
      serviceId,
      startedAt: monthBegin(0).toISOString(),
    }));
    used = await terms.journey.openSession(client);
    await terms.openBills(used);
    await expect(used.getByText('您的服務由「晨光雲端」出帳。')).toBeVisible();
    await expect(used.getByRole('row', { name: /月費.*NT\$12,000/ })).toBeVisible();
    await expect(used.getByText('NT$10,000')).toHaveCount(0);
    expect(await axeFindings(used)).toEqual([]);
    // It pays the reseller: no balance with the operator, and no top-ups.
    await used.goto(`${terms.journey.address}/user/dashboard`);
    await expect(used.getByText('由「晨光雲端」出帳')).toBeVisible();
    await expect(used.getByText('本期費用')).toBeVisible();
    for (const name of ['儲值', '付款紀錄'])
      await expect(used.getByRole('button', { name }).or(used.getByRole('link', { name }))).toHaveCount(0);
    await expect(used.getByText('餘額', { exact: true })).toHaveCount(0);
    await customersPage();
    await expect(own.getByRole('row', { name: /小店.*NT\$12,000.*NT\$10,000.*NT\$2,000/ })).toBeVisible();
  });

  test('the month is closed: each sees its own price, and the payment is recorded', async () => {
    await terms.moveToMonth(1);
    await terms.closeMonth(month, 1);
    for (const [one, who] of [
      [own, seller],
      [used, client],
    ] as const) {
      await one.clock.setSystemTime(new Date(monthBegin(1).getTime() + secondDayMs));
      await terms.journey.openSession(who, one);
    }
    await customersPage();
    await own.getByRole('row', { name: new RegExp(number) }).click();
    const bill = own.getByRole('dialog', { name: '帳單' });
    await expect(bill).toContainText('NT$12,600');
    await bill.getByRole('button', { name: '登記付款' }).click();
    const form = own.getByRole('dialog', { name: '登記付款' });
    await form.getByLabel('付款日期').fill(`${monthName(1)}-01`);
    await form.getByRole('button', { name: '登記付款' }).click();
    await expect(bill).toContainText('已付款');
    await customersPage();
    await expect(own.getByRole('row', { name: new RegExp(`${number}.*已付款`) })).toBeVisible();
    await expect(
      own.getByRole('table', { name: '批發明細' }).getByRole('row', { name: /小店.*NT\$10,000.*NT\$12,000/ }),
    ).toBeVisible();
    await expect(own.getByText('每張帳單的明細合計都等於帳單金額。')).toBeVisible();

    await terms.openBills(used);
    await used.getByRole('row', { name: new RegExp(number) }).click();
    const paid = used.getByRole('dialog', { name: '帳單' });
    await expect(paid).toContainText('007-123456');
    await expect(paid.getByRole('row', { name: /月費.*NT\$12,000/ })).toBeVisible();
    await used.reload();
    await expect(paid).toContainText('已付款');
    await expect(used.getByText('NT$10,000')).toHaveCount(0);
    expect(await axeFindings(used)).toEqual([]);
    await terms.checkBooks();
  });

  test('the reseller credits a part of the bill, and the customer sees the reason', async () => {
    await customersPage();
    await own.getByRole('row', { name: new RegExp(number) }).click();
    const bill = own.getByRole('dialog', { name: '帳單' });
    await bill.getByRole('button', { name: '折讓' }).click();
    const form = own.getByRole('dialog', { name: `折讓 ${number}` });
    await form.getByLabel('金額（含稅）').fill('99999');
    await form.getByLabel('原因').fill('服務中斷半天。');
    await form.getByRole('button', { name: '折讓' }).click();
    await expect(form.getByText('這張帳單最多可再折讓 NT$12,600。').first()).toBeVisible();
    await form.getByLabel('金額（含稅）').fill('2100');
    await form.getByRole('button', { name: '折讓' }).click();
    await expect(bill).toContainText('SUN-CN-0001');
    await used.reload();
    const billDialog = used.getByRole('dialog', { name: '帳單' });
    await expect(billDialog).toContainText('服務中斷半天。');
    await expect(billDialog).toContainText('NT$2,100');
    const download = used.waitForEvent('download');
    await billDialog.getByRole('button', { name: '折讓單 SUN-CN-0001 的 PDF' }).click();
    expect((await download).suggestedFilename()).toBe('SUN-CN-0001.pdf');
    expect(await axeFindings(used)).toEqual([]);
  });

  test('the reseller changes its details, prices of one service, and pauses a service', async () => {
    await customersPage();
    await own.getByRole('button', { name: '編輯資料' }).click();
    const details = own.getByRole('dialog', { name: '編輯資料' });
    await details.getByLabel('付款期限（天）').fill('400');
    await details.getByRole('button', { name: '儲存' }).click();
    await expect(details.getByLabel('付款期限（天）')).toHaveAttribute('aria-invalid', 'true');
    await details.getByLabel('付款期限（天）').fill('21');
    await details.getByRole('button', { name: '儲存' }).click();
    await expect(details).toBeHidden();
    await expect(own.getByRole('definition').filter({ hasText: /^21$/ })).toBeVisible();

    await own.getByRole('button', { name: '設定加價' }).click();
    const prices = own.getByRole('dialog', { name: '設定加價' });
    await prices.getByLabel('服務', { exact: true }).selectOption('主機');
    await prices.getByRole('button', { name: '加入' }).click();
    await prices.getByLabel(/^「.*」的加價百分比$/).fill('35');
    await prices
      .getByLabel(/^自訂價格/)
      .first()
      .fill('13500');
    expect(await axeFindings(own)).toEqual([]);
    await prices.getByRole('button', { name: '儲存' }).click();
    await expect(prices).toBeHidden();

    await own
      .getByRole('row', { name: /小店.*NT/ })
      .first()
      .click();
    const services = own.getByRole('dialog', { name: '「小店」的服務' });
    await services.getByRole('button', { name: '暫停' }).first().click();
    const reason = own.getByRole('dialog', { name: /^暫停「/ });
    await reason.getByLabel('原因').fill('逾期未付款');
    await reason.getByRole('button', { name: '暫停' }).click();
    await expect(services.getByRole('button', { name: '恢復' })).toBeVisible();
  });

  test('the reseller’s brand is visible to its customer, and to nobody else', async () => {
    await customersPage();
    await own.getByLabel('標誌檔案').setInputFiles('public/icons/icon-192.png');
    await expect(own.getByRole('img', { name: '「晨光雲端」的標誌' })).toBeVisible();
    await own.getByRole('textbox', { name: '顏色' }).fill('#FFE066');
    await own.getByRole('form', { name: '顏色與郵件' }).getByRole('button', { name: '儲存' }).click();
    await expect(own.getByText('這個顏色在白色頁面上不易辨識，請選較深的顏色。').first()).toBeVisible();
    await own.getByRole('textbox', { name: '顏色' }).fill('#C2410C');
    await own.getByLabel('回信地址').fill('help@sun.example');
    await own.getByRole('form', { name: '顏色與郵件' }).getByRole('button', { name: '儲存' }).click();
    await own.getByRole('textbox', { name: '網域名稱' }).fill(host);
    await own.getByRole('button', { name: '儲存網域名稱' }).click();
    await expect(own.getByText(`_skytally.${host}`)).toBeVisible();
    expect(await axeFindings(own)).toEqual([]);

    await terms.journey.openSession(client, used);
    await terms.openBills(used);
    const bar = used.getByRole('banner');
    await expect(bar).toContainText('晨光雲端');
    await expect(bar).toHaveCSS('background-color', 'rgb(194, 65, 12)');
    // Buttons, links and selections use the color, darkened in light mode and lightened in dark mode for
    // sufficient contrast.
    for (const [mode, colour] of [
      ['dark', '#E1A086'],
      ['light', '#BD3F0C'],
    ] as const) {
      await setTheme(used, mode);
      await expect
        .poll(() =>
          used.evaluate<string>(
            "getComputedStyle(document.documentElement).getPropertyValue('--mui-palette-primary-main').trim()",
          ),
        )
        .toBe(colour);
      expect(await axeFindings(used, colourRules), mode).toEqual([]);
    }
    await expect(bar.locator('img[src^="/api/brand/logos/"]')).toBeVisible();
    await expect(used).toHaveTitle(/晨光雲端/);
    expect(await axeFindings(used)).toEqual([]);
    await own.reload();
    await expect(own.getByRole('banner')).not.toContainText('晨光雲端');

    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    await page
      .getByRole('row', { name: /晨光雲端.*銷售中/ })
      .getByRole('button')
      .click();
    await page.getByRole('menuitem', { name: '批發' }).click();
    const wholesale = page.getByRole('dialog', { name: '晨光雲端' });
    await expect(wholesale).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('at the reseller’s own host name its customer sees the brand before sign-in, signs in, and reads its bill', async () => {
    await customersPage();
    await own.getByRole('button', { name: '查詢紀錄' }).click();
    await expect(own.getByText(/還沒有 TXT 紀錄/).first()).toBeVisible();
    const { host: claim } = await terms.callAs<{ host: { record: { name: string; value: string } } }>(
      seller,
      'GET',
      '/reseller/brand',
    );
    dns.texts.set(claim.record.name, [claim.record.value]);
    await own.getByRole('button', { name: '查詢紀錄' }).click();
    await expect(own.getByText('已驗證').first()).toBeVisible();

    const at = `http://${host}:${new URL(terms.journey.address).port}`;
    const { context, page: visitor, pageErrors } = await terms.journey.person({ elsewhere: [at] });
    await visitor.goto(`${at}/login`);
    await expect(visitor).toHaveTitle(/晨光雲端/);
    await expect(visitor.getByRole('link', { name: terms.journey.address })).toBeVisible();
    expect(await axeFindings(visitor)).toEqual([]);
    await visitor.getByLabel(/^帳號/).fill(client.account);
    await visitor.getByLabel(/^密碼/).fill(client.password);
    await visitor.getByRole('button', { name: '登入', exact: true }).click();
    await visitor.waitForURL((url) => url.origin === at && url.pathname !== '/login');
    await expect(visitor.getByRole('banner')).toContainText('晨光雲端');
    await visitor.clock.setSystemTime(new Date(monthBegin(1).getTime() + secondDayMs));
    await visitor.goto(`${at}/billing/management`);
    await expect(visitor.getByRole('row', { name: new RegExp(number) })).toBeVisible();
    // No request went to the operator’s own address.
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('late usage of a month that the reseller sold is billed to the reseller, although the operator sells now', async () => {
    const { items } = await terms.callAs<{ items: { id: string }[] }>(seller, 'GET', '/reseller/customers');
    const organizationId = items[0]?.id;
    await terms.call('PUT', '/admin/resellers/customers', {
      organizationId,
      resellerId: null,
      from: monthName(1),
    });
    const { secret } = await terms.call<{ secret: string }>('POST', '/admin/api-keys', { name: '計量' });
    const time = new Date(monthBegin(0).getTime() + secondDayMs).toISOString();
    const event = {
      specversion: '1.0',
      id: 'late',
      source: '/gateway',
      type: 'call',
      subject: calls,
      time,
      data: { value: '50' },
    };
    expect(
      await terms.journey.call('POST', '/usage/events', event, secret, 'application/cloudevents+json'),
    ).toMatchObject({ accepted: 1 });

    await page.goto(`${terms.journey.address}/admin/billing?view=payers`);
    const waiting = page.getByRole('row', { name: /小店.*晨光雲端.*NT\$100/ });
    await expect(waiting).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    // On a phone its columns are stacked, and its button is visible.
    await page.setViewportSize({ width: 375, height: 812 });
    const late = page.getByRole('region', { name: '未出帳的補報用量' });
    const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
    expect(await widthOf(late.getByRole('table'))).toBeLessThanOrEqual(await widthOf(late));
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await waiting.getByRole('button', { name: '開立帳單' }).click();
    const confirmation = page.getByRole('alertdialog');
    await expect(confirmation).toContainText('晨光集團');
    await confirmation.getByRole('button', { name: '開立帳單' }).click();
    await page
      .getByText(/^已開立帳單/)
      .first()
      .waitFor();
    await page.reload();
    await expect(page.getByRole('row', { name: /晨光雲端.*銷售中/ })).toBeVisible();
    await expect(waiting).toHaveCount(0);
    await terms.checkBooks();
  });
});
