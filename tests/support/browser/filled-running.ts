// How a filled console is operated: roles and sign-in, approvals, and where data comes from and goes to.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { makeSelfSigned } from '../certificates.ts';
import { dayBefore, monthBefore, taipeiMs, type App, type Call, type Stands } from './filling.ts';

type Named = { readonly id: string };
const password = 'another long passphrase';
const second = { account: 'second@cloud.example', password };

/** All of it; approvals come last, because from then on calls that need one are held. */
export async function runEverything(app: App, stands: Stands): Promise<void> {
  await letPeopleIn(app);
  await readCosts(app);
  if (stands.nats !== undefined) await readStream(app, stands.nats);
  await sendOut(app, stands);
  await keepPersonalData(app);
  await app.asAdmin('PUT', '/admin/exchange-rates', {
    currency: 'USD',
    against: 'TWD',
    day: dayBefore(1),
    rate: '31.215',
  });
  await app.asAdmin('PUT', '/admin/exchange-rates', {
    currency: 'EUR',
    against: 'TWD',
    day: dayBefore(1),
    rate: '36.08',
  });
  await app.asAdmin('POST', '/admin/sandboxes', {
    name: '合作夥伴測試',
    startAt: `${monthBefore(0)}-01T00:00:00Z`,
    copyCatalogue: true,
  });
  await askSecondAdmin(app);
}

/** Custom roles of both sides, session policies, and a company's own sign-in. */
async function letPeopleIn({ asAdmin, asOwner, organizationId }: App): Promise<void> {
  await asAdmin('POST', '/admin/roles', {
    name: '帳務助理',
    description: '看帳單、用量與付款，不能變更。',
    baseRole: 'Admin',
    permissions: ['billing:read', 'usage:read', 'payments:read'],
  });
  await asOwner('POST', '/organization/roles', {
    name: '技術同事',
    description: '只看用量',
    baseRole: 'ReadOnly',
    permissions: ['usage:read'],
  });
  await asAdmin('PUT', '/admin/session-policy', { idleMinutes: 60, sessionHours: 12, networks: [] });
  await asOwner('PUT', '/organization/session-policy', {
    idleMinutes: 30,
    sessionHours: 8,
    networks: ['127.0.0.0/8', '203.0.113.0/24', '2001:db8:20::/48'],
  });
  const { id } = await asAdmin<Named>('POST', '/admin/identity-providers', {
    name: '晨光科技 Entra ID',
    kind: 'saml',
    organizationId,
    isActive: true,
    entityId: 'https://sts.windows.example/7b1f4e2a-0000-4c1d-9a57-2f8f4bb0f2aa/',
    ssoUrl: 'https://login.microsoftonline.example/7b1f4e2a-0000-4c1d-9a57-2f8f4bb0f2aa/saml2',
    certificates: [makeSelfSigned('sts.windows.example').certificate],
    clientId: '',
    clientSecret: null,
    allowsUnsolicited: false,
    mustUse: false,
    defaultRole: 'ReadOnly',
    emailAttribute: '',
    nameAttribute: '',
    groupsAttribute: 'groups',
    groups: [{ group: 'console-users', role: 'User' }],
  });
  for (const domain of ['customer.example', 'chenguang-tech.example'])
    await asAdmin('POST', `/admin/identity-providers/${id}/domains`, { domain });
  await asAdmin('POST', `/admin/identity-providers/${id}/scim-token`, {});
}

