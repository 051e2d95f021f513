// Every error text in sections 5 and 8 of the specification, in its exact words, provoked where a person
// would see it. The server is real; where it would have to fail, something between it and the page fails: a
// connection, a proxy, a provider, the browser. Other errors of Google’s script and of providers, and an
// empty registration: federation.e2e.ts, sign-in.e2e.ts.
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { startHostileIdp, type HostileIdp } from '../tests/support/hostile-idp.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const owner = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let idp: HostileIdp;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ startJourney }) => {
  idp = await startHostileIdp();
  journey = await startJourney({ OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: 'console' });
  const token = await journey.setUp();
  const service = (name: string) =>
    journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name,
        type: 'Storage',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '900' },
        meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      },
      token,
    );
  const user = await journey.register({ ...owner, name: 'Buyer', organization: 'Harbour' });
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId: (await service('Disk')).id },
    token,
  );
  await service('Archive');
});
test.afterAll(async () => {
  await journey.end();
  await idp.end();
});
test.beforeEach(async () => {
  await context?.close();
  ({ context, page } = await journey.person({ locale: 'en-US', elsewhere: [idp.issuer] }));
});

const says = (text: string, within: Locator | Page = page): Promise<void> =>
  within.getByText(text, { exact: true }).first().waitFor();
const open = (path: string): Promise<unknown> => page.goto(journey.address + path);
async function signedIn(path: string, who = owner): Promise<void> {
  await context.request.post(`${journey.address}/api/user/login`, { data: who });
  await open(path);
}
/** A response in the server’s place. A call in a batch is rejected with it, and then made alone. */
const answers = async (path: string, how: { status: number; body: string } | 'nothing') => {
  await page.route(
    (url) =>
      url.pathname === '/api/together' &&
      url.searchParams.getAll('get').some((one) => one.split('?')[0] === path),
    (route) => route.fulfill({ status: 502, body: '' }),
  );
  await page.route(
    (url) => url.pathname === `/api${path}`,
    (route) =>
      how === 'nothing' ? route.abort() : route.fulfill({ ...how, contentType: 'application/json' }),
  );
};

test.describe('error texts of signing in', () => {
  test('are „Required“ twice for an empty form, then „Incorrect account or password“', async () => {
    await open('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => page.getByText('Required', { exact: true }).count()).toBe(2);
    await page.getByLabel(/^Account/).fill(owner.account);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says('Incorrect account or password', page.getByRole('alert'));
  });

  for (const words of [
    'IFrame timed out without a response',
    'Popup blocked by user',
    'Popup closed',
    'Network timed out',
    'State does not match',
    'No matching state found in storage',
  ])
    test(`show the provider’s message „${words}“ in the details`, async () => {
      idp.answers.authorize = (asked) =>
        `${asked.get('redirect_uri')}?state=${asked.get('state')}&error=${encodeURIComponent(words)}&iss=${idp.issuer}`;
      await open('/login');
      await page.getByRole('button', { name: 'Sign in with identity provider' }).click();
      await page.waitForURL(`${journey.address}/callback`);
      await page.getByText('Technical details').click();
      await says(words);
      // The sentence above is for people, not the provider’s message.
      expect(await page.getByRole('alert').first().innerText()).not.toBe(words);
    });
});

test.describe('error texts of subscribing', () => {
  test('„Unable to complete subscription. Please try again later or contact support.“', async () => {
    await signedIn('/service/overview');
    await answers('/subscriptions', { status: 500, body: '{}' });
    await page.getByRole('button', { name: 'Subscribe to Archive' }).click();
    await page.getByRole('checkbox', { name: /I have read the price/ }).check();
    await page.getByRole('button', { name: 'Subscribe now' }).click();
    await says(
      'Unable to complete subscription. Please try again later or contact support.',
      page.getByRole('alertdialog'),
    );
  });

  test('„Unsubscribe failed. Please try again later.“', async () => {
    await signedIn('/cloud-service/management');
    await page.route(/\/api\/subscriptions\/[^/]+\/cancel$/, (route) => route.abort());
    await page.getByRole('button', { name: 'Disk', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    const ask = page.getByRole('alertdialog');
    await ask.getByRole('checkbox').check();
    await ask.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await says('Unsubscribe failed. Please try again later.', ask);
  });
});

test.describe('error texts of the billing dashboard (R-USE-02)', () => {
  test('„User info incomplete. Unable to load dashboard.“', async () => {
    await page.route(/\/api\/user\/session$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { user: object } };
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, user: { ...body.data.user, organizationId: null } } },
      });
    });
    await signedIn('/billing/dashboard');
    await says('User info incomplete. Unable to load dashboard.');
  });

  for (const [words, how] of [
    ['Load failed. Please try again later.', 'nothing'],
    [
      'Data load error. Please contact admin.',
      { status: 200, body: '{"data":{"statistics":"none"},"isSuccess":true,"message":"Success"}' },
    ],
  ] as const)
    test(`„${words}“`, async () => {
      await answers('/billing/dashboard', how);
      await signedIn('/billing/dashboard');
      await says(words);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText(words, { exact: true }).waitFor({ state: 'detached' });
    });
});

