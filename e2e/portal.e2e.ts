// The portal in a real browser: a provider’s page on another origin shows a customer’s usage and bills in a
// frame, is notified of a payment, and no other site can frame it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import { FakeStripe, stripeSecret } from '../tests/support/stripe.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
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

const stripe = new FakeStripe();
let terms: Terms;
let customer: Customer;
/** Pays at an external provider. */
let payer: Customer;
/** Also pays for a branch, on one bill. */
let group: Customer;
/** The user signed in at the provider’s site. */
let guest: Customer;
let origin: string;
let payersOrigin: string;
let stranger: string;
let link: Record<string, unknown>;
const servers: Server[] = [];
const pages = ['usage', 'bills', 'paymentMethods', 'subscriptions'];

/**
 * A provider’s site: its page mounts the portal, and its server creates the links for the signed-in user.
 */
async function startHost(
  html: (address: string) => string,
  whose = (): string => customer.organizationId,
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/link') {
      terms
        .call<{ url: string }>('POST', `/admin/organizations/${whose()}/portal-links`, link)
        .then(({ url }) =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ url })),
        )
        .catch((problem: unknown) => response.writeHead(500).end(String(problem)));
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html(terms.journey.address));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
const hostPage = (
  address: string,
) => `<!doctype html><html lang="zh-Hant-TW"><title>Host</title><main><h1>我的雲</h1><div id="portal"></div></main>
<script type="module">
import { mountSkytally } from '${address}/embed.js';
const newUrl = async () => (await (await fetch('/link')).json()).url;
window.heard = [];
mountSkytally(document.getElementById('portal'), { url: await newUrl(), newUrl, onEvent: (event) => window.heard.push(event) });
</script>`;
const heard = (page: Page): Promise<string[]> => page.evaluate<string[]>('heard.map(({ type }) => type)');
const portalIn = (page: Page): FrameLocator => page.frameLocator('iframe');
/** Opens the newest bill in the frame, and the dialog with payment methods. */
async function openPayment(portal: FrameLocator): Promise<void> {
  await portal.getByRole('tab', { name: '帳單' }).click();
  await portal
    .getByRole('row', { name: /B-\d+-00000\d/ })
    .getByRole('button')
    .first()
    .click();
  await portal
    .getByRole('button', { name: /^立即付款/ })
    .first()
    .click();
}

test.beforeAll(async ({ startJourney }) => {
  await stripe.start();
  terms = await startTerms(
    await startJourney({
      ...withMovableClock,
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_WEBHOOK_SECRET: stripeSecret,
      STRIPE_API_BASE: stripe.address,
    }),
  );
  payer = await terms.customer('暮色', 'payer@portal.example', -1);
  customer = await terms.customer('晨光', 'owner@portal.example', -1);
  group = await terms.customer('晨光集團', 'group@portal.example', -1);
  const branch = await terms.customer('晨光台南', 'branch@portal.example', -1);
  const from = monthName(-1);
  const { organizationId } = group;
  const branchId = branch.organizationId;
  await terms.call('PUT', '/admin/payers', { organizationId: branchId, payerId: organizationId, from });
  await terms.call('PUT', '/admin/payers/billing', { organizationId, isConsolidated: true, from });
  await terms.topUp(customer, '30000');
  await terms.topUp(group, '30000');
  await terms.closeMonth(monthName(-1), 4);
  guest = payer;
  origin = await startHost(hostPage);
  payersOrigin = await startHost(hostPage, () => guest.organizationId);
  stranger = await startHost(hostPage);
  link = {
    pages,
    mayChange: true,
    language: 'zhTW',
    theme: { mode: 'light', accent: '#0B6E4F' },
    origins: [origin, payersOrigin],
  };
});
test.afterAll(async () => {
  for (const server of servers) server.close();
  await terms.journey.end();
  await stripe.stop();
});

test('T-PORTAL-JOURNEY: an Admin allows the origin; before that no link can use it', async () => {
  await expect(
    terms.call('POST', `/admin/organizations/${customer.organizationId}/portal-links`, link),
  ).rejects.toThrow(/422/);
  const { page } = terms;
  await page.goto(`${terms.journey.address}/admin/security`);
  await page.getByLabel('可以嵌入的來源').fill(`${origin}\n${payersOrigin}`);
  await page.getByRole('form', { name: '嵌入入口' }).getByRole('button', { name: '儲存' }).click();
  await page.getByText('嵌入來源已儲存。').first().waitFor();
});

