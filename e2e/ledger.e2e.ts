// The books in a real browser: a customer’s statement of account, the ledger behind it, and the check that
// both can start.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const owner = { account: 'owner@customer.example', password: 'another long password' };
let journey: Journey;

/** A customer who has paid half of last month’s bill from their prepaid balance. */
test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  const admin = await journey.setUp();
  const user = await journey.register({ ...owner, name: '客戶', organization: '晨光' });
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', owner);
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '主機',
      type: 'VM',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '1000' },
      meter: { eventType: 'call', aggregation: 'sum', unit: '次' },
    },
    admin,
  );
  const [year, month] = new Date(Date.now() + 8 * 3_600_000)
    .toISOString()
    .slice(0, 7)
    .split('-')
    .map(Number) as [number, number];
  const begins = new Date(Date.UTC(year, month - 2, 1) - 8 * 3_600_000);
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId: user.organizationId, serviceId, startedAt: begins.toISOString() },
    admin,
  );
  await journey.call(
    'POST',
    '/admin/billing/close',
    { month: new Date(begins.getTime() + 8 * 3_600_000).toISOString().slice(0, 7) },
    admin,
  );
  const { id } = await journey.call<{ id: string }>(
    'POST',
    '/billing/top-ups',
    { amount: { amount: '600', currency: 'TWD' } },
    token,
  );
  await journey.call('POST', `/admin/payments/${id}/confirm`, {}, admin);
  const {
    items: [bill],
  } = await journey.call<{ items: { id: string }[] }>('GET', '/bills', undefined, token);
  await journey.call(
    'POST',
    `/bills/${bill?.id}/payments`,
    { method: 'balance', amount: { amount: '500', currency: 'TWD' } },
    token,
  );
});
test.afterAll(() => journey.end());

test.describe('R-BILL-05 the ledger', () => {
  test('is a statement of account for the customer, who can have the books checked', async () => {
    const page = await journey.openSession(owner);
    await page.goto(`${journey.address}/billing/management`);
    await page.getByRole('tab', { name: '對帳單' }).click();
    const owed = page.getByRole('table', { name: '應付帳款' });
    await owed.getByRole('row', { name: /^.*開立帳單.*B-\d{6}-000001.*NT\$1,050.*NT\$1,050$/ }).waitFor();
    await owed.getByRole('row', { name: /期末餘額.*NT\$1,050.*NT\$500.*NT\$550$/ }).waitFor();
    await page
      .getByRole('table', { name: '預付餘額' })
      .getByRole('row', { name: /期末餘額.*NT\$600.*NT\$500.*NT\$100$/ })
      .waitFor();
    await page.getByRole('button', { name: '查核您的帳務' }).click();
    await page.getByText('帳務全部正確。').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('balances for the Admin, links entries to bills, and is checked by a separate program', async () => {
    const page = await journey.openSession(operator);
    await page.goto(`${journey.address}/admin/ledger`);
    await page.getByText('借貸相等，總帳平衡。').waitFor();
    await page.getByRole('tab', { name: '科目' }).click();
    await page.getByRole('row', { name: /晨光.*應收帳款.*NT\$550/ }).click();
    await page
      .getByRole('dialog', { name: '對帳單' })
      .getByRole('row', { name: /期末餘額.*NT\$1,050.*NT\$500.*NT\$550/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: '查核' }).click();
    await page.getByRole('button', { name: '查核帳務' }).click();
    await page.getByText('帳務全部正確。').waitFor();
    await page.getByRole('row', { name: /稽核紀錄鏈完整 I9.*正確/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: '交易' }).click();
    await page
      .getByRole('link', { name: /^B-\d{6}-000001$/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === '/admin/billing' && url.searchParams.has('bill'));
  });
});
