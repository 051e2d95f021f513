// Automatic and deferred payment in a real browser: a balance that is topped up from a card after consent,
// and instalments that an Admin agrees on, with the same figure on the bill, in the list and on the
// dashboard.
import { FakeStripe, stripeSecret, type StripeEvent } from '../tests/support/stripe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { subscribeSinceLastMonth } from '#tests/support/browser/last-month-bill.ts';
import { monthName } from '#tests/support/browser/terms.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const stripe = new FakeStripe();
const payer = { account: 'later@customer.example', password: 'another long passphrase' };
/**
 * The last closed month, in Taipei: after an earlier one the console would close later ones automatically,
 * too.
 */
const month = monthName(-1);
let journey: Journey;

test.beforeAll(async ({ startJourney }) => {
  await stripe.start();
  journey = await startJourney({
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
  });
  const admin = await journey.setUp();
  const { organizationId } = await journey.register({ ...payer, name: '付款人', organization: '慢慢付' });
  await subscribeSinceLastMonth(journey, admin, organizationId, '1000');
  await journey.call('POST', '/admin/billing/close', { month }, admin);
});
test.afterAll(async () => {
  await journey.end();
  await stripe.stop();
});

async function says(event: StripeEvent): Promise<void> {
  const { body, headers } = stripe.signed(event, new Date());
  expect(
    (await fetch(`${journey.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers }))
      .status,
  ).toBe(200);
}

test('T-TOP: auto top-up asks for consent with the exact amounts, charges, and shows why it stopped', async () => {
  const { page, pageErrors } = await journey.person({ elsewhere: [stripe.address] });
  await journey.openSession(payer, page);
  const open = () => page.goto(`${journey.address}/billing/management`);
  await open();
  const part = page.getByRole('region', { name: '自動儲值' });
  await expect(part).toContainText('先在「付款方式」新增卡片');
  // A card, saved at the provider.
  await page.getByRole('button', { name: '付款方式' }).click();
  const cards = page.getByRole('dialog');
  await cards.getByRole('button', { name: '新增卡片' }).click();
  await cards.getByRole('checkbox').check();
  await cards.getByRole('button', { name: '前往輸入卡片' }).click();
  await page.getByRole('heading', { name: 'Save a card' }).waitFor();
  const session = stripe.cards.enter([...stripe.cards.setups.values()].at(-1)?.url ?? '', { last4: '4242' });
  await says(stripe.event('checkout.session.completed', session));
  await open();
  await part.getByRole('button', { name: '設定自動儲值' }).click();
  const dialog = page.getByRole('dialog', { name: '設定自動儲值' });
  await dialog.getByRole('textbox', { name: '餘額低於' }).fill('500');
  await dialog.getByRole('textbox', { name: '每次儲值' }).fill('2,000');
  await dialog.getByRole('textbox', { name: '每月上限' }).fill('1000');
  await expect(dialog).toContainText('扣款 NT$2,000 儲值至餘額，每個曆月合計不超過 NT$1,000');
  await dialog.getByRole('button', { name: '啟用' }).click();
  await expect(dialog).toContainText('每月上限請至少等於每次儲值的金額。');
  await dialog.getByRole('textbox', { name: '每月上限' }).fill('5000');
  await dialog.getByRole('button', { name: '啟用' }).click();
  await expect(dialog).toContainText('請先同意，才能啟用自動儲值。');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '啟用' }).click();
  await expect(dialog).toBeHidden();
  await expect(part).toContainText('本月已儲值 NT$2,000，上限 NT$5,000');
  await expect(page.getByText('NT$2,000', { exact: true }).first()).toBeVisible();
  // A higher threshold than the balance: the card is declined now.
  stripe.cards.declines.push('insufficient_funds');
  await part.getByRole('button', { name: '變更自動儲值' }).click();
  const change = page.getByRole('dialog', { name: '變更自動儲值' });
  await change.getByRole('textbox', { name: '餘額低於' }).fill('3000');
  await change.getByRole('checkbox').check();
  await change.getByRole('button', { name: '儲存變更' }).click();
  await expect(part).toContainText('卡片扣款未成功，已停止自動儲值');
  expect(pageErrors).toEqual([]);
});

test('T-TOP: an Admin sees it with the provider’s code, and ends it', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/payments`);
  const list = page.getByRole('list', { name: '自動儲值' });
  await expect(list).toContainText('本月已儲值 NT$2,000，上限 NT$5,000');
  await expect(list).toContainText('insufficient_funds');
  await list.getByRole('button', { name: /停用慢慢付/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '停用' }).click();
  await expect(page.getByText('還沒有客戶啟用自動儲值。')).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('T-PLAN: instalments are agreed for a bill, with a total that must match', async () => {
  const { page, pageErrors } = await journey.person();
  await journey.openSession(operator, page);
  await page.goto(`${journey.address}/admin/billing`);
  await page
    .getByRole('table')
    .getByText(`B-${month.replace('-', '')}-000001`)
    .click();
  await page.getByRole('button', { name: '約定付款計畫' }).click();
  const dialog = page.getByRole('dialog', { name: /約定付款計畫/ });
  await dialog.getByRole('textbox', { name: '期數' }).fill('2');
  await dialog.getByRole('button', { name: '平均分配' }).click();
  await dialog.getByRole('textbox', { name: '第 1 期金額' }).fill('400');
  await expect(dialog.getByText('合計 NT$925，應為 NT$1,050')).toBeVisible();
  await expect(dialog.getByRole('button', { name: '儲存計畫' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: '第 2 期金額' }).fill('650');
  await expect(dialog.getByText('與應付金額相符')).toBeVisible();
  await dialog.getByRole('button', { name: '儲存計畫' }).click();
  await expect(dialog).toBeHidden();
  const list = page.getByRole('list', { name: '付款計畫' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list).toContainText('下一期');
  expect(pageErrors).toEqual([]);
});

test('T-PLAN: the customer is asked for the next instalment, with the same amount on the dashboard, the bill and the list', async () => {
  const page = await journey.openSession(payer);
  await page.goto(`${journey.address}/user/dashboard`);
  const pay = page.getByRole('link', { name: /^支付 NT\$400：帳單/ });
  await expect(page.getByText('尚待付款 NT$400').first()).toBeVisible();
  await pay.click();
  await expect(page.getByRole('list', { name: '付款計畫' }).getByRole('listitem')).toHaveCount(2);
  await expect(
    page.getByRole('table', { name: '歷史帳單' }).getByRole('row', { name: /第 1／2 期/ }),
  ).toContainText('NT$400');
  // The balance pays it; then the next one is due.
  await page.getByRole('button', { name: /NT\$400/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox')).toHaveValue('400');
  await dialog.getByRole('button', { name: /支付 NT\$400/ }).click();
  await page.getByText('付款完成').first().waitFor();
  await page.goto(`${journey.address}/user/dashboard`);
  await expect(page.getByRole('link', { name: /^支付 NT\$650：帳單/ })).toBeVisible();
});
