// Several currencies in a real browser: recurring revenue of all of them in one, with exchange movements, and
// exchange gains of payments in dollars.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test.describe.configure({ mode: 'serial' });

let journey: Journey;
const zone = 8 * 3_600_000;
const today = new Date(Date.now() + zone).toISOString().slice(0, 10);
const payer = { account: 'owner@dollars.example', password: 'another long password' };
/** The month that was `back` months ago in Taipei: its name, when it began, and its last day. */
function monthAgo(back: number): { name: string; begins: Date; lastDay: string } {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const begins = new Date(Date.UTC(year, month - 1 - back, 1) - zone);
  return {
    name: new Date(begins.getTime() + zone).toISOString().slice(0, 7),
    begins,
    lastDay: new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10),
  };
}
const inWords = (name: string): string => `${name.slice(0, 4)}年${Number(name.slice(5))}月`;

/** 遠山 pays US$100 a month for two months, 晨光 NT$1,000. A dollar is 32, then 31; today 33. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  for (const [organization, email, currency, baseFee] of [
    ['遠山', payer.account, 'USD', '100'],
    ['晨光', 'owner@home.example', 'TWD', '1000'],
  ] as const) {
    const user = await journey.register({
      account: email,
      password: payer.password,
      name: '客戶',
      organization,
    });
    const { id: serviceId } = await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name: `主機 ${currency}`,
        type: 'VM',
        category: '平台',
        pricing: { model: 'flat', currency, baseFee },
        meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
      },
      admin,
    );
    await journey.call(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId, startedAt: monthAgo(2).begins.toISOString() },
      admin,
    );
  }
  for (const back of [2, 1])
    await journey.call('POST', '/admin/billing/close', { month: monthAgo(back).name }, admin);
  for (const [day, rate] of [
    [monthAgo(2).lastDay, '32'],
    [monthAgo(1).lastDay, '31'],
    [today, '33'],
  ] as const)
    await journey.call('PUT', '/admin/exchange-rates', { currency: 'USD', against: 'TWD', day, rate }, admin);
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', payer);
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: { amount: '500', currency: 'USD' } },
    token,
  );
  await journey.call('POST', `/admin/payments/${id}/confirm`, {}, admin);
  const { items } = await journey.call<{ items: { id: string }[] }>('GET', '/bills', undefined, token);
  await journey.call('POST', `/bills/${items[0]?.id}/payments`, { method: 'balance' }, token);
});
test.afterAll(() => journey.end());

test('T-FXMRR: the overview adds all currencies up in one, with exchange movements', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/finance`);
  await page.getByRole('combobox', { name: '幣別' }).selectOption('all');
  const last = inWords(monthAgo(1).name);
  const movements = page.getByRole('table', { name: `${last}的變動` });
  // A job computes the figures within seconds. NT$1,000 and US$100 at 32, then at 31.
  await movements.getByRole('row', { name: /期初.*NT\$4,200/ }).waitFor({ timeout: 30_000 });
  await expect(movements.getByRole('row', { name: /匯率變動/ })).toContainText('-NT$100');
  await expect(movements.getByRole('row', { name: /期末.*2.*NT\$4,100/ })).toBeVisible();
  await expect(page.getByText(`期初加變動為 NT$4,100，${last}的 MRR 為 NT$4,100，兩者相符。`)).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  // The address contains the selection.
  await page.reload();
  await expect(page.getByRole('combobox', { name: '幣別' })).toHaveValue('all');
  expect(pageErrors).toEqual([]);
});

test('T-FXGAIN: a customer’s gains open to the payments behind them, with both rates', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/finance?view=exchange`);
  const table = page.getByRole('table', { name: '已實現匯兌損益' });
  const row = table.getByRole('row', { name: /遠山/ });
  // Issued and paid today, at 33: US$105.00 are NT$3,465 both times.
  await expect(row).toContainText('US$105.00');
  await expect(row).toContainText('NT$3,465');
  expect(await axeFindings(page)).toEqual([]);
  await row.getByRole('button', { name: '遠山' }).click();
  const panel = page.getByRole('dialog');
  await expect(panel.getByText('33（')).toHaveCount(2);
  expect(await axeFindings(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});
