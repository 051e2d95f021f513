// A gateway sends bad events; the Admin sees why, corrects one, resends the others after fixing the cause,
// and the usage counts.
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

const customer = { account: 'owner@customer.example', password: 'another long passphrase' };
let journey: Journey;
let adminToken: string;
let secret: string;
let serviceId: string;
let subject: string;

const time = new Date(Date.now() - 60_000).toISOString();
const event = (id: string, data: object) => ({
  specversion: '1.0',
  id,
  source: '/gateways/tpe-1',
  type: 'gb',
  subject,
  time,
  data,
});
const gatewaySends = (events: readonly object[]) =>
  journey.call<{ accepted: number; rejected: unknown[] }>(
    'POST',
    '/usage/events',
    events,
    secret,
    'application/cloudevents-batch+json',
  );
/** The customer’s usage of today, in total. */
async function usedByCustomer(): Promise<number> {
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', customer);
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const { series } = await journey.call<{ series: { quantities: string[] }[] }>(
    'GET',
    `/usage/daily?from=${today.slice(0, 8)}01&to=${today}`,
    undefined,
    token,
  );
  return series.flatMap((one) => one.quantities).reduce((sum, quantity) => sum + Number(quantity), 0);
}

test.beforeAll(async ({ startJourney }) => {
  journey = await startJourney();
  adminToken = await journey.setUp();
  serviceId = (
    await journey.call<{ id: string }>(
      'POST',
      '/admin/services',
      {
        name: '物件儲存',
        type: '儲存',
        category: '平台',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
        meter: {
          eventType: 'gb',
          aggregation: 'sum',
          unit: 'GB',
          dataSchema: { properties: { region: { enum: ['tpe'] } } },
        },
      },
      adminToken,
    )
  ).id;
  secret = (
    await journey.call<{ secret: string }>('POST', '/admin/api-keys', { name: '台北閘道' }, adminToken)
  ).secret;
  const user = await journey.register({ ...customer, name: '客戶', organization: '大客戶' });
  subject = (
    await journey.call<{ id: string }>(
      'POST',
      '/admin/subscriptions',
      {
        organizationId: user.organizationId,
        serviceId,
        startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
      },
      adminToken,
    )
  ).id;
});
test.afterAll(() => journey.end());

test('bad events of a gateway are corrected, resent and counted', async () => {
  const sent = await gatewaySends([
    event('good', { value: '1' }),
    event('no-number', { value: '三' }),
    ...Array.from({ length: 5 }, (_, index) => event(`khh-${index}`, { value: '10', region: 'khh' })),
  ]);
  expect([sent.accepted, sent.rejected.length]).toEqual([1, 6]);
  const page = await journey.signIn(operator);
  await page.getByRole('link', { name: /6 筆用量事件被拒絕/ }).click();
  await page.getByRole('heading', { name: '被拒絕的事件', level: 1 }).waitFor();

  // One is corrected manually.
  await page.getByRole('button', { name: '數值不是數字 1' }).click();
  await page
    .getByRole('row', { name: /no-number/ })
    .getByRole('button', { name: /^no-number/ })
    .click();
  const panel = page.getByRole('dialog', { name: 'no-number' });
  await panel.getByText('data.value 必須是十進位數字（最多 12 位小數）。').waitFor();
  const editor = panel.getByRole('textbox', { name: '事件（JSON）' });
  const written = await editor.inputValue();
  await editor.fill(written.slice(0, -3));
  await panel.getByText(/^不是有效的 JSON/).waitFor();
  expect(await panel.getByRole('button', { name: '送出修正後的事件' }).isDisabled()).toBe(true);
  await editor.fill(written.replace('三', '3'));
  await panel.getByRole('button', { name: '送出修正後的事件' }).click();
  await panel.getByText('已接受並計入用量。').waitFor();
  await panel.getByText('實際送出的內容').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await usedByCustomer()).toBe(4);
  await page.keyboard.press('Escape');

  // The others were right: the schema was wrong. All with this reason are resent.
  await journey.call(
    'PATCH',
    `/admin/services/${serviceId}`,
    { dataSchema: { properties: { region: { enum: ['tpe', 'khh'] } } } },
    adminToken,
  );
  await page.goto(`${journey.address}/admin/rejected-events`);
  await page.getByRole('button', { name: '資料結構不符 5' }).click();
  await page.getByRole('button', { name: '全部重送（5 筆）' }).click();
  const dialog = page.getByRole('dialog', { name: '重新送出 5 筆事件？' });
  await dialog.getByRole('button', { name: '重新送出' }).click();
  await page.getByText('5 筆已接受、0 筆先前已計入、0 筆再次被拒絕。').waitFor();
  await page.getByRole('button', { name: '完成' }).click();
  await page.getByText('沒有被拒絕的事件').waitFor();
  expect(await usedByCustomer()).toBe(54);

  // The gateway sends everything again: nothing is counted twice.
  await gatewaySends([
    event('good', { value: '1' }),
    event('no-number', { value: '3' }),
    event('khh-0', { value: '10', region: 'khh' }),
  ]);
  expect(await usedByCustomer()).toBe(54);
});

test('events that cannot be corrected are dismissed after a confirmation', async () => {
  await gatewaySends([event('lost', { value: 'x' })]);
  const page = await journey.openSession(operator);
  await page.goto(`${journey.address}/admin/rejected-events`);
  await page.getByRole('checkbox', { name: /lost/ }).check();
  await page.getByRole('button', { name: '略過', exact: true }).click();
  await page
    .getByRole('alertdialog', { name: '略過 1 筆事件？' })
    .getByRole('button', { name: '略過' })
    .click();
  await page.getByText('已略過 1 筆事件').waitFor();
  await page.getByRole('button', { name: '已略過', exact: true }).click();
  await page.getByRole('row', { name: /lost/ }).waitFor();
});