test('T-PORTAL-JOURNEY: the host page shows the same figures as the console, and is notified of a payment', async () => {
  const own = await terms.journey.openSession(customer);
  await terms.openBills(own, monthName(-1));
  await own.getByText('NT$10,500').first().waitFor();
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [origin] });
  await page.goto(origin);
  const portal = portalIn(page);
  await portal.getByRole('tab', { name: '帳單' }).click();
  await portal.getByText('NT$10,500').first().waitFor();
  await expect(portal.getByRole('link', { name: /登出|登入/ })).toHaveCount(0);
  await expect.poll(() => heard(page)).toContain('ready');
  expect((await page.locator('iframe').boundingBox())?.height).toBeGreaterThan(300);
  await portal.getByRole('tab', { name: '用量' }).click();
  await portal.getByRole('heading', { level: 1 }).waitFor();
  await portal.getByRole('tab', { name: '訂閱' }).click();
  await portal.getByText('主機').first().waitFor();
  await portal.getByRole('tab', { name: '付款方式' }).click();
  await portal.getByRole('heading', { name: '付款方式' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  // The frame’s address no longer contains a secret.
  const addresses = page.frames().map((frame) => frame.url());
  expect(addresses.some((address) => address.includes('token'))).toBe(false);
  await openPayment(portal);
  await portal
    .getByRole('dialog')
    .getByRole('button', { name: /支付\s*NT\$10,500/ })
    .click();
  await expect.poll(() => heard(page)).toContain('paid');
  expect(pageErrors).toEqual([]);
  await terms.openBills(own, monthName(-1));
  await own.getByText('已付款').first().waitFor();
});

test('T-PORTAL-LIVE: a plan change in the frame is reported to the host page; usage appears without a reload', async () => {
  const plan = async (name: string, baseFee: string) => {
    const { id } = await terms.call<{ id: string }>('POST', '/admin/services', {
      name,
      type: '儲存',
      category: '自有',
      family: '儲存',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee, unitPrice: '2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      quota: { type: 'soft', limit: '1000' },
    });
    return id;
  };
  const [basic, better] = [await plan('儲存 基本', '310'), await plan('儲存 專業', '620')];
  const subscribed = await terms.call<{ id: string }>('POST', '/admin/subscriptions', {
    organizationId: customer.organizationId,
    serviceId: basic,
    startedAt: monthBegin(0).toISOString(),
  });
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [origin] });
  await page.goto(origin);
  const portal = portalIn(page);
  await portal.getByRole('tab', { name: '訂閱' }).click();
  // Until the page is loaded, a button of that name on the usage page leads to the bill.
  await portal.getByRole('heading', { name: '我的雲端服務' }).waitFor();
  // The filter of the list stays when a panel opens: the address within the frame is its own.
  await portal.getByRole('searchbox').fill('儲存');
  const other = portal.getByRole('button', { name: '主機', exact: true, includeHidden: true });
  await expect(other).toHaveCount(0);
  await portal.getByRole('button', { name: '儲存 基本', exact: true }).click();
  const panel = portal.getByRole('dialog', { name: '訂閱內容' });
  await panel.getByRole('button', { name: '變更方案' }).waitFor();
  await expect(other).toHaveCount(0);
  await panel.getByRole('button', { name: '變更方案' }).click();
  const dialog = portal.getByRole('dialog', { name: '變更「儲存 基本」的方案' });
  await dialog.getByRole('radio', { name: /儲存 專業/ }).check();
  expect(await heard(page)).not.toContain('planChanged');
  await dialog.getByRole('button', { name: '立即變更' }).click();
  await expect.poll(() => heard(page)).toContain('planChanged');
  await page.reload();
  await portal.getByRole('tab', { name: '訂閱' }).click();
  await portal.getByRole('button', { name: '儲存 專業', exact: true }).waitFor();
  await expect(portal.getByRole('button', { name: '儲存 基本', exact: true })).toHaveCount(0);
  const now = await terms.callAs<{ service: { id: string } }>(
    customer,
    'GET',
    `/subscriptions/${subscribed.id}`,
  );
  expect(now.service.id).toBe(better);
  const used = portal.getByText('7／1,000 GB').first();
  await expect(used).toHaveCount(0);
  const { secret } = await terms.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' });
  await terms.journey.call(
    'POST',
    '/usage/events',
    [
      {
        specversion: '1.0',
        id: 'portal-1',
        source: '/gateway',
        type: 'gb',
        subject: subscribed.id,
        data: { value: '7' },
      },
    ],
    secret,
    'application/cloudevents-batch+json',
  );
  await used.waitFor();
  expect(pageErrors).toEqual([]);
});