/** A cloud provider's cost file: imported, one vendor's costs assigned to a customer, and sold. */
async function readCosts({ asAdmin, organizationId }: App): Promise<void> {
  const { serviceId } = await asAdmin<{ serviceId: string }>('POST', '/admin/cost-template', {
    name: '雲端轉售',
    currency: 'USD',
  });
  const { id: subscriptionId } = await asAdmin<Named>('POST', '/admin/subscriptions', {
    organizationId,
    serviceId,
    startedAt: new Date(Date.parse(`${monthBefore(0)}-01`) - taipeiMs).toISOString(),
  });
  const { id } = await asAdmin<Named>('POST', '/admin/cost-sources', {
    name: '雲端帳單',
    place: { kind: 'upload' },
    rules: [{ field: 'provider', tag: '', value: 'AWS', subscriptionId }],
    selling: {
      costBasis: 'billed',
      sellBasis: 'cost',
      passesCredits: false,
      markUps: [
        { organizationId: null, subscriptionId: null, service: '', percent: '15', minimumFee: null },
        { organizationId, subscriptionId: null, service: '', percent: '12.5', minimumFee: '20' },
      ],
    },
  });
  const sample = await readFile(new URL('../../../demo-data/focus-sample.csv', import.meta.url), 'utf8');
  // Moved to the current month: nothing can be sold for a closed one.
  const csv = sample
    .replaceAll('2024-09', monthBefore(0))
    .replaceAll('2024-10', monthBefore(-1))
    .replaceAll(/-02-(29|30)/g, '-02-28');
  const { id: importId } = await asAdmin<Named>(
    'POST',
    `/admin/cost-sources/${id}/files?name=focus.csv`,
    csv,
    'text/csv',
  );
  await until(asAdmin, `/admin/cost-sources/${id}/imports`, importId, ['waiting', 'reading']);
  await asAdmin('POST', `/admin/cost-imports/${importId}/apply`, {});
  await asAdmin('POST', '/admin/cost-sources', {
    name: '每日匯出檔',
    place: {
      kind: 'bucket',
      bucket: 'acme-cost-exports',
      prefix: 'focus/',
      region: 'ap-northeast-1',
      endpoint: null,
      accessKeyId: null,
    },
    rules: [],
    selling: { costBasis: 'billed', sellBasis: 'list', passesCredits: true, markUps: [] },
  });
}

/** Waits until an item of a list has left these states. */
async function until(call: Call, path: string, id: string, states: readonly string[]): Promise<void> {
  const isBusy = async (): Promise<boolean> =>
    (await call<{ items: readonly { id: string; state: string }[] }>('GET', path)).items.some(
      (each) => each.id === id && states.includes(each.state),
    );
  while (await isBusy()) await setTimeout(250);
}

/** A stream of orders: three that are usage, two that are not. */
async function readStream({ asAdmin, subscriptions }: App, port: number): Promise<void> {
  const connection = await connect({ servers: `127.0.0.1:${port}` });
  await (await jetstreamManager(connection)).streams.add({ name: 'ORDERS', subjects: ['orders.>'] });
  const publish = jetstream(connection);
  const customer = subscriptions['storage'];
  for (const text of [
    ...['A-1', 'A-2', 'A-3'].map((order) => JSON.stringify({ order, customer, gb: 12.5 })),
    JSON.stringify({ order: 'A-4', gb: 3 }),
    'no json',
  ])
    await publish.publish('orders.tw', text);
  await connection.close();
  const stream = (name: string, subject: string, consumer: string) =>
    asAdmin<Named>('POST', '/admin/event-streams', {
      name,
      address: `nats://127.0.0.1:${port}`,
      authority: '',
      options: { kind: 'nats', stream: 'ORDERS', subject, consumer },
      credentials: { kind: 'none' },
      format: 'mapped',
      expression: '{ "subject": customer, "type": "storage", "id": order, "data": { "value": gb } }',
      start: 'earliest',
    });
  const { id } = await stream('台北訂單系統', 'orders.tw', 'skytally-orders');
  await stream('大阪訂單系統（試行）', 'orders.jp', 'skytally-orders-osaka');
  await asAdmin('POST', `/admin/event-streams/${id}/start`, {});
  const messages = async (): Promise<number> =>
    (await asAdmin<{ messages: number }>('GET', `/admin/event-streams/${id}`)).messages;
  while ((await messages()) < 5) await setTimeout(250);
}

