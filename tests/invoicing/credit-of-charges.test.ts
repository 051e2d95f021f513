// Credit that is limited to single charges of a rate card, on real bills: granted, shown, used, simulated and
// verified.
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  billOf,
  close,
  customer,
  expectSoundBooks,
  moveTo,
  november,
  october,
  september,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';
import { checkerOf, foundBy } from '../../verify/test-found.ts';
import { foundIn } from '../../verify/test-damage.ts';

const named = (zhTW: string, enUS: string): Charge['name'] => ({ zhTW, enUS });
const monthly = (key: string, name: Charge['name'], amount: string): Charge => ({
  key,
  name,
  kind: 'recurring',
  model: 'flat',
  amount,
});
const card: Pricing = {
  model: 'rate_card',
  currency: 'TWD',
  charges: [
    monthly('support', named('支援', 'Support'), '1000'),
    monthly('disk', named('磁碟', 'Disk'), '300'),
    monthly('address', named('位址', 'Address'), '50'),
  ],
};
let client: pg.Client;
let bought: Customer, given: Customer, two: Customer;
let made = 0;

const asAdmin = () => ({ token: at.admin });
const serviceOf = async (one: Customer, index = 0): Promise<Id<'svc'>> => {
  const { items } = await at.console.ok(
    subscriptions.listSubscriptions,
    { sort: 'createdAt' },
    { token: one.token },
  );
  const subscription = items.find(({ id }) => id === one.subscriptionIds[index]);
  return required(subscription, 'a subscription').service.id;
};
type Terms = Partial<In<typeof creditgrants.giveGrant>>;
const give = (one: Customer, terms: Terms) => {
  const text = `Credit ${++made}`;
  return at.console.call(
    creditgrants.giveGrant,
    {
      organizationId: one.organizationId,
      kind: 'promotional',
      name: { zhTW: text, enUS: text },
      amount: twd(400),
      ...terms,
    },
    asAdmin(),
  );
};
const shown = (bill: BillDetail): string =>
  `${bill.lines.map(({ total }) => moneyText(total)).join(' ')} = ${moneyText(bill.net)} + ${moneyText(bill.tax)}; paid ${moneyText(bill.paid)}`;
const charges = (serviceId: Id<'svc'>, ...keys: string[]) =>
  keys.map((chargeKey) => ({ serviceId, chargeKey }));

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
  bought = await customer(card);
  given = await customer(card);
  two = await customer(card, card);
  await moveTo('2024-09-20T00:00:00Z');
});

