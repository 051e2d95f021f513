// The portal in a real browser: a provider's page on another origin shows a customer's usage and bills in a frame, hears of a payment, and
// nobody else can frame it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import {
  monthName,
  startTerms,
  withMovableClock,
  type Customer,
  type Terms,
} from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// Each step stands on those before it.
test.describe.configure({ mode: 'serial' });

let terms: Terms;
let customer: Customer;
let origin: string;
let stranger: string;
let link: Record<string, unknown>;
const servers: Server[] = [];
const pages = ['usage', 'bills', 'paymentMethods', 'subscriptions'];

/** A site of the provider's: its page mounts the portal, and its server makes the links. */
async function startHost(html: (address: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/link') {
      terms
        .call<{ url: string }>('POST', `/admin/organizations/${customer.organizationId}/portal-links`, link)
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

test.beforeAll(async ({ startJourney }) => {
  terms = await startTerms(await startJourney(withMovableClock));
  customer = await terms.customer('晨光', 'owner@portal.example', -1);
  await terms.topUp(customer, '30000');
  await terms.closeMonth(monthName(-1), 1);
  origin = await startHost(hostPage);
  stranger = await startHost(hostPage);
  link = {
    pages,
    mayChange: true,
    language: 'zhTW',
    theme: { mode: 'light', accent: '#0B6E4F' },
    origins: [origin],
  };
});
test.afterAll(async () => {
  for (const server of servers) server.close();
  await terms.journey.end();
});

test('T-PORTAL-JOURNEY: an Admin allows the origin; before that no link names it', async () => {
  await expect(
    terms.call('POST', `/admin/organizations/${customer.organizationId}/portal-links`, link),
  ).rejects.toThrow(/422/);
  const { page } = terms;
  await page.goto(`${terms.journey.address}/admin/security`);
  await page.getByLabel('可以嵌入的來源').fill(origin);
  await page.getByRole('form', { name: '嵌入入口' }).getByRole('button', { name: '儲存' }).click();
  await page.getByText('嵌入來源已儲存。').first().waitFor();
});

test('T-PORTAL-JOURNEY: the host page shows the same figures as the console, and hears of a payment', async () => {
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
  // What stands in the address bar of the frame holds no secret any more.
  const addresses = page.frames().map((frame) => frame.url());
  expect(addresses.some((address) => address.includes('token'))).toBe(false);
  await portal.getByRole('tab', { name: '帳單' }).click();
  await portal
    .getByRole('row', { name: /B-\d+-000001/ })
    .getByRole('button')
    .first()
    .click();
  await portal
    .getByRole('button', { name: /^立即付款/ })
    .first()
    .click();
  await portal
    .getByRole('dialog')
    .getByRole('button', { name: /支付\s*NT\$10,500/ })
    .click();
  await expect.poll(() => heard(page)).toContain('paid');
  expect(pageErrors).toEqual([]);
  await terms.openBills(own, monthName(-1));
  await own.getByText('已付款').first().waitFor();
});

test('T-PORTAL-JOURNEY: a session that was withdrawn tells the host page, which shows a new one', async () => {
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
  await portal.getByRole('tab', { name: '訂閱' }).click();
  await expect.poll(() => heard(page)).toContain('expired');
  await expect.poll(async () => (await heard(page)).filter((type) => type === 'ready').length).toBe(2);
  await portal.getByRole('tab', { name: '帳單' }).waitFor();
});

test('T-PORTAL-JOURNEY: a third origin frames nothing, although it has a link', async () => {
  const { page, pageErrors } = await terms.journey.person({ elsewhere: [stranger] });
  await page.goto(stranger);
  await expect.poll(() => pageErrors.some((text) => text.includes('frame-ancestors'))).toBe(true);
  await expect(portalIn(page).getByRole('tab')).toHaveCount(0);
  expect(await heard(page)).toEqual([]);
});
