// A contract on a customer’s closed months: hand-computed figures, and the real bills under the real terms.
import { beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import type { SimulatedContract } from '#features/invoicing/planning/contract-terms.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

type Customer = { email: string; token: string; organizationId: Id<'org'>; subscriptionId: string };
const month = (text: string) => text as BillingMonth;
const [july, august, september] = [month('2026-07'), month('2026-08'), month('2026-09')];
const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const name = { zhTW: '約定', enUS: 'Agreed' };

let console: TestConsole;
let admin: string;
let key: string;
let storage: Service;
let machines: Service;
/** Without terms; with a one-off charge and late usage on the bill of August. */
let plain: Customer;
/** With a discount, a minimum spend and both kinds of credit. */
let agreed: Customer;
/** With two commitments. */
let committed: Customer;
/** With a rate card, and a commitment for the traffic only. */
let limited: Customer;
const commitmentIds: Id<'cmt'>[] = [];
/** Registered in July, a customer since September. */
let young: Customer;
/** A customer of a rate card. */
let card: Customer;
let idle: Id<'org'>;

async function customer(
  label: string,
  service: Service,
  startedAt = '2026-06-30T16:00:00Z',
): Promise<Customer> {
  const email = `owner@${label}.example`;
  const { token, organizationId } = await registerUser(console, email, label);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId: service.id, startedAt: new Date(startedAt) },
    { token: admin },
  );
  return { email, token, organizationId: organizationId as Id<'org'>, subscriptionId: id };
}
let events = 0;
async function use(who: Customer, time: string, value: string): Promise<void> {
  events++;
  const event = {
    specversion: '1.0',
    id: `e${events}`,
    source: '/s',
    type: 'gb',
    subject: who.subscriptionId,
    time,
    data: { value },
  };
  expect(
    await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        headers: { 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify([event]),
      },
    ),
  ).toMatchObject({ accepted: 1 });
}
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}
const close = (closed: BillingMonth) => console.ok(billing.closeMonth, { month: closed }, { token: admin });

type Asked = In<typeof planning.simulateContract>;
const inputOf = (who: Pick<Customer, 'organizationId'>, more: Partial<Asked> = {}): Asked => ({
  organizationId: who.organizationId,
  months: 3,
  currency: 'TWD',
  terms: { discounts: [], credits: [] },
  ...more,
});
const simulate = (
  who: Pick<Customer, 'organizationId'>,
  terms: Partial<Asked['terms']> = {},
  more: Partial<Asked> = {},
) =>
  console.ok(
    planning.simulateContract,
    inputOf(who, { terms: { discounts: [], credits: [], ...terms }, ...more }),
    { token: admin },
  );
const figures = ({ months }: SimulatedContract) =>
  months.map(({ simulated: { net, tax, total }, difference }) =>
    [net, tax, total, difference].map(moneyText).join(' '),
  );
const billed = ({ months }: SimulatedContract) =>
  months.map(
    (each) => each.billed && [each.billed.net, each.billed.tax, each.billed.total].map(moneyText).join(' '),
  );
/** Errors at fields, `field: code`; otherwise the code. */
async function refusal(body: object, language: 'zhTW' | 'enUS' = 'enUS') {
  const { status, envelope } = await console.call(planning.simulateContract, inputOf(plain), {
    token: admin,
    language,
    body: JSON.stringify(body),
  });
  return { status, code: envelope.code, errors: envelope.errors };
}

/** Three months of usage at 90 % of the price up to 500, and a quarterly commitment for the rest. */
const realCommitments = () => [
  {
    period: 'month' as const,
    amounts: [twd(500)],
    committedPercent: '90',
    overagePercent: '80',
    scope: { services: [storage.id], usageOnly: true },
  },
  { period: 'quarter' as const, amounts: [twd(300)], committedPercent: '80' },
];

