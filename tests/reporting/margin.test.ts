// Margin on real bills and imported cost: hand-computed figures, and totals that equal cost imports and
// billed revenue (issue 30).
import Big from 'big.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { costImports, type CostImport } from '#features/metering/cost-imports/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { metrics, type MarginSums } from '#features/reporting/metrics/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const september = '2024-09' as BillingMonth;
const october = '2024-10' as BillingMonth;
let console: TestConsole;
let admin: string;
let org: { gain: Id<'org'>; loss: Id<'org'>; plain: Id<'org'> };
let service: { cloud: Id<'svc'>; plain: Id<'svc'> };
let sub: { gain: Id<'sub'>; loss: Id<'sub'> };

const header =
  'BilledCost,EffectiveCost,ListCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,ProviderName,SubAccountId,ServiceName,Tags';
const line = (account: string, cost: string, cloud: string, month: string, currency = 'USD'): string => {
  const next = month === '2024-09' ? '2024-10' : '2024-11';
  return `${cost},${cost},${cost},${currency},${month}-01,${next}-01,${month}-03T00:00:00Z,Usage,AWS,${account},${cloud},`;
};
const asAdmin = () => ({ token: admin });
const refresh = () => runFeatureJob(console.app, 'metrics.refresh');

async function importCosts(lines: readonly string[]): Promise<void> {
  const source = await console.ok(
    costImports.createCostSource,
    {
      name: 'Cloud',
      place: { kind: 'upload' },
      rules: [
        { field: 'subAccount', tag: '', value: 'gain', subscriptionId: sub.gain },
        { field: 'subAccount', tag: '', value: 'loss', subscriptionId: sub.loss },
      ],
      selling: {
        costBasis: 'billed',
        sellBasis: 'cost',
        passesCredits: false,
        markUps: [
          { organizationId: null, subscriptionId: null, service: '', percent: '25', minimumFee: null },
        ],
      },
    } as never,
    asAdmin(),
  );
  const { data } = await console.call(
    costImports.uploadCostFile,
    { sourceId: source.id, name: 'costs.csv' },
    {
      token: admin,
      body: Buffer.from([header, ...lines].join('\n')) as never,
      headers: { 'content-type': 'application/octet-stream' },
    },
  );
  await runFeatureJob(console.app, 'cost-imports');
  await console.ok(costImports.applyCostImport, { importId: (data as CostImport).id }, asAdmin());
}
async function close(month: BillingMonth, at: string): Promise<void> {
  console.clock.set(new Date(at));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month }, asAdmin());
  await refresh();
}
const marginOf = (asked: object = {}) =>
  console.ok(metrics.margin, { currency: 'USD', month: september, ...asked }, asAdmin());
/** "revenue | with known cost | cost | margin | percent". */
const formatted = ({ revenue, knownRevenue, cost, margin, percent }: MarginSums): string =>
  [moneyText(revenue), moneyText(knownRevenue), cost ?? 'unknown', margin ?? '-', percent ?? '-'].join(' | ');

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-10T03:00:00Z'));
  await stopRepeating(console.app);
  admin = await setUp(console);
  const owner = async (name: string): Promise<Id<'org'>> =>
    (await registerUser(console, `owner@${name.toLowerCase()}.example`, name)).organizationId as Id<'org'>;
  org = { gain: await owner('Gain'), loss: await owner('Loss'), plain: await owner('Plain') };
  const cloud = await console.ok(
    costImports.createResoldCloud,
    { name: 'Resold', currency: 'USD' },
    asAdmin(),
  );
  const plain = await console.ok(
    catalogue.createService,
    {
      name: 'Desk',
      type: 'API',
      category: 'Own',
      pricing: { model: 'flat', currency: 'USD', baseFee: '90' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    asAdmin(),
  );
  service = { cloud: cloud.serviceId, plain: plain.id };
  const subscribe = async (organizationId: Id<'org'>, serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
    (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId, serviceId, startedAt: new Date('2024-08-31T16:00:00Z') },
        asAdmin(),
      )
    ).id;
  sub = {
    gain: await subscribe(org.gain, service.cloud),
    loss: await subscribe(org.loss, service.cloud),
  };
  await subscribe(org.plain, service.plain);
  await subscribe(org.gain, service.plain);
  await importCosts([
    line('gain', '80', 'EC2', september),
    line('gain', '0.125', 'S3', september),
    line('loss', '40', 'EC2', september),
  ]);
  await close(september, '2024-10-02T03:00:00Z');
});
beforeEach(async () => {
  admin = await signIn(console, adminAccount.account, adminAccount.password);
});

