// A console as it looks after some months of use: customers with usage and bills, an Admin with pending work.
// Everything is made through the API.
import { setTimeout } from 'node:timers/promises';
import { agreeTerms, sellOn, settleTerms } from './filled-selling.ts';
import { runEverything } from './filled-running.ts';
import {
  dayBefore,
  monthBefore,
  noonOf,
  twd,
  type App,
  type Call,
  type ServiceName,
  type Stands,
} from './filling.ts';
import { operator, type Credentials, type Journey } from './journey.ts';

const password = 'another long passphrase';

/** One person per role, all of the same customer. */
export const people: Readonly<Record<'Admin' | 'User' | 'ReadOnly', Credentials>> = {
  Admin: operator,
  User: { account: 'owner@customer.example', password },
  ReadOnly: { account: 'reader@customer.example', password },
};

type Named = { readonly id: string };
type Listed = { readonly items: readonly Named[] };
const perUnit = (unitPrice: string, more: object = {}) => ({
  model: 'per_unit',
  currency: 'TWD',
  unitPrice,
  ...more,
});
const meter = (eventType: string, unit: string) => ({ eventType, aggregation: 'sum', unit });
const catalogue = {
  storage: {
    name: '物件儲存',
    type: '儲存',
    category: '平台',
    description: '不限容量的物件儲存，資料存放於三個機房。',
    tags: ['熱門資料'],
    features: ['異地備援', '版本保留'],
    popular: true,
    pricing: perUnit('1.2', { included: '100' }),
    meter: meter('storage', 'GB'),
  },
  database: {
    name: '資料庫',
    type: '資料庫',
    category: '平台',
    description: '自動備援的關聯式資料庫。',
    recommended: true,
    pricing: perUnit('20'),
    meter: meter('database', '小時'),
    quota: { type: 'hard', limit: '50' },
    features: ['每日備份'],
  },
  server: {
    name: '虛擬主機 M',
    type: '運算',
    category: '運算',
    description: '四核心、十六 GB 記憶體。',
    family: '虛擬主機',
    pricing: { model: 'flat', currency: 'TWD', baseFee: '2400' },
    meter: meter('server', '小時'),
  },
  larger: {
    name: '虛擬主機 L',
    type: '運算',
    category: '運算',
    description: '八核心、三十二 GB 記憶體。',
    family: '虛擬主機',
    pricing: { model: 'flat', currency: 'TWD', baseFee: '4800' },
    meter: meter('server', '小時'),
  },
  inference: {
    name: '推論',
    type: '人工智慧',
    category: '應用',
    description: '大型語言模型的推論。',
    releaseState: 'Beta',
    popular: true,
    pricing: perUnit('0.8'),
    meter: meter('inference', '千次'),
    quota: { type: 'soft', limit: '1000' },
  },
  quantum: {
    name: '量子運算',
    type: '運算',
    category: '研究',
    description: '敬請期待。',
    releaseState: 'Coming Soon',
    pricing: perUnit('500'),
    meter: meter('quantum', '分鐘'),
  },
} as const;

/**
 * Fills a console that is not set up yet: with customers, prices, seventy days of usage, two closed months,
 * and pending requests. With `demo` the demo data is imported first; with `stands` it also gets features that
 * few consoles use all of, such as resellers, cards and event streams, through these simulated services.
 */
export async function fillConsole(
  journey: Journey,
  { demo = false, stands }: { readonly demo?: boolean; readonly stands?: Stands } = {},
): Promise<void> {
  const token = await journey.setUp();
  const asAdmin: Call = (method, path, body, mediaType) => journey.call(method, path, body, token, mediaType);
  if (demo) await importDemo(asAdmin);
  const organizationId = await makePeople(journey, asAdmin);
  const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', people.User);
  const services = Object.fromEntries(
    await Promise.all(
      Object.entries(catalogue).map(async ([name, service]) => [
        name,
        (await asAdmin<Named>('POST', '/admin/services', service)).id,
      ]),
    ),
  ) as App['services'];
  const app: App = {
    journey,
    asAdmin,
    asOwner: (method, path, body, mediaType) => journey.call(method, path, body, own, mediaType),
    organizationId,
    services,
    subscriptions: {},
  };
  await meterUsage(app);
  const sold = stands && (await sellOn(app));
  await bill(app);
  await letWait(app);
  await operate(app);
  if (!sold) return;
  await agreeTerms(app, sold);
  await settleTerms(app, stands);
  await runEverything(app, stands);
}