/**
 * The traffic of machines at 75 % of its price up to 900 per month, and at 110 % beyond; their fee is not
 * included.
 */
const ofTraffic = () => ({
  period: 'month' as const,
  amounts: [twd(900)],
  committedPercent: '75',
  overagePercent: '110',
  scope: {
    services: [machines.id],
    charges: [{ serviceId: machines.id, chargeKey: 'traffic' }],
    usageOnly: false,
  },
});

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-07-10T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const meter = { eventType: 'gb', aggregation: 'sum', unit: 'GB' } as const;
  storage = await console.ok(
    catalogue.createService,
    {
      name: 'Storage',
      type: 'Storage',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1' },
      meter,
    },
    { token: admin },
  );
  machines = await console.ok(
    catalogue.createService,
    {
      name: 'Machines',
      type: 'VM',
      category: 'Own',
      currency: 'TWD',
      charges: [
        { key: 'fee', name, kind: 'recurring', model: 'flat', amount: '200' },
        { key: 'traffic', name, kind: 'usage', meter: 'gb', model: 'per_unit', unitPrice: '2' },
      ],
    },
    { token: admin },
  );
  [plain, agreed, card, committed, limited] = [
    await customer('plain', storage),
    await customer('agreed', storage),
    await customer('card', machines),
    await customer('committed', storage),
    await customer('limited', machines),
  ];
  const registered = await registerUser(console, 'owner@young.example', 'young');
  young = {
    ...registered,
    organizationId: registered.organizationId as Id<'org'>,
    email: '',
    subscriptionId: '',
  };
  idle = (await registerUser(console, 'owner@idle.example', 'idle')).organizationId as Id<'org'>;
  const { id: discountId } = await console.ok(
    discounts.createDiscount,
    {
      name,
      reduction: { kind: 'percent', percent: '10' },
      maximum: twd(60),
      duration: { kind: 'forever' },
    },
    { token: admin },
  );
  const { organizationId } = agreed;
  await console.ok(discounts.giveDiscount, { discountId, organizationId }, { token: admin });
  await console.ok(oneOffs.createMinimumSpend, { organizationId, amount: twd(800) }, { token: admin });
  const payment = await console.ok(payments.topUp, { amount: twd(500) }, { token: agreed.token });
  await console.ok(payments.confirmPayment, { paymentId: payment.id }, { token: admin });
  for (const credit of [
    { kind: 'promotional', amount: twd(150), recurring: { rollover: false }, priority: 1 },
    { kind: 'promotional', amount: twd(750), scope: { services: null, usageOnly: true }, priority: 2 },
    { kind: 'paid', amount: twd(500), priority: 3 },
  ] as const)
    await console.ok(creditgrants.giveGrant, { organizationId, name, ...credit }, { token: admin });
  for (const terms of realCommitments())
    commitmentIds.push(
      (
        await console.ok(
          commitments.makeCommitment,
          { organizationId: committed.organizationId, name, startsOn: july, months: 3, ...terms },
          { token: admin },
        )
      ).id,
    );
  await console.ok(
    commitments.makeCommitment,
    { organizationId: limited.organizationId, name, startsOn: july, months: 3, ...ofTraffic() },
    { token: admin },
  );
  for (const who of [plain, agreed, card, committed, limited]) await use(who, '2026-07-05T00:00:00Z', '900');
  await moveTo('2026-08-05T00:00:00Z');
  await close(july);
  await use(plain, '2026-07-20T00:00:00Z', '50');
  await console.ok(
    oneOffs.createOneOff,
    { organizationId: plain.organizationId, name, kind: 'charge', unitPrice: '200', currency: 'TWD' },
    { token: admin },
  );
  for (const who of [plain, agreed, card, committed, limited]) await use(who, '2026-08-04T00:00:00Z', '100');
  await moveTo('2026-09-05T00:00:00Z');
  await close(august);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: young.organizationId,
      serviceId: storage.id,
      startedAt: new Date('2026-09-01T00:00:00Z'),
    },
    { token: admin },
  );
  young.subscriptionId = id;
  for (const who of [plain, agreed, card, committed, young, limited])
    await use(who, '2026-09-04T00:00:00Z', '300');
  await moveTo('2026-10-05T00:00:00Z');
  await close(september);
});

