// Live delivery in a real browser: immediate, by polling while disconnected, and live again; push
// notifications; the SMS gateway.
import type { Page } from '@playwright/test';
import { FakeSmsGateway } from '../tests/support/sms.ts';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { startLiveGate } from '#tests/support/browser/live-gate.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const password = 'another long passphrase';
const owner = { account: 'owner@customer.example', password };
let journey: Journey;
let metering: string;
let subscriptionId: string;
let used = 0;

/** One more call; returns the dashboard’s new value. */
async function useOne(): Promise<string> {
  used++;
  await journey.call(
    'POST',
    '/usage/events',
    [
      {
        specversion: '1.0',
        id: String(used),
        source: '/gateway',
        type: 'call',
        subject: subscriptionId,
        data: { value: '1' },
      },
    ],
    metering,
    'application/cloudevents-batch+json',
  );
  return `${used}／1,000 calls`;
}
const shows = (page: Page, text: string, timeout?: number) =>
  page.getByText(text, { exact: true }).waitFor(timeout === undefined ? {} : { timeout });

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney({ PRIVATE_HOSTS: '127.0.0.1' });
  const token = await journey.setUp();
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '推論',
      type: 'API',
      category: '平台',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      quota: { type: 'hard', limit: '1000' },
    },
    token,
  );
  const user = await journey.register({
    account: owner.account,
    password,
    name: '客戶管理者',
    organization: '晨光',
  });
  subscriptionId = (
    await journey.call<{ id: string }>(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId },
      token,
    )
  ).id;
  metering = (await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: 'gateway' }, token))
    .secret;
});
test.afterAll(() => journey.end());

test.describe('R-NOTE-03 live delivery', () => {
  test('F14: a change appears without reloading: live, then by polling within 10 s while disconnected, then live again', async () => {
    const gate = await startLiveGate(journey.address);
    const { page, pageErrors } = await journey.person({ elsewhere: [gate.address] });
    await journey.openSession(owner, page);
    const before = await useOne();
    await page.goto(`${gate.address}/billing/dashboard`);
    await shows(page, before);
    await expect.poll(gate.connections).toBeGreaterThan(0);
    await shows(page, await useOne());

    gate.close();
    // Poll every 10 s, plus the response time.
    await shows(page, await useOne(), 15_000);
    await shows(page, await useOne(), 15_000);

    gate.open();
    // Changes during the disconnection are loaded at reconnection.
    const meanwhile = await useOne();
    await expect.poll(gate.connections, { timeout: 60_000 }).toBeGreaterThan(0);
    await shows(page, meanwhile);
    await shows(page, await useOne());
    expect(pageErrors).toEqual([]);
  });
});

test.describe('R-NOTE-02 push', () => {
  test('the service worker shows a push, replaces it by its tag, and a click opens only this console', async () => {
    const { page, context, pageErrors } = await journey.person();
    await page.goto(`${journey.address}/login`);
    const session = await context.newCDPSession(page);
    const registrationId = new Promise<string>((found) =>
      session.on(
        'ServiceWorker.workerRegistrationUpdated',
        ({ registrations }) => registrations[0] && found(registrations[0].registrationId),
      ),
    );
    await session.send('ServiceWorker.enable');
    const started = context.waitForEvent('serviceworker');
    await page.evaluate(
      `navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready).then(() => undefined)`,
    );
    const worker = await started;
    // This browser has no screen to show notifications on and opens no windows for them: its calls are
    // recorded instead.
    await worker.evaluate(`
      self.asked = [];
      ServiceWorkerRegistration.prototype.showNotification = (title, options) => Promise.resolve(void self.asked.push(['show', title, options]));
      Clients.prototype.openWindow = (address) => Promise.resolve(void self.asked.push(['open', address]));
      self.click = (link) => {
        const event = Object.assign(new ExtendableEvent('notificationclick'), { notification: { data: { link }, close: () => self.asked.push(['close']) } });
        self.dispatchEvent(event);
      };
    `);
    const push = async (data: string) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: journey.address,
        registrationId: await registrationId,
        data,
      });
    const recordedCalls = () => worker.evaluate<unknown[]>('self.asked.splice(0)');
    await push(
      JSON.stringify({
        title: '雲帳',
        body: '「推論」用量已達配額的 85%。',
        link: '/billing/dashboard',
        tag: 'quota 1',
      }),
    );
    await push('no JSON');
    const heard: unknown[] = [];
    await expect.poll(async () => heard.push(...(await recordedCalls()))).toBe(2);
    expect(heard).toEqual([
      [
        'show',
        '雲帳',
        {
          body: '「推論」用量已達配額的 85%。',
          tag: 'quota 1',
          icon: '/favicon.svg',
          data: { link: '/billing/dashboard' },
        },
      ],
      [
        'show',
        new URL(journey.address).host,
        { body: '', tag: 'unreadable', icon: '/favicon.svg', data: { link: '/' } },
      ],
    ]);
    for (const [link, opened] of [
      ['/billing/dashboard', `${journey.address}/billing/dashboard`],
      ['https://evil.example/', journey.address],
      ['//evil.example/x', journey.address],
      ['javascript:alert(1)', journey.address],
    ] as const) {
      await worker.evaluate(`self.click(${JSON.stringify(link)})`);
      // The calls happen at two moments, and are read only once.
      const done: unknown[] = [];
      await expect
        .poll(async () => {
          done.push(...(await recordedCalls()));
          return done;
        })
        .toEqual([['close'], ['open', opened]]);
    }
    expect(pageErrors).toEqual([]);
  });
});

test.describe('R-NOTE-02 text messages', () => {
  test('an Admin sets the gateway up, tests it, and sees its response on the page', async () => {
    const gateway = await new FakeSmsGateway().start();
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/system-settings?section=sms`);
    const form = page.getByRole('form', { name: '簡訊', exact: true });
    await form.getByLabel('啟用簡訊通知').check();
    await form.getByLabel(/^閘道位址/).fill(`${gateway.address}/send`);
    await form.getByLabel(/^權杖/).fill('a secret token');
    await form.getByRole('button', { name: '儲存' }).click();
    await page.getByText('已儲存簡訊設定。').waitFor();
    await expect(form.getByLabel(/^權杖/)).toHaveValue('');
    const trial = page.getByRole('form', { name: '傳送測試簡訊' });
    await trial.getByLabel(/^手機號碼/).fill('12');
    await trial.getByRole('button', { name: '傳送' }).click();
    await trial.getByText(/^這不是有效的電話號碼/).waitFor();
    await trial.getByLabel(/^手機號碼/).fill('0912-345-678');
    await trial.getByRole('button', { name: '傳送' }).click();
    await trial.getByText(/^閘道已接受，送往 \+886912345678/).waitFor();
    expect(gateway.calls.at(-1)).toMatchObject({
      path: '/send',
      headers: { authorization: 'Bearer a secret token' },
    });
    gateway.answers.push({ status: 402, body: 'no credit left' });
    await trial.getByRole('button', { name: '傳送' }).click();
    await trial.getByText(/^簡訊閘道拒絕了這則簡訊（HTTP 402）/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await gateway.stop();
  });
});
