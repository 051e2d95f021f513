// A console behind the load balancer that operators get, with TLS and HTTP/2, in a real browser.
import type { Page } from '@playwright/test';
import { hasHaproxy, startBalancer } from '#tests/support/balancer.ts';
import type { Journey } from '#tests/support/browser/journey.ts';
import { fillSetUpForm } from '#tests/support/browser/set-up-form.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { hasOpenssl, makeAuthority } from '#tests/support/certificates.ts';
import { freePort } from '#tests/support/ports.ts';

test.skip(!hasHaproxy || !hasOpenssl, 'needs haproxy and openssl');
// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let address: string;
let page: Page;

test.beforeAll(async ({ startJourney, browser }) => {
  const [port, own] = [await freePort(), await freePort()];
  address = `https://127.0.0.1:${port}`;
  journey = await startJourney({ PORT: String(own), PUBLIC_URL: address, TRUST_PROXY: '127.0.0.1' });
  const { certificate, key } = makeAuthority().server;
  startBalancer(port, [own, own], certificate + key);
  // The authority is unknown to the browser.
  page = await (await browser.newContext({ ignoreHTTPSErrors: true, locale: 'zh-TW' })).newPage();
});
test.afterAll(() => journey.end());

test('the page and its files come over HTTP/2, and cookies are for TLS only', async () => {
  // The balancer starts beside.
  await expect(() => page.goto(journey.setupAddress)).toPass();
  await fillSetUpForm(page);
  const protocols = await page.evaluate<string[]>(
    `[...new Set(performance.getEntries().map(({ nextHopProtocol }) => nextHopProtocol).filter(Boolean))]`,
  );
  expect(protocols).toEqual(['h2']);
  const cookies = await page.context().cookies();
  expect(cookies.filter(({ secure }) => !secure)).toEqual([]);
  expect(cookies.length).toBeGreaterThan(0);
});

test('R-NOTE-03 receives live updates', async () => {
  // A page connects once it is complete: the awaited connection must not be the previous page’s.
  await page.goto('about:blank');
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(`${address}/admin/api-keys`);
  await live;
});