/** Sends the audit log to a webhook and to an unresponsive destination; exports everything. */
async function sendOut({ asAdmin }: App, { receiver }: Stands): Promise<void> {
  await asAdmin('POST', '/admin/audit-exports', {
    name: '資安中心',
    target: { kind: 'webhook', url: `${receiver}/audit` },
    start: 'beginning',
  });
  await asAdmin('POST', '/admin/audit-exports', {
    name: '機房的 syslog',
    target: { kind: 'syslog', host: '127.0.0.1', port: 9, isTls: true, authority: '' },
    start: 'beginning',
  });
  await asAdmin('PUT', '/admin/data-exports/plan', {
    isOn: true,
    hour: 3,
    keepDays: 30,
    tables: null,
    bucket: null,
  });
  const { id } = await asAdmin<Named>('POST', '/admin/data-exports', {});
  await until(asAdmin, '/admin/data-exports', id, ['waiting', 'running']);
}

/** A finished export, and an erased person with a certificate. */
async function keepPersonalData({ asAdmin, organizationId }: App): Promise<void> {
  const { id } = await asAdmin<Named>('POST', '/admin/personal-data/exports', { organizationId });
  await until(asAdmin, '/admin/personal-data/exports', id, ['waiting', 'running']);
  const { user } = await asAdmin<{ user: Named }>('POST', '/admin/users', {
    account: 'leaver@customer.example',
    name: '已離職的同事',
    role: 'User',
    organizationId,
    password,
  });
  await asAdmin('DELETE', `/admin/users/${user.id}`);
  const { id: erasureId } = await asAdmin<Named>('POST', '/admin/personal-data/erasures', {
    subjectId: user.id,
    name: '已離職的同事',
    reason: '當事人來信要求（案號 2026-118）',
  });
  await until(asAdmin, '/admin/personal-data/erasures', erasureId, ['waiting', 'running']);
}

/** Two Admins: one makes three requests, of which the other approves one and rejects one; the other also makes one. */
async function askSecondAdmin({ journey, asAdmin }: App): Promise<void> {
  await asAdmin('POST', '/admin/users', { ...second, name: '林怡君', role: 'Admin' });
  await asAdmin('PUT', '/admin/approval-settings', {
    chosen: ['void_bill', 'credit_note', 'refund', 'close_month', 'bank_account', 'admins'],
    days: 7,
  });
  const { token } = await journey.call<{ token: string }>('POST', '/user/login', second);
  const asSecond: Call = (method, path, body) => journey.call(method, path, body, token);
  const account = (number: string, note: string) => ({
    bank: '台灣銀行',
    holder: '福爾摩沙雲端',
    account: number,
    note,
  });
  const ask = async (call: Call, method: string, path: string, body: object): Promise<string> =>
    (await call<{ approval: Named }>(method, path, body)).approval.id;
  const bank = '/admin/payments/bank-account';
  const agreed = await ask(asAdmin, 'PUT', bank, account('012-345-678902', '營業部'));
  await asSecond('POST', `/admin/approvals/${agreed}/approve`, { note: '已與銀行確認' });
  const refused = await ask(asAdmin, 'PUT', bank, account('999-000-111222', ''));
  await asSecond('POST', `/admin/approvals/${refused}/reject`, { note: '帳號不是公司的' });
  const { items } = await asAdmin<{ items: readonly { id: string }[] }>('GET', '/admin/bills?sort=-total');
  await ask(asSecond, 'POST', `/admin/bills/${items[0]?.id}/credit-notes`, {
    reason: '服務中斷三小時，依合約折讓。',
    what: { kind: 'percent', percent: '5' },
  });
  await ask(asAdmin, 'POST', '/admin/users', {
    account: 'new-admin@cloud.example',
    name: '陳建宏',
    role: 'Admin',
  });
}