test.describe('error texts of date ranges (R-USE-05)', () => {
  const day = (before: number): string =>
    new Date(Date.now() + 8 * 3_600_000 - before * 86_400_000).toISOString().slice(0, 10);
  for (const [words, fields] of [
    [
      'The start date must not be after the end date.',
      [
        ['To', day(10)],
        ['From', day(1)],
      ],
    ],
    [
      'The end date must not be before the start date.',
      [
        ['From', day(5)],
        ['To', day(9)],
      ],
    ],
    [
      'The period must not exceed 3 months.',
      [
        ['To', day(1)],
        ['From', day(120)],
      ],
    ],
  ] as const)
    test(`„${words}“`, async () => {
      await signedIn('/usage/statistics');
      for (const [label, value] of fields) await page.getByLabel(label, { exact: true }).fill(value);
      await says(words);
      expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    });
});

test.describe('API errors and toasts (R-API-02, R-API-03)', () => {
  test('„File downloaded successfully“', async () => {
    await signedIn('/admin/user-management', operator);
    await download();
    await says('File downloaded successfully');
  });

  test('„Unknown Error!“ when nothing is known about the error', async () => {
    await page.addInitScript('URL.createObjectURL = () => { throw new Error(); }');
    await signedIn('/admin/user-management', operator);
    await download();
    await says('Unknown Error!');
  });

  test('„Error occurred“ for a failure without a message', async () => {
    await answers('/bills', { status: 502, body: '' });
    await signedIn('/billing/management');
    await page
      .getByText(/Error occurred/)
      .first()
      .waitFor();
  });

  test('other messages of the server, unchanged', async () => {
    await answers('/billing/dashboard', { status: 200, body: '[{"messages":["The month is locked."]}]' });
    await signedIn('/billing/dashboard');
    await page.getByText('The month is locked.').first().waitFor();
  });

  async function download(): Promise<void> {
    await page
      .getByRole('button', { name: /^Export/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('button', { name: /Export|Download/ })
      .last()
      .click();
  }
});

test.describe('error texts of forms', () => {
  test('„… is Required.“ and „… is Invalid.“ name their field (R-I18N-05)', async () => {
    await signedIn('/admin/user-management', operator);
    await page.getByRole('button', { name: 'Create user' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Create user' }).click();
    await panel
      .getByText(/^.+ is Required\.$/)
      .first()
      .waitFor();
    await panel.getByLabel(/^Account/).fill('no address');
    await panel
      .getByText(/^.+ is Invalid\.$/)
      .first()
      .waitFor();
  });
});

test.describe('a screen that crashes (R-SHELL-12)', () => {
  test('„Unexpected Application Error!“ with the message, and a link back', async () => {
    await signedIn('/user/dashboard');
    await page.route(/\/assets\/UsageStatistics[^/]*\.js/, (route) => route.abort());
    await open('/usage/statistics');
    await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor();
    await page.getByText(/Failed to fetch dynamically imported module/).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage statistics' }).waitFor();
  });
});

test.describe('the administrator’s address (R-ADM-03, R-SHELL-12)', () => {
  const address = 'help@provider.example';
  const line = () => page.getByRole('main').getByRole('link', { name: address });
  const set = async (supportEmail: string) => {
    const { token } = await journey.call<{ token: string }>('POST', '/user/login', operator);
    await journey.call('PATCH', '/admin/settings', { supportEmail }, token);
  };

  test('is shown on every dead end once the operator has set it', async () => {
    await signedIn('/nowhere/at/all');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await line().count()).toBe(0);
    await set(address);
    await open('/nowhere/at/all');
    expect(await line().getAttribute('href')).toBe(`mailto:${address}`);
    await open('/admin/dashboard');
    await line().waitFor();
    await open('/user/dashboard');
    await page.route(/\/assets\/UsageStatistics[^/]*\.js/, (route) => route.abort());
    await open('/usage/statistics');
    await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor();
    await page.getByRole('link', { name: address }).waitFor();
    await set('');
  });
});