describe('T-GRANT: credit for single charges', () => {
  it('stores its charges with their names, and adds their services', async () => {
    const serviceId = await serviceOf(bought);
    await topUp(bought, twd(1000));
    const { data, status } = await give(bought, {
      kind: 'paid',
      amount: twd(500),
      scope: { services: null, charges: charges(serviceId, 'disk', 'address', 'disk'), usageOnly: false },
    });
    expect(status).toBe(201);
    expect(data.scope).toEqual({
      services: [{ id: serviceId, name: 'S1-0' }],
      charges: [
        { serviceId, chargeKey: 'address', name: named('位址', 'Address') },
        { serviceId, chargeKey: 'disk', name: named('磁碟', 'Disk') },
      ],
      usageOnly: false,
    });
    const own = await at.console.ok(creditgrants.ownCredits, {}, { token: bought.token });
    expect(own.grants[0]?.scope).toEqual(data.scope);
  });

  it('covers all charges in old requests and old grants', async () => {
    const { data, envelope } = await give(two, {
      amount: twd(1),
      scope: { services: null, usageOnly: false },
    });
    expect(envelope).toMatchObject({ isSuccess: true });
    expect(data.scope).toEqual({ services: null, charges: null, usageOnly: false });
  });

  it.each<[string, (own: Id<'svc'>, other: Id<'svc'>) => Terms['scope'], string, string]>([
    [
      'a charge that the service does not have',
      (own) => ({ services: [own], charges: charges(own, 'traffic'), usageOnly: false }),
      'creditgrants.charge_unknown',
      '「S2-0」沒有計費項目「traffic」，請從其計費項目中選擇。',
    ],
    [
      'a charge of an uncovered service',
      (own, other) => ({ services: [own], charges: charges(other, 'disk'), usageOnly: false }),
      'creditgrants.charge_of_other_service',
      '「S3-0」不在所選的服務之內，請加入該服務，或移除其計費項目。',
    ],
    [
      'a charge without a service',
      () => ({
        services: null,
        charges: charges(`svc_${'0'.repeat(26)}` as Id<'svc'>, 'disk'),
        usageOnly: false,
      }),
      'creditgrants.service_unknown',
      '其中有服務已不存在，請重新選擇。',
    ],
  ])('rejects %s at its field, with advice', async (_name, scope, code, message) => {
    const requestedScope = scope(await serviceOf(given), await serviceOf(two));
    const { status, envelope } = await at.console.call(
      creditgrants.giveGrant,
      {
        organizationId: given.organizationId,
        kind: 'promotional',
        name: { zhTW: '額度', enUS: 'Credit' },
        amount: twd(400),
        scope: requestedScope,
      },
      { ...asAdmin(), headers: { 'accept-language': 'zh-TW' } },
    );
    expect([status, envelope.code, envelope.errors?.map(({ field }) => field)]).toEqual([
      400,
      code,
      ['scope.charges'],
    ]);
    expect(envelope.errors?.[0]?.message ?? envelope.message).toBe(message);
  });

  it('pays only the lines of its charges: prepaid credit with tax, promotional before tax', async () => {
    const serviceId = await serviceOf(given);
    await give(given, {
      scope: { services: [serviceId], charges: charges(serviceId, 'disk'), usageOnly: false },
    });
    // Of the first service its disk; of the second service everything.
    const [first, second] = [await serviceOf(two, 0), await serviceOf(two, 1)];
    await give(two, {
      amount: twd(5000),
      scope: { services: [second, first], charges: charges(first, 'disk'), usageOnly: false },
    });
    const running = await at.console.ok(creditgrants.ownCredits, {}, { token: bought.token });
    expect(moneyText(required(running.totals[0], 'a currency').planned.paid)).toBe('368');
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    // (300 + 50) with tax: 367.5; of the bill's tax of 68 their shares are 15 and 3.
    expect(shown(await billOf(bought))).toBe('1000 300 50 = 1350 + 68; paid 368');
    expect(shown(await billOf(given))).toBe('1000 300 50 -300 = 1050 + 53; paid 0');
    expect(shown(await billOf(two))).toBe('1000 300 50 1000 300 50 -1 -1650 = 1049 + 52; paid 0');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    expect(shown(await billOf(bought, october))).toBe('1000 300 50 = 1350 + 68; paid 132');
    expect(shown(await billOf(given, october))).toBe('1000 300 50 -100 = 1250 + 63; paid 0');
    await expectSoundBooks();
    expect(await foundBy(client)).toEqual([]);
  });

  it('shows a charge that was removed from the price by its key', async () => {
    const serviceId = await serviceOf(bought);
    const service = await at.console.ok(catalogue.adminGetService, { serviceId }, asAdmin());
    await at.console.ok(
      catalogue.updateService,
      {
        serviceId,
        version: service.version,
        pricing: { ...card, charges: [monthly('disk', named('硬碟', 'Drive'), '300')] },
      } as never,
      asAdmin(),
    );
    await moveTo('2024-11-06T00:00:00Z');
    const own = await at.console.ok(creditgrants.ownCredits, {}, { token: bought.token });
    expect(own.grants[0]?.scope.charges?.map(({ name }) => name.enUS)).toEqual(['address', 'Drive']);
  });

  it('keeps the charges of a grant as created, in the database', async () => {
    await expect(
      client.query(`update credit_grant set charges = null where charges is not null`),
    ).rejects.toThrow('are fixed');
  });

  it('I5: the checker finds credit that paid a line it does not cover', async () => {
    const widened = `update credit_grant set charges = jsonb_build_array(jsonb_build_object('serviceId', charges -> 0 ->> 'serviceId', 'chargeKey', 'support')) where organization_id = '${given.organizationId}'`;
    const number = async (month: typeof september) => (await billOf(given, month)).number;
    const [first, second] = [await number(september), await number(october)];
    expect(await foundIn(client, [widened])).toEqual([
      `credit-scope: credit_outside_scope ${first} 4 2`,
      `credit-scope: credit_outside_scope ${second} 4 2`,
    ]);
    const none = `update credit_grant set charges = jsonb_build_array(jsonb_build_object('serviceId', charges -> 0 ->> 'serviceId', 'chargeKey', 'address')) where organization_id = '${bought.organizationId}'`;
    expect((await foundIn(client, [none])).map((found) => found.split(' ').slice(0, 2).join(' '))).toEqual([
      'credit-scope: prepaid_above_scope',
      'credit-scope: prepaid_above_scope',
    ]);
  });

  it('a simulation of the same credit gives the same bills', async () => {
    const serviceId = await serviceOf(given);
    const simulate = (proposed: object) =>
      at.console.call(
        planning.simulateContract,
        {
          organizationId: given.organizationId,
          months: 3,
          currency: 'TWD',
          terms: {
            discounts: [],
            credits: [{ kind: 'promotional', amount: twd(400), monthly: false, ...proposed }],
          },
        } as never,
        asAdmin(),
      );
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    const { data } = await simulate({ charges: charges(serviceId, 'disk') });
    expect(data.months.map(({ simulated }) => moneyText(simulated.promotional))).toEqual(['300', '100', '0']);
    const wrong = await simulate({ charges: charges(serviceId, 'nothing') });
    expect(wrong.envelope.errors?.map(({ field }) => field)).toEqual(['terms.credits.0.charges']);
    expect(wrong.envelope.errors?.[0]?.message).toContain('Choose from the charges');
  });
});