async function importDemo(asAdmin: Call): Promise<void> {
  const { id } = await asAdmin<Named>('POST', '/admin/imports/demo', {});
  while (
    ['waiting', 'running'].includes((await asAdmin<{ state: string }>('GET', `/admin/imports/${id}`)).state)
  )
    await setTimeout(250);
}

async function makePeople(journey: Journey, asAdmin: Call): Promise<string> {
  const register = (email: string, name: string, organization: string) =>
    journey.call<{ user: { organizationId: string } }>('POST', '/user/register', {
      email,
      name,
      password,
      organization,
      agreeToTerms: true,
    });
  const {
    user: { organizationId },
  } = await register(people.User.account, '第一位使用者', '晨光科技');
  await register('second@other.example', '第二位使用者', '海洋資訊');
  await register('third@third.example', '第三位使用者', '雲端服務實驗室');
  await asAdmin('POST', '/admin/users', {
    account: people.ReadOnly.account,
    name: '會計',
    role: 'ReadOnly',
    organizationId,
    password,
  });
  const { user } = await asAdmin<{ user: Named }>('POST', '/admin/users', {
    account: 'former@customer.example',
    name: '離職同事',
    role: 'User',
    organizationId,
    password,
  });
  await asAdmin('PATCH', `/admin/users/${user.id}`, { status: 'inactive' });
  return organizationId;
}

/** Subscriptions of two customers, and usage on every day since: enough of the database to be critical. */
async function meterUsage({ journey, asAdmin, organizationId, services, subscriptions }: App): Promise<void> {
  const { secret } = await asAdmin<{ secret: string }>('POST', '/admin/api-keys', { name: '台北閘道' });
  const { items: others } = await asAdmin<Listed>(
    'GET',
    `/admin/organizations?q=${encodeURIComponent('海洋資訊')}`,
  );
  const subscribe = async (name: ServiceName, owner = organizationId) =>
    (
      await asAdmin<Named>('POST', '/admin/subscriptions', {
        organizationId: owner,
        serviceId: services[name],
        startedAt: noonOf(75),
        ...(name === 'inference' && { acceptBeta: true }),
      })
    ).id;
  for (const name of ['storage', 'database', 'server', 'inference'] as const)
    subscriptions[name] = await subscribe(name);
  const foreign = await subscribe('storage', others[0]?.id);
  const event = (
    type: string,
    subject: string,
    count: number,
    value: number,
    id = `${type}-${subject.slice(-4)}-${count}`,
  ) => ({
    specversion: '1.0',
    id,
    source: '/gateways/tpe-1',
    type,
    subject,
    time: noonOf(count),
    data: { value: String(value) },
  });
  const today = Number(dayBefore(0).slice(-2));
  const days = Array.from({ length: 70 }, (_, index) => index + 1);
  const send = (events: readonly object[]) =>
    journey.call('POST', '/usage/events', events, secret, 'application/cloudevents-batch+json');
  await send(
    days.flatMap((count) => [
      event('storage', subscriptions['storage'] ?? '', count, 12 + ((count * 7) % 9)),
      event('inference', subscriptions['inference'] ?? '', count, 20 + ((count * 5) % 13)),
      event('storage', foreign, count, 30),
    ]),
  );
  await send(
    days
      .filter((count) => count >= today)
      .map((count) => event('database', subscriptions['database'] ?? '', count, 1)),
  );
  await journey.call(
    'POST',
    '/usage/events',
    [
      {
        ...event('database', subscriptions['database'] ?? '', 0, 48),
        time: new Date(Date.now() - 60_000).toISOString(),
      },
    ],
    secret,
    'application/cloudevents-batch+json',
  );
  await send([
    { ...event('storage', subscriptions['storage'] ?? '', 1, 0, 'no-number'), data: { value: '三' } },
    event('storage', 'sub_00000000000000000000000000', 1, 1, 'no-subject'),
  ]);
}