describe('T-MARGIN: margin of customers and services', () => {
  it('T-MARGIN: totals equal billed revenue and the cost and margin of cost imports, to the last digit', async () => {
    const { totals, billed, items } = await marginOf();
    const imports = await console.ok(costImports.getMargin, { month: september }, asAdmin());
    const own = required(imports.totals[0], 'a total of cost imports');
    expect([totals.cost, totals.margin]).toEqual([own.cost, own.margin]);
    expect(Big(moneyText(totals.knownRevenue)).eq(own.sold)).toBe(true);
    // 100.16 (80.125 with 25 %, rounded) + 50 + twice the desk.
    expect(formatted(totals)).toBe('330.16 | 150.16 | 120.125 | 30.035 | 20.0');
    expect([moneyText(billed), totals.knownShare]).toEqual(['330.16', '45.5']);
    expect(items.reduce((sum, { revenue }) => sum + revenue.minor, 0n)).toBe(billed.minor);
    expect(items.reduce((sum, { cost }) => sum.plus(cost ?? 0), Big(0)).toFixed()).toBe(totals.cost);
  });

  it('T-MARGIN: without imported cost, cost and margin are unknown, not equal to revenue', async () => {
    const { items } = await marginOf();
    expect(items.map((one) => [one.name, formatted(one)])).toEqual([
      ['Gain', '190.16 | 100.16 | 80.125 | 20.035 | 20.0'],
      ['Plain', '90.00 | 0.00 | unknown | - | -'],
      ['Loss', '50.00 | 50.00 | 40 | 10 | 20.0'],
    ]);
    const services = await marginOf({ by: 'service' });
    expect(services.items.map((one) => [one.name, formatted(one)])).toEqual([
      ['Desk', '180.00 | 0.00 | unknown | - | -'],
      ['Resold', '150.16 | 150.16 | 120.125 | 30.035 | 20.0'],
    ]);
    const ofCloud = await marginOf({ serviceId: service.cloud });
    expect(ofCloud.items.map((one) => [one.name, moneyText(one.revenue)])).toEqual([
      ['Gain', '100.16'],
      ['Loss', '50.00'],
    ]);
  });

  it('T-MARGIN: a credit note lowers margin; losses are first when sorted by margin, and unknown cost last both ways', async () => {
    const { items: bills } = await console.ok(
      billing.adminListBills,
      { month: september, organizationId: org.loss },
      asAdmin(),
    );
    await console.ok(
      credits.issueCredit,
      {
        billId: required(bills[0], 'a bill').id,
        reason: 'Outage',
        what: { kind: 'amount', net: money(3000n, 'USD') },
      },
      asAdmin(),
    );
    await refresh();
    const names = async (sort: string): Promise<string[]> =>
      (await marginOf({ sort })).items.map(({ name }) => name);
    expect(await names('margin')).toEqual(['Loss', 'Gain', 'Plain']);
    expect(await names('-margin')).toEqual(['Gain', 'Loss', 'Plain']);
    const first = await marginOf({ sort: 'margin', limit: 1 });
    expect(first.items.map(formatted)).toEqual(['20.00 | 20.00 | 40 | -20 | -100.0']);
    const next = await marginOf({ sort: 'margin', limit: 2, cursor: first.nextCursor });
    expect(next.items.map(({ name }) => name)).toEqual(['Gain', 'Plain']);
  });

  it('T-MARGIN: opens to the lines with known or unknown cost, and to cost by the cloud’s services', async () => {
    const { lines, costs } = await console.ok(
      metrics.marginLines,
      { currency: 'USD', month: september, organizationId: org.gain },
      asAdmin(),
    );
    expect(
      lines.map((one) => `${one.serviceName} ${moneyText(one.amount)} ${one.isCostKnown}`).toSorted(),
    ).toEqual(['Desk 90.00 false', 'Resold 100.16 true']);
    expect(costs.map((one) => [one.month, one.service, one.cost, one.lacking])).toEqual([
      [september, 'EC2', '80', []],
      [september, 'S3', '0.125', []],
    ]);
    const ofDesk = await console.ok(
      metrics.marginLines,
      { currency: 'USD', month: september, organizationId: org.gain, serviceId: service.plain },
      asAdmin(),
    );
    expect([ofDesk.lines.length, ofDesk.costs.length]).toEqual([1, 0]);
  });

  it('T-MARGIN: twelve months are the sum of their months, and cost without a rate is reported and not included', async () => {
    console.clock.set(new Date('2024-10-20T03:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    await importCosts([
      line('gain', '16', 'EC2', october),
      line('loss', '8', 'EC2', october),
      line('loss', '7', 'S3', october, 'EUR'),
    ]);
    await close(october, '2024-11-02T03:00:00Z');
    const one = await marginOf({ month: october });
    // 20 and 10, and the desk twice; the euros of storage have no rate.
    expect(formatted(one.totals)).toBe('210.00 | 30.00 | 24 | 6 | 20.0');
    expect(one.items.map(({ name, isCostLacking }) => [name, isCostLacking])).toEqual([
      ['Gain', false],
      ['Plain', false],
      ['Loss', true],
    ]);
    const imports = await console.ok(costImports.getMargin, { month: october }, asAdmin());
    expect(imports.totals[0]?.cost).toBe(one.totals.cost);
    const year = await marginOf({ month: october, span: 'year' });
    expect(year.from).toBe('2023-11');
    expect(formatted(year.totals)).toBe('510.16 | 150.16 | 144.125 | 6.035 | 4.0');
    expect(moneyText(year.billed)).toBe('510.16');
    const { costs } = await console.ok(
      metrics.marginLines,
      { currency: 'USD', month: october, span: 'year', organizationId: org.loss },
      asAdmin(),
    );
    expect(costs.map((each) => [each.month, each.service, each.cost, each.lacking])).toEqual([
      [september, 'EC2', '40', []],
      [october, 'EC2', '8', []],
      [october, 'S3', null, [{ currency: 'EUR', amount: '7' }]],
    ]);
  });

  it('T-MARGIN: is exported as CSV with the figures of the page, and unknown cost as text', async () => {
    const answer = await console.ok(
      metrics.export,
      {
        report: 'margin',
        currency: 'USD',
        month: september,
        by: 'service',
        format: 'csv',
        language: 'enUS',
      },
      asAdmin(),
    );
    expect(
      new TextDecoder()
        .decode(answer.body as Uint8Array)
        .trim()
        .split('\r\n'),
    ).toEqual([
      'Service,Total,With known cost,Known cost %,Cost,Margin,Margin %,Currency',
      'Desk,180.00,0.00,0.0,Cost unknown,,,USD',
      'Resold,120.16,120.16,100.0,120.125,0.035,0.0,USD',
    ]);
  });
});