test('T-PORTAL-RETURN: after an external payment the return page says so, and the frame shows the bill as paid', async () => {
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [payersOrigin, stripe.address] });
  await page.goto(payersOrigin);
  const portal = portalIn(page);
  await openPayment(portal);
  await portal.getByRole('radio', { name: /信用卡（Stripe）/ }).check();
  const [outside] = await Promise.all([
    page.context().waitForEvent('page'),
    portal
      .getByRole('dialog')
      .getByRole('button', { name: /支付\s*NT\$10,500/ })
      .click(),
  ]);
  await outside.getByRole('heading', { name: 'Checkout' }).waitFor();
  await portal.getByText('等待金流服務確認').waitFor();
  const [session] = [...stripe.sessions.values()];
  const event = stripe.pay(session?.client_reference_id ?? '');
  await outside.getByRole('link', { name: 'Back to the shop' }).click();
  await outside.getByText('等待金流服務確認').waitFor();
  await outside.getByText(/您可以關閉這個分頁/).waitFor();
  expect(await axeFindings(outside)).toEqual([]);
  expect(await heard(page)).not.toContain('paid');
  const { body, headers } = stripe.signed(event, new Date());
  const webhook = `${terms.journey.address}/api/payments/webhooks/stripe`;
  expect((await fetch(webhook, { method: 'POST', body, headers })).status).toBe(200);
  await outside.getByText('付款已確認').waitFor();
  await portal.getByText(/已支付\s*NT\$10,500/).waitFor();
  await expect.poll(() => heard(page)).toContain('paid');
  await portal.getByRole('dialog').getByRole('button', { name: '完成' }).click();
  await portal.getByText('已付款').first().waitFor();
  // A changed address opens nothing.
  const altered = new URL(outside.url());
  altered.searchParams.set('seal', 'x');
  await outside.goto(altered.href);
  await outside.getByText(/找不到這筆付款/).waitFor();
  expect(pageErrors).toEqual([]);
});

test('T-PORTAL-RETURN: a card is entered in a separate tab, and the frame shows it as soon as its provider reports it', async () => {
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [payersOrigin, stripe.address] });
  await page.goto(payersOrigin);
  const portal = portalIn(page);
  await portal.getByRole('tab', { name: '付款方式' }).click();
  await portal.getByRole('button', { name: '新增卡片' }).click();
  await portal.getByRole('checkbox', { name: /同意/ }).check();
  const [outside] = await Promise.all([
    page.context().waitForEvent('page'),
    portal.getByRole('button', { name: '前往輸入卡片' }).click(),
  ]);
  await outside.getByRole('heading', { name: 'Save a card' }).waitFor();
  await portal.getByText('金流服務確認後，卡片就會出現在這裡。').waitFor();
  const session = stripe.cards.enter([...stripe.cards.setups.values()].at(-1)?.url ?? '', { last4: '1881' });
  await outside.getByRole('link', { name: 'Save' }).click();
  await outside.getByText('金流服務確認後，就會儲存這張卡片').waitFor();
  await outside.getByText(/您可以關閉這個分頁/).waitFor();
  expect(await axeFindings(outside)).toEqual([]);
  await expect(portal.getByText(/末四碼 1881/)).toHaveCount(0);
  const { body, headers } = stripe.signed(stripe.event('checkout.session.completed', session), new Date());
  const webhook = `${terms.journey.address}/api/payments/webhooks/stripe`;
  expect((await fetch(webhook, { method: 'POST', body, headers })).status).toBe(200);
  await portal.getByText(/末四碼 1881/).waitFor();
  expect(pageErrors).toEqual([]);
});

test('T-PORTAL-PAID: a consolidated bill paid from the balance is reported to the host page with its own id', async () => {
  guest = group;
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [payersOrigin] });
  await page.goto(payersOrigin);
  const portal = portalIn(page);
  await portal.getByRole('tab', { name: '帳單' }).click();
  await portal.getByRole('combobox', { name: '月份' }).selectOption(monthName(-1));
  const card = portal.locator('section', {
    has: portal.getByRole('heading', { level: 2, name: /合併帳單/ }),
  });
  await card.getByRole('button', { name: /付款/ }).first().click();
  await portal
    .getByRole('dialog')
    .getByRole('button', { name: /支付\s*NT\$21,000/ })
    .click();
  await expect
    .poll(() => page.evaluate<unknown[]>(`heard.filter(({ type }) => type === 'paid')`))
    .toEqual([{ type: 'paid', consolidatedId: expect.stringMatching(/^cbl_/) }]);
  await expect(card.getByText('已付款').first()).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('T-PORTAL-JOURNEY: a revoked session notifies the host page, which opens a new one', async () => {
  const { page } = await terms.journey.person({ elsewhere: [origin] });
  await page.goto(origin);
  const portal = portalIn(page);
  await portal.getByRole('tab', { name: '帳單' }).waitFor();
  const { items } = await terms.call<{ items: { id: string; state: string }[] }>(
    'GET',
    `/admin/organizations/${customer.organizationId}/portal-sessions`,
  );
  for (const { id } of items)
    await terms.call('DELETE', `/admin/organizations/${customer.organizationId}/portal-sessions/${id}`);
  // It is notified by itself, without a click.
  await expect.poll(() => heard(page)).toContain('expired');
  await expect.poll(async () => (await heard(page)).filter((type) => type === 'ready').length).toBe(2);
  await portal.getByRole('tab', { name: '帳單' }).waitFor();
});

test('T-PORTAL-JOURNEY: a third origin cannot frame it, even with a link', async () => {
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [stranger] });
  await page.goto(stranger);
  await expect.poll(() => pageErrors.some((text) => text.includes('frame-ancestors'))).toBe(true);
  await expect(portalIn(page).getByRole('tab')).toHaveCount(0);
  expect(await heard(page)).toEqual([]);
});