describe('simulating a contract on closed months', () => {
  it('T-CONTRACT: gives hand-computed figures, beside what was billed', async () => {
    const simulated = await simulate(plain, {
      discounts: [{ percent: '20' }],
      minimumSpend: twd(500),
      credits: [
        { kind: 'promotional', amount: twd(300), monthly: true },
        { kind: 'paid', amount: twd(600), monthly: false },
      ],
    });
    expect(simulated.months.map((each) => each.month)).toEqual([july, august, september]);
    // The late 50 of July and the one-off 200 are on the bill of August; the simulation has the 50 in July.
    expect(billed(simulated)).toEqual(['1000 50 1050', '450 23 473', '400 20 420']);
    expect(simulated.months.map(({ onlyBilled }) => onlyBilled)).toEqual([twd(0), twd(250), twd(0)]);
    expect(simulated.months.map(({ withoutTerms }) => moneyText(withoutTerms.net))).toEqual([
      '1050',
      '200',
      '400',
    ]);
    // 1,050 − 210 − 300; 200 − 40 up to 500 − 300; 400 − 80 up to 500 − 300.
    expect(figures(simulated)).toEqual(['540 27 567 -483', '200 10 210 -263', '200 10 210 -210']);
    expect(simulated.sums).toEqual({
      billed: { net: twd(1850), tax: twd(93), total: twd(1943) },
      onlyBilled: twd(250),
      withoutTerms: { net: twd(1650), tax: twd(83), total: twd(1733) },
      simulated: {
        net: twd(940),
        discount: twd(330),
        promotional: twd(900),
        commitment: twd(0),
        minimum: twd(520),
        tax: twd(47),
        total: twd(987),
        prepaid: twd(600),
      },
      difference: twd(-956),
    });
    expect(simulated.credits).toEqual([
      { index: 0, given: twd(900), used: twd(900), left: twd(0), expired: twd(0) },
      { index: 1, given: twd(600), used: twd(600), left: twd(0), expired: twd(0) },
    ]);
    expect(simulated.months.map(({ simulated: { prepaid } }) => moneyText(prepaid))).toEqual([
      '567',
      '33',
      '0',
    ]);
  });

  it('T-CONTRACT: under the customer’s real terms equals the bills, and the credit used', async () => {
    const simulated = await simulate(agreed, {
      discounts: [{ percent: '10', maximum: twd(60) }],
      minimumSpend: twd(800),
      credits: [
        { kind: 'promotional', amount: twd(150), monthly: true },
        { kind: 'promotional', amount: twd(750), monthly: false, usageOnly: true },
        { kind: 'paid', amount: twd(500), monthly: false },
      ],
    });
    const { items } = await console.ok(
      billing.adminListBills,
      { organizationId: agreed.organizationId, sort: 'month' },
      { token: admin },
    );
    expect(items).toHaveLength(3);
    for (const [index, bill] of items.entries()) {
      const each = simulated.months[index];
      expect(each?.month).toBe(bill.month);
      const { net, tax, total } = bill;
      expect(each?.billed).toEqual({ net, tax, total });
      expect(each?.simulated).toMatchObject({ net, tax, total, prepaid: bill.paid });
      expect(each?.difference).toEqual(twd(0));
    }
    // The terms applied in several months; otherwise their order would not be tested.
    expect(items.map(({ net }) => moneyText(net))).toEqual(['79', '611', '650']);
    expect(simulated.credits.map(({ used }) => moneyText(used))).toEqual(['450', '750', '500']);
    const grants = await console.ok(
      creditgrants.adminListGrants,
      { organizationId: agreed.organizationId },
      { token: admin },
    );
    expect(grants.items).toHaveLength(3);
    for (const grant of grants.items)
      expect(
        simulated.credits.map(({ used }) => used),
        grant.id,
      ).toContainEqual(grant.used);
  });

  it('T-CONTRACT: with the customer’s real commitments equals what was billed, used and charged', async () => {
    const simulated = await simulate(committed, {
      commitments: realCommitments().map(({ scope, ...terms }) => ({ ...terms, ...scope })),
    });
    const { items } = await console.ok(
      billing.adminListBills,
      { organizationId: committed.organizationId, sort: 'month' },
      { token: admin },
    );
    for (const [index, { month: of, net, tax, total }] of items.entries())
      expect(simulated.months[index]).toMatchObject({
        month: of,
        simulated: { net, tax, total },
        difference: twd(0),
      });
    // The fee at 80 %; of 900 a price of 555.56 at 90 % and the rest at 80 %; 90 and 410; 270, 230 and 60 of the quarter.
    expect(items.map(({ net }) => moneyText(net))).toEqual(['855', '580', '640']);
    expect(simulated.months.map(({ simulated: { commitment } }) => moneyText(commitment))).toEqual([
      '-145',
      '380',
      '240',
    ]);
    expect(simulated.commitments).toHaveLength(2);
    for (const [index, commitmentId] of commitmentIds.entries()) {
      const { periods } = await console.ok(
        commitments.adminGetCommitment,
        { commitmentId },
        { token: admin },
      );
      expect(simulated.commitments[index]).toEqual({
        index,
        periods: periods.map(({ firstMonth, lastMonth, amount, drawn, trueUp }) => ({
          firstMonth,
          lastMonth,
          amount,
          used: drawn,
          trueUp,
          isSettled: true,
          missing: twd(0),
        })),
      });
    }
    expect(simulated.commitments[1]?.periods[0]).toMatchObject({ used: twd(240), trueUp: twd(60) });
  });

  it('T-CONTRACT: with a commitment for single charges equals the bills, and counts only those charges', async () => {
    const { scope, ...terms } = ofTraffic();
    const { services, charges } = scope;
    const expected = [
      // Fee 200; of traffic 1,800 a price of 1,200 comes to the 900, the other 600 to 660.
      '1760 88 1848 0',
      // 200 at 75 % are 150, and 750 are missing.
      '1100 55 1155 0',
      // 600 at 75 % are 450, and 450 are missing.
      '1100 55 1155 0',
    ];
    expect(figures(await simulate(limited, { commitments: [{ ...terms, services, charges }] }))).toEqual(
      expected,
    );
    // Charges imply their services.
    expect(figures(await simulate(limited, { commitments: [{ ...terms, charges }] }))).toEqual(expected);
    // For the whole service the fee counts, too.
    const whole = await simulate(limited, { commitments: [{ ...terms, services }] });
    expect(whole.months.map(({ simulated: { net } }) => moneyText(net))).toEqual(['1780', '900', '900']);
  });

  it('T-CONTRACT: does not settle a period that ends after the simulated months, and shows its shortfall', async () => {
    const {
      months,
      sums,
      commitments: courses,
    } = await simulate(plain, {
      commitments: [{ period: 'year', amounts: [twd(2000)] }],
    });
    expect(sums.simulated.commitment).toEqual(twd(0));
    expect(months).toHaveLength(3);
    expect(courses).toEqual([
      {
        index: 0,
        periods: [
          {
            firstMonth: july,
            lastMonth: '2027-06',
            amount: twd(2000),
            used: twd(1650),
            trueUp: twd(0),
            isSettled: false,
            missing: twd(350),
          },
        ],
      },
    ]);
  });

  it('T-CONTRACT: starts a commitment to all months with the customer’s first one', async () => {
    const { sums, commitments: courses } = await simulate(
      young,
      { commitments: [{ period: 'contract', amounts: [twd(1000)] }] },
      { months: 12 },
    );
    expect(sums.simulated).toMatchObject({ net: twd(1000), commitment: twd(600) });
    expect(courses[0]?.periods).toMatchObject([{ firstMonth: september, lastMonth: september }]);
    expect(
      (await simulate({ organizationId: idle }, { commitments: [{ period: 'month', amounts: [twd(1000)] }] }))
        .commitments,
    ).toEqual([{ index: 0, periods: [] }]);
  });

  it('T-CONTRACT: ignores the customer’s current terms', async () => {
    expect(figures(await simulate(agreed))).toEqual(
      [
        [1000, 50],
        [200, 10],
        [400, 20],
      ].map(([net = 0, tax = 0], index) => {
        const total = net + tax;
        const was = [83, 642, 683][index] ?? 0;
        return `${net} ${tax} ${total} ${total - was}`;
      }),
    );
  });

  it('T-CONTRACT: applies growth to usage of a rate card before pricing, and not to its fee', async () => {
    const simulated = await simulate(card, { growthPercent: '25' });
    expect(billed(simulated)).toEqual(['2000 100 2100', '400 20 420', '800 40 840']);
    expect(simulated.months.map(({ simulated: { net } }) => moneyText(net))).toEqual(['2450', '450', '950']);
    const halved = await simulate(card, {
      growthPercent: '-50',
      discounts: [{ percent: '50', services: [machines.id] }],
    });
    expect(halved.months.map(({ simulated: { net } }) => moneyText(net))).toEqual(['550', '150', '250']);
    const other = await simulate(card, { discounts: [{ percent: '50', services: [storage.id] }] });
    expect(other.sums.simulated.discount).toEqual(twd(0));
  });

  it('T-CONTRACT: applies discounts in the order configured for bills, unless the request has another', async () => {
    const terms = { discounts: [{ fixed: twd(100) }, { percent: '10' }] };
    await console.ok(discounts.saveDiscountSettings, { stackingOrder: 'percent_first' }, { token: admin });
    expect((await simulate(card, terms)).months[1]?.simulated.net).toEqual(twd(260));
    expect((await simulate(card, { ...terms, discountOrder: 'as_listed' })).months[1]?.simulated.net).toEqual(
      twd(270),
    );
    await console.ok(discounts.saveDiscountSettings, { stackingOrder: 'as_listed' }, { token: admin });
    expect((await simulate(card, terms)).months[1]?.simulated.net).toEqual(twd(270));
  });

  it('T-CONTRACT: begins with the first subscription, and is empty without any', async () => {
    const { months, sums } = await simulate(young, { minimumSpend: twd(1000) }, { months: 12 });
    expect(months.map((each) => each.month)).toEqual([september]);
    expect(sums.simulated.net).toEqual(twd(1000));
    expect(await simulate({ organizationId: idle }, { minimumSpend: twd(1000) })).toMatchObject({
      months: [],
      sums: { billed: null, simulated: { net: twd(0) } },
    });
  });

  it('T-CONTRACT: in another currency has nothing of these months', async () => {
    const { months } = await simulate(plain, {}, { currency: 'USD' });
    expect(months.map((each) => [each.billed, each.simulated.total])).toEqual(
      [0, 1, 2].map(() => [null, money(0n, 'USD')]),
    );
  });

  it('T-CONTRACT: rejects impossible terms at their fields, in both languages', async () => {
    const terms = (more: object) => ({
      organizationId: plain.organizationId,
      months: 3,
      currency: 'TWD',
      terms: { discounts: [], credits: [], ...more },
    });
    const wrong = terms({
      discounts: [{ percent: '120' }, { fixed: { amount: '1', currency: 'USD' } }],
      credits: [{ kind: 'paid', amount: { amount: '5', currency: 'TWD' }, monthly: true }],
      commitments: [
        {
          period: 'month',
          amounts: [
            { amount: '5', currency: 'TWD' },
            { amount: '6', currency: 'TWD' },
          ],
        },
        { period: 'contract', amounts: [{ amount: '0', currency: 'TWD' }], overagePercent: '1000.5' },
      ],
      growthPercent: '-91',
    });
    expect(await refusal(wrong)).toMatchObject({
      status: 400,
      errors: [
        {
          field: 'terms.discounts.0.percent',
          code: 'planning.percent_out_of_range',
          message: 'Enter a percentage above 0 and up to 100, with at most 4 decimals.',
        },
        {
          field: 'terms.discounts.1.fixed',
          message: 'Amounts must be in TWD, the currency of the simulation. Convert the amount.',
        },
        {
          field: 'terms.credits.0.monthly',
          message: 'Prepaid credit is bought once. Choose promotional credit for one that recurs.',
        },
        {
          field: 'terms.commitments.0.amounts',
          code: 'commitments.amounts_wrong_number',
          message: 'Enter 3 amounts, or a single one for all periods.',
        },
        { field: 'terms.commitments.1.amounts.0', message: 'Enter an amount greater than zero.' },
        {
          field: 'terms.commitments.1.overagePercent',
          message: 'Enter a percentage above 0 and up to 1000, with at most 4 decimals.',
        },
        { field: 'terms.growthPercent', message: 'Enter a usage growth from -90 to 1000 percent.' },
      ],
    });
    expect((await refusal(wrong, 'zhTW')).errors?.map(({ message }) => message)).toEqual([
      '請輸入大於 0、不超過 100 的百分比，小數最多 4 位。',
      '金額須以試算的幣別 TWD 表示，請換算金額。',
      '預付額度為一次購買；要每月發放，請選擇贈送額度。',
      '請輸入 3 期的金額，或只輸入一個金額套用到每一期。',
      '請輸入大於零的金額。',
      '請輸入大於 0、最多 1000 的百分比，小數最多 4 位。',
      '用量成長請輸入 -90 到 1000 之間的百分比。',
    ]);
    const absent = `svc_${'0'.repeat(26)}`;
    expect(
      await refusal(terms({ discounts: [{ percent: '5', services: [storage.id, absent] }] })),
    ).toMatchObject({
      status: 400,
      errors: [{ field: 'terms.discounts.0.services', code: 'planning.service_unknown' }],
    });
    const ofAbsent = {
      period: 'month',
      amounts: [{ amount: '5', currency: 'TWD' }],
      services: [absent],
    };
    expect(await refusal(terms({ commitments: [ofAbsent] }))).toMatchObject({
      status: 400,
      errors: [{ field: 'terms.commitments.0.services', code: 'planning.service_unknown' }],
    });
    expect(await refusal({ ...terms({}), months: 13 })).toMatchObject({
      status: 400,
      errors: [{ field: 'months' }],
    });
    expect(await refusal({ ...terms({}), months: 2 })).toMatchObject({
      status: 400,
      errors: [{ field: 'months' }],
    });
    expect(await refusal({ ...terms({}), organizationId: `org_${'0'.repeat(26)}` })).toMatchObject({
      status: 404,
      errors: [{ field: 'organizationId' }],
    });
  });

  it('T-CONTRACT: ignores a voided bill', async () => {
    const { items } = await console.ok(
      billing.adminListBills,
      { organizationId: plain.organizationId, month: september },
      { token: admin },
    );
    await console.ok(
      credits.voidBill,
      { billId: items[0]?.id as Id<'bil'>, reason: 'wrong' },
      { token: admin },
    );
    const simulated = await simulate(plain);
    expect(billed(simulated)).toEqual(['1000 50 1050', '450 23 473', null]);
    expect(simulated.months[2]?.difference).toEqual(twd(420));
  });
});