/** Two closed months: the older bill is paid from prepaid credit, the newer one is open. */
async function bill({ asAdmin, asOwner }: App): Promise<void> {
  for (const count of [2, 1]) await asAdmin('POST', '/admin/billing/close', { month: monthBefore(count) });
  await asAdmin('PUT', '/admin/payments/bank-account', {
    bank: '台灣銀行',
    holder: '福爾摩沙雲端',
    account: '012-345-678901',
    note: '',
  });
  const { id } = await asOwner<Named>('POST', '/billing/top-ups', { amount: twd('20000') });
  await asAdmin('POST', `/admin/payments/${id}/confirm`, {});
  await asOwner('POST', '/billing/top-ups', { amount: twd('5000'), note: '下個月的預付' });
  const { items } = await asOwner<Listed>('GET', '/bills');
  await asOwner('POST', `/bills/${items.at(-1)?.id}/payments`, { method: 'balance' });
  await asAdmin('POST', `/admin/bills/${items[0]?.id}/credit-notes`, {
    reason: '服務中斷三小時',
    what: { kind: 'percent', percent: '5' },
  });
}

/**
 * Things that are waiting for somebody: a quota increase request, an invitation, keys, a webhook, a budget
 * that is nearly spent.
 */
async function letWait({ asAdmin, asOwner, services, subscriptions }: App): Promise<void> {
  await asOwner('POST', `/usage/quotas/${subscriptions['database']}/raises`, {
    limit: '80',
    reason: '月底的活動',
  });
  await asOwner('POST', '/organization/invitations', { email: 'accountant@books.example', role: 'ReadOnly' });
  await asOwner('POST', '/organization/api-keys', { name: '報表程式', scope: 'read' });
  await asOwner('POST', '/organization/webhooks', {
    url: 'https://hooks.customer.example/skytally',
    description: '帳務系統',
    eventTypes: null,
  });
  await asOwner('POST', '/budgets', { name: '本月預算', amount: twd('5000'), thresholds: [50, 80, 100] });
  await asOwner('POST', `/services/${services.quantum}/interest`, {});
  const words = {
    zhTW: { title: '系統維護', text: '週六凌晨兩點到四點暫停服務。' },
    enUS: { title: 'Maintenance', text: 'Closed on Saturday from two to four in the morning.' },
  };
  const { id } = await asAdmin<Named>('POST', '/admin/announcements', {
    words,
    severity: 'warning',
    link: '/service/overview',
    audience: { kind: 'all' },
  });
  await asAdmin('POST', `/admin/announcements/${id}/send`, {});
  await asAdmin('POST', '/admin/announcements', {
    words,
    severity: 'info',
    link: null,
    audience: { kind: 'role', role: 'User' },
  });
}

/**
 * What an operator has already done: a bank statement, a license, a backup, the pack of a month, a check of
 * the books.
 */
async function operate({ asAdmin, asOwner, subscriptions }: App): Promise<void> {
  const mapping = JSON.stringify({ headerLine: 1, day: 0, description: 1, debit: 2, credit: 3, balance: 4 });
  const lines = [
    '日期,摘要,支出,存入,餘額',
    `${dayBefore(3).replaceAll('-', '/')},晨光科技 匯款,,5000,105000`,
    `${dayBefore(2).replaceAll('-', '/')},轉帳,,777,105777`,
    `${dayBefore(2).replaceAll('-', '/')},手續費,30,,105747`,
  ];
  await asAdmin(
    'POST',
    `/admin/bank-statements?${new URLSearchParams({ fileName: 'statement.csv', account: '012-345-678901', currency: 'TWD', mapping }).toString()}`,
    lines.join('\n'),
    'text/csv',
  );
  const machine = {
    hostname: 'db-01',
    platform: 'linux',
    machineId: '3d1219c7c4c5404aaa1f6d2a48adfda4',
    systemUuid: '4c4c4544-0051-3510-8052-b4c04f4d4e32',
    boardSerial: 'CNFCP0079E00AB',
    cpu: 'Intel(R) Xeon(R) Gold 6226R',
    macAddresses: ['b8:ca:3a:00:00:01'],
    diskSerials: ['S3Z9NB0K'],
  };
  await asAdmin('POST', '/licenses', { subscriptionId: subscriptions['database'], machine });
  await asAdmin('POST', '/admin/backups', {});
  for (const [call, path] of [
    [asAdmin, '/admin/packs'],
    [asOwner, '/billing/packs'],
  ] as const)
    await call('POST', path, { month: monthBefore(1) });
  await asAdmin('POST', '/admin/ledger/checks', {});
}
