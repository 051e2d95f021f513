// A service with several charges is sold, billed and explained to the last cent (R-CAT-01, R-BILL-01, R-BILL-05).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing, type BillLine } from '#features/invoicing/billing/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { runCli } from '../support/cli.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let token: string;
const owner = 'owner@cards.example';
let customer: Awaited<ReturnType<typeof registerUser>>;

const named = (enUS: string): Charge['name'] => ({ zhTW: enUS, enUS });
const setup: Charge = { key: 'setup', name: named('Set-up'), kind: 'one_time', model: 'flat', amount: '990' };
const seats: Charge = {
  key: 'seats',
  name: named('Seats'),
  kind: 'recurring',
  model: 'graduated',
  tiers: [
    { upTo: '10', unitPrice: '100' },
    { upTo: null, unitPrice: '80' },
  ],
};
const support: Charge = {
  key: 'support',
  name: named('Support'),
  kind: 'recurring',
  model: 'flat',
  amount: '900',
  cycle: 'quarter',
};
const traffic: Charge = {
  key: 'traffic',
  name: named('Traffic'),
  kind: 'usage',
  meter: 'traffic',
  model: 'graduated',
  tiers: [
    { upTo: '100', unitPrice: '0' },
    { upTo: null, unitPrice: '0.5' },
  ],
};
const order = { name: 'Workspace', type: 'Software', category: 'Own', currency: 'TWD' } as const;
type New = In<typeof catalogue.createService>;
const make = (service: Partial<New>): Promise<Service> =>
  console.ok(catalogue.createService, { ...order, ...service }, { token });
const refused = async (service: Partial<New>) => {
  const { status, envelope } = await console.call(
    catalogue.createService,
    { ...order, name: 'Refused', ...service },
    { token },
  );
  return [status, ...(envelope.errors ?? []).map(({ field }) => field)];
};
/** Closes a month once it is over; sessions have expired by then. */
const close = async (month: string, now: string, email = owner) => {
  console.clock.set(new Date(now));
  token = await signIn(console, adminAccount.account, adminAccount.password);
  customer = { ...customer, token: await signIn(console, email) };
  await console.ok(billing.closeMonth, { month: month as BillingMonth }, { token });
  const { items } = await console.ok(billing.listBills, { month: month as BillingMonth }, customer);
  const bill = items[0];
  return bill && console.ok(billing.getBill, { billId: bill.id }, customer);
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-05T03:00:00Z'));
  token = await setUp(console);
  customer = await registerUser(console, owner, 'Cards');
});

describe('R-CAT-01 a service with charges', () => {
  it('returns its charges; a single price also has charges', async () => {
    const card = await make({ charges: [setup, seats, support], minimum: '500' });
    expect(card.charges.map(({ key }) => key)).toEqual(['setup', 'seats', 'support']);
    expect(card.pricing).toMatchObject({ model: 'rate_card', currency: 'TWD', minimum: '500' });
    const single = await make({
      name: 'Single',
      currency: undefined,
      pricing: { model: 'per_unit', currency: 'TWD', baseFee: '10', unitPrice: '2' },
      meter: { eventType: 'api.call', aggregation: 'count', unit: 'calls' },
    });
    expect(single.charges).toMatchObject([
      { key: 'base', kind: 'recurring', model: 'flat', amount: '10' },
      { key: 'usage', kind: 'usage', model: 'per_unit', unitPrice: '2' },
    ]);
  });

  it('is rejected at the invalid field', async () => {
    expect(await refused({ charges: [seats, seats] })).toEqual([422, 'charges.1.key']);
    expect(await refused({ charges: [{ ...support, meter: 'x' }] })).toEqual([422, 'charges.0.meter']);
    expect(await refused({ charges: [seats], currency: undefined })).toEqual([422, 'currency']);
    expect(await refused({ charges: [seats], minimum: '5', maximum: '4' })).toEqual([422, 'maximum']);
    expect(await refused({ charges: [seats], pricing: { model: 'flat', currency: 'TWD' } })).toEqual([
      422,
      'charges',
    ]);
    expect(await refused({})).toEqual([400, 'currency']);
    const unknown: Charge = { ...traffic, meter: 'none' };
    expect(await refused({ charges: [seats, unknown] })).toEqual([422, 'charges.1.meter']);
  });

  it('R-CAT-02 returns the units of the meters that its prices name or named', async () => {
    const of = (key: string, unit: string) => ({
      key,
      name: key,
      eventType: key,
      aggregation: 'sum' as const,
      unit,
    });
    await console.ok(meters.createMeter, of('disk', 'GB-month'), { token });
    await console.ok(meters.createMeter, of('calls', '千次'), { token });
    const use = (meter: string): Charge => ({
      key: meter,
      name: named(meter),
      kind: 'usage',
      meter,
      model: 'per_unit',
      unitPrice: '0.192',
    });
    const { id, meterUnits } = await make({ name: 'Units', family: 'units', charges: [seats, use('disk')] });
    expect(meterUnits).toEqual({ disk: 'GB-month' });
    const buyer = await registerUser(console, 'owner@units.example', 'Units');
    const { id: subscriptionId } = await console.ok(subscriptions.subscribe, { serviceId: id }, buyer);
    console.clock.advance(1000);
    // A price without the first charge: earlier prices keep their unit.
    await console.ok(catalogue.updateService, { serviceId: id, charges: [seats, use('calls')] }, { token });
    const both = { disk: 'GB-month', calls: '千次' };
    const read = await console.ok(catalogue.getService, { serviceId: id }, buyer);
    expect(read.meterUnits).toEqual(both);
    const { service } = await console.ok(subscriptions.getSubscription, { subscriptionId }, buyer);
    expect(service.meterUnits).toEqual(both);
    const plans = await console.ok(subscriptions.listPlans, { subscriptionId }, buyer);
    expect(plans.items.map((plan) => plan.service.meterUnits)).toEqual([both]);
  });

  it('keeps the periods of a charge through all prices', async () => {
    const { id } = await make({ name: 'Periods', charges: [support] });
    const change = (charge: Charge) => {
      console.clock.advance(1000);
      return console.call(catalogue.updateService, { serviceId: id, charges: [charge] }, { token });
    };
    expect((await change({ ...support, amount: '950' } as Charge)).status).toBe(200);
    const fixed = await change({ ...support, cycle: 'month' });
    expect([fixed.status, fixed.envelope.errors?.[0]?.field]).toEqual([409, 'charges.0.key']);
    expect((await change({ ...support, key: 'support_month', cycle: 'month' })).status).toBe(200);
  });
});

describe('R-BILL-05 fees of a rate card', () => {
  it('are equal in estimate, preview and bill', async () => {
    const service = await make({ name: 'Office', charges: [setup, seats, support] });
    const estimate = await console.ok(
      catalogue.estimate,
      { serviceId: service.id, quantities: { seats: '12' } },
      customer,
    );
    expect([moneyText(estimate.amount), estimate.once && moneyText(estimate.once)]).toEqual(['1460', '990']);
    const unknown = await console.call(
      catalogue.estimate,
      { serviceId: service.id, quantities: { seat: '12' } },
      customer,
    );
    expect([unknown.status, unknown.envelope.errors?.[0]?.field]).toEqual([422, 'quantities.seat']);

    const wrong = await console.call(
      subscriptions.subscribe,
      { serviceId: service.id, quantities: { support: '2' } },
      customer,
    );
    expect([wrong.status, wrong.envelope.errors?.[0]?.field]).toEqual([422, 'quantities.support']);
    const subscription = await console.ok(
      subscriptions.subscribe,
      { serviceId: service.id, quantities: { seats: '12' } },
      customer,
    );
    expect(subscription.quantities).toEqual({ seats: '12' });
    expect(subscription.monthlyFee).toBe('1460');

    const { bills } = await console.ok(billing.currentBill, {}, customer);
    const october = await close('2024-10', '2024-11-02T03:00:00Z');
    // 27 of 31 days of seats, 88 of 92 days of support, and the whole set-up fee.
    expect(
      october?.lines.map(({ kind, charge, quantity, unit, total }) => [
        kind,
        charge?.key,
        quantity,
        unit,
        moneyText(total),
      ]),
    ).toEqual([
      ['one_time', 'setup', '1', 'once', '990'],
      ['base_fee', 'seats', '10.451612903226', 'month', '1010'],
      ['base_fee', 'support', '0.95652173913', 'quarter', '861'],
    ]);
    expect(bills[0]?.lines.map(({ total }) => moneyText(total))).toEqual(['990', '1010', '861']);
    expect(october && moneyText(october.net)).toBe('2861');

    const more = await console.ok(
      subscriptions.previewChange,
      { subscriptionId: subscription.id, quantities: { seats: '20' } },
      customer,
    );
    expect(more.quantities).toEqual({ seats: '20' });
    await console.ok(
      subscriptions.change,
      { subscriptionId: subscription.id, quantities: { seats: '20' } },
      customer,
    );
    const november = await close('2024-11', '2024-12-02T03:00:00Z');
    // One day of 12 seats, 29 of 20; the quarter was paid in advance.
    expect(november?.lines.map(({ charge, total }) => [charge?.key, moneyText(total)])).toEqual(
      more.thisBill.lines.map(({ charge, total }) => [charge?.key, moneyText(total)]),
    );
    expect(november && moneyText(november.net)).toBe(moneyText(more.thisBill.net));
    // The result of another price: each seat of October and November at 10 more.
    const dearer = { ...seats, tiers: [{ upTo: null, unitPrice: '110' }] } as Charge;
    const rehearsal = await console.ok(
      planning.simulate,
      {
        serviceId: service.id,
        pricing: { model: 'rate_card', currency: 'TWD', charges: [setup, dearer, support] },
        from: '2024-10' as BillingMonth,
        to: '2024-11' as BillingMonth,
      },
      { token },
    );
    expect(rehearsal.byMonth.map(({ before, after }) => [moneyText(before), moneyText(after)])).toEqual([
      ['2861', '3001'],
      ['1779', '2171'],
    ]);
    const line = november?.lines[0];
    const explained = await console.ok(
      billing.explainLine,
      { billId: november!.id, lineId: line!.id },
      customer,
    );
    expect(explained.line.charge).toEqual({ key: 'seats', name: named('Seats') });
    expect(explained.steps[0]).toMatchObject({ kind: 'base', share: { part: 1, whole: 30 } });
  });
});

describe('R-BILL-05 usage of a rate card', () => {
  it('is counted by the meter of its charge, and costs the same in estimate, running month, bill and days', async () => {
    await console.ok(
      meters.createMeter,
      { key: 'traffic', name: 'Traffic', eventType: 'net.out', aggregation: 'sum', unit: 'GB' },
      { token },
    );
    const service = await make({
      name: 'Server',
      charges: [{ ...support, cycle: 'month' }, traffic],
      minimum: '950',
    });
    expect(service.meter).toEqual({ eventType: 'net.out', aggregation: 'sum', unit: 'GB' });
    const estimate = async (used: string) =>
      moneyText(
        (await console.ok(catalogue.estimate, { serviceId: service.id, usage: { traffic: used } }, customer))
          .amount,
      );
    expect([await estimate('100'), await estimate('301')]).toEqual(['950', '1001']);
    const { id } = await console.ok(subscriptions.subscribe, { serviceId: service.id }, customer);
    const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token });
    const events = ['120', '180.5'].map((value, index) => ({
      specversion: '1.0',
      id: `e${index}`,
      source: 'test',
      type: 'net.out',
      subject: id,
      data: { value },
    }));
    const sent = await console.ok(
      usage.ingest,
      {},
      {
        token: secret,
        body: JSON.stringify(events),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect(sent).toMatchObject({ accepted: 2 });

    const ofServer = (lines: readonly BillLine[]) =>
      lines
        .filter((line) => line.subscriptionId === id)
        .map(({ kind, charge, quantity, exact }) => [kind, charge?.key, quantity, exact]);
    // 30 of 31 days; 200.5 GB beyond the first 100; together more than 30 of 31 parts of the minimum.
    const expected = [
      ['base_fee', 'support', '0.967741935484', '870.967741935483870967741935'],
      ['usage', 'traffic', '300.5', '100.25'],
    ];
    const { bills } = await console.ok(billing.currentBill, {}, customer);
    expect(bills.flatMap(({ lines }) => ofServer(lines))).toEqual(expected);
    const december = await close('2024-12', '2025-01-02T03:00:00Z');
    expect(december && ofServer(december.lines)).toEqual(expected);
    const line = december?.lines.find((each) => each.charge?.key === 'traffic');
    const explained = await console.ok(
      billing.explainLine,
      { billId: december!.id, lineId: line!.id },
      customer,
    );
    expect(explained.steps.map(({ kind, quantity, amount }) => [kind, quantity, amount])).toEqual([
      ['tier', '100', '0'],
      ['tier', '200.5', '100.25'],
    ]);
    expect(explained.days).toEqual([{ day: '2024-12-02', quantity: '300.5', events: 2 }]);
    // Files name the charge, and count its own periods.
    const file = async (format: 'csv' | 'focus'): Promise<string> => {
      const { body } = await console.ok(
        billing.exportBills,
        { format, month: '2024-12' as BillingMonth, language: 'enUS' },
        customer,
      );
      return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
    };
    const csv = await file('csv');
    expect(csv).toMatch(/Server: Support,[^\n]*,Base fee,,0\.967741935484,month,900,/);
    expect(csv).toMatch(/Server: Traffic,[^\n]*,Usage,,300\.5,GB,/);
    expect(await file('focus')).toContain('Server: Traffic');
    // The independent checker confirms digests, lines, usage and ledger.
    const { code, out } = await runCli(console, 'verify');
    expect(code, out).toBe(0);
  });

  it('is rejected where it is not possible; a meter that a charge names cannot change', async () => {
    const byRegion = await console.ok(
      meters.createMeter,
      {
        key: 'by-region',
        name: 'By region',
        eventType: 'vm.hours',
        aggregation: 'sum',
        unit: 'h',
        dimensions: ['region'],
      },
      { token },
    );
    const matrix = (rates: readonly object[]): Charge =>
      ({
        key: 'matrix',
        name: named('Matrix'),
        kind: 'usage',
        meter: 'by-region',
        model: 'matrix',
        rates,
      }) as Charge;
    expect(await refused({ charges: [traffic, { ...traffic, key: 'more', meter: 'nowhere' }] })).toEqual([
      422,
      'charges.1.meter',
    ]);
    const everywhere = { when: {}, unitPrice: '1' };
    expect(
      await refused({
        charges: [
          matrix([
            { when: { region: 'tpe' }, unitPrice: '2' },
            { when: { size: 'm' }, unitPrice: '3' },
            everywhere,
          ]),
        ],
      }),
    ).toEqual([422, 'charges.0.rates.1.when']);
    // A limit applies to a meter: fees have none; usage by region is limited over all regions.
    expect(await refused({ charges: [support], quota: { type: 'hard', limit: '5' } })).toEqual([
      422,
      'quota',
    ]);
    const { id, meter } = await make({ name: 'Fees first', charges: [support] });
    console.clock.advance(1000);
    const change = (of: object) => console.call(catalogue.updateService, { serviceId: id, ...of }, { token });
    expect((await change({ charges: [support, traffic, matrix([everywhere])] })).envelope.data).toMatchObject(
      {
        meter,
      },
    );
    const { items } = await console.ok(meters.listMeters, { q: 'by-region' }, { token });
    expect(items.map(({ usedBy }) => usedBy)).toEqual([1]);
    const meterId = byRegion.id;
    expect((await console.call(meters.updateMeter, { meterId, unit: 'MB' }, { token })).status).toBe(409);
    expect((await console.call(meters.deleteMeter, { meterId }, { token })).status).toBe(409);
    // Even when the current price no longer names it, earlier usage is still billed by it.
    console.clock.advance(1000);
    expect((await change({ charges: [support] })).status).toBe(200);
    expect((await console.call(meters.deleteMeter, { meterId }, { token })).status).toBe(409);
  });
});

describe('R-CAT-01 charges agreed with one organization', () => {
  const perSeat = (unitPrice: string): Charge => ({
    key: 'seats',
    name: named('Seats'),
    kind: 'recurring',
    model: 'per_unit',
    unitPrice,
  });
  const fee = (amount: string): Charge => ({
    key: 'support',
    name: named('Support'),
    kind: 'recurring',
    model: 'flat',
    amount,
  });
  let service: Service;
  const agree = (more: object) =>
    console.call(
      catalogue.addOverride,
      {
        serviceId: service.id,
        organizationId: customer.organizationId as never,
        reason: 'Contract 7',
        ...more,
      },
      { token },
    );
  const linesOf = async (month: string, now: string): Promise<string[]> =>
    ((await close(month, now, 'owner@agreed.example'))?.lines ?? [])
      .filter(({ serviceName }) => serviceName === 'Agreed')
      .map(({ charge, quantity, total }) => `${charge?.key} ${quantity}: ${moneyText(total)}`)
      .toSorted();

  it('stay fixed while the others follow the list price and its changes', async () => {
    token = await signIn(console, adminAccount.account, adminAccount.password);
    const now = console.clock.now();
    customer = await registerUser(console, 'owner@agreed.example', 'Agreed');
    service = await make({ name: 'Agreed', charges: [perSeat('300'), fee('900')] });
    const start = new Date('2025-03-31T16:00:00Z');
    expect(now < start).toBe(true);
    expect((await agree({ charges: [perSeat('250')], effectiveFrom: start })).status).toBe(201);
    console.clock.set(start);
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: customer.organizationId as never,
        serviceId: service.id,
        quantities: { seats: '4' },
      },
      { token: (token = await signIn(console, adminAccount.account, adminAccount.password)) },
    );
    expect(id).toMatch(/^sub_/);
    const change = (charges: Charge[], effectiveFrom: string) =>
      console.ok(
        catalogue.updateService,
        { serviceId: service.id, charges, effectiveFrom: new Date(effectiveFrom) },
        { token },
      );
    // From May the list price is higher; a price for June is created and withdrawn again.
    await change([perSeat('320'), fee('1000')], '2025-04-30T16:00:00Z');
    await change([perSeat('999'), fee('9999')], '2025-05-31T16:00:00Z');
    const { items } = await console.ok(catalogue.listPrices, { serviceId: service.id }, { token });
    await console.ok(
      catalogue.withdrawPrice,
      { serviceId: service.id, priceVersionId: items[0]!.id },
      { token },
    );
    expect(await linesOf('2025-04', '2025-05-03T00:00:00Z')).toEqual(['seats 4: 1000', 'support 1: 900']);
    expect(await linesOf('2025-05', '2025-06-03T00:00:00Z')).toEqual(['seats 4: 1000', 'support 1: 1000']);
    const [agreed] = (await console.ok(catalogue.listOverrides, { serviceId: service.id }, { token })).items;
    expect(agreed?.charges).toEqual([perSeat('250')]);
    expect(agreed?.pricing).toMatchObject({ charges: [perSeat('250'), fee('1000')] });
  });

  it('are not changed by a simulated price', async () => {
    const rehearsal = await console.ok(
      planning.simulate,
      {
        serviceId: service.id,
        pricing: { model: 'rate_card', currency: 'TWD', charges: [perSeat('500'), fee('1100')] },
        from: '2025-05' as BillingMonth,
        to: '2025-05' as BillingMonth,
      },
      { token },
    );
    expect(rehearsal.affected.map(({ before, after }) => [moneyText(before), moneyText(after)])).toEqual([
      ['2000', '2100'],
    ]);
    // Nobody is left at the old price.
    expect(rehearsal.warnings.map(({ code }) => code)).toEqual(['late_usage']);
  });

  it('are rejected where the list price has no such charge, or beside a complete price', async () => {
    const errors = async (more: object) =>
      ((await agree(more)).envelope.errors ?? []).map(({ field, code }) => `${field} ${code}`);
    const pricing = { model: 'flat', currency: 'TWD', baseFee: '1' };
    expect(await errors({ charges: [{ ...perSeat('1'), key: 'chairs' }] })).toEqual([
      'charges.0.key rating.charge_unknown',
    ]);
    expect(await errors({ charges: [perSeat('1')], pricing })).toEqual([
      'charges catalogue.pricing_or_charges',
    ]);
    expect(await errors({})).toEqual(['pricing platform.field_required']);
    expect(await errors({ charges: [{ ...perSeat('1'), cycle: 'year' }] })).toEqual([
      'charges.0.key catalogue.charge_fixed',
    ]);
  });

  it('end with the agreement', async () => {
    const [agreed] = (await console.ok(catalogue.listOverrides, { serviceId: service.id }, { token })).items;
    console.clock.set(new Date('2025-05-31T16:00:00Z'));
    await console.ok(
      catalogue.endOverride,
      { serviceId: service.id, overrideId: agreed!.id },
      { token: await signIn(console, adminAccount.account, adminAccount.password) },
    );
    expect(await linesOf('2025-06', '2025-07-03T00:00:00Z')).toEqual(['seats 4: 1280', 'support 1: 1000']);
    const { code, out } = await runCli(console, 'verify');
    expect(code, out).toBe(0);
  });

  it('report events that no rate of a matrix matches; earlier prices without the setting stay valid', async () => {
    await console.ok(
      meters.createMeter,
      {
        key: 'by-size',
        name: 'By size',
        eventType: 'vm.size',
        aggregation: 'sum',
        unit: 'h',
        dimensions: ['size'],
      },
      { token },
    );
    const matrix = (unitPrice: string, of: object = {}): Charge =>
      ({
        key: 'sizes',
        name: named('Sizes'),
        kind: 'usage',
        meter: 'by-size',
        model: 'matrix',
        rates: [{ when: { size: 'm' }, unitPrice }],
        ...of,
      }) as Charge;
    expect(await refused({ charges: [support, matrix('1')] })).toEqual([422, 'charges.1.unmatched']);
    const answer = await console.call(
      catalogue.createService,
      {
        name: 'Sizes',
        type: 'VM',
        category: 'Platform',
        description: '',
        currency: 'TWD',
        charges: [matrix('1')],
      },
      { token, language: 'zhTW' },
    );
    expect(answer.envelope.message).toContain('拒收不符合任何一列的事件。');
    const { id } = await make({ name: 'Sizes', charges: [support, matrix('1', { unmatched: 'reject' })] });
    // As stored by the previous release.
    await sql`alter table price_version disable trigger user`.execute(console.app.database.kysely);
    await sql`update price_version set pricing = pricing #- '{charges,1,unmatched}' where service_id = ${id}`.execute(
      console.app.database.kysely,
    );
    await sql`alter table price_version enable trigger user`.execute(console.app.database.kysely);
    console.clock.advance(1000);
    const change = async (of: object) =>
      (await console.call(catalogue.updateService, { serviceId: id, ...of }, { token })).status;
    const dearer = { ...support, amount: '910' };
    expect(await change({ name: 'Sizes of machines' })).toBe(200);
    expect(await change({ charges: [dearer, matrix('1')] })).toBe(200);
    const file = await console.ok(catalogue.exportCatalogue, {}, { token });
    const plan = await console.ok(catalogue.planCatalogue, { file }, { token });
    expect([plan.created, plan.updated]).toEqual([0, 0]);
    expect(await refused({ charges: [dearer, matrix('2')] })).toEqual([422, 'charges.1.unmatched']);
    expect(await change({ charges: [dearer, matrix('2')] })).toBe(422);
    console.clock.advance(1000);
    expect(await change({ charges: [dearer, matrix('2', { unmatched: 'reject' })] })).toBe(200);
    // A simulated price may lack it; it reports what it has no price for.
    const preview = {
      currency: 'TWD',
      charge: matrix('2'),
      events: [{ value: '1', dimensions: { size: 's' } }],
    };
    expect((await console.call(catalogue.previewPricing, preview as never, { token })).envelope.code).toBe(
      'rating.no_rate',
    );
  });
});

describe('R-BILL-02 the comparison with the previous month', () => {
  it('is split by price and by usage, charge by charge', async () => {
    console.clock.set(new Date('2025-02-01T00:00:00+08:00'));
    token = await signIn(console, adminAccount.account, adminAccount.password);
    const email = 'owner@changes.example';
    customer = await registerUser(console, email, 'Changes');
    const priced = (seat: string, tpe: string): Charge[] => [
      { key: 'seats', name: named('Seats'), kind: 'recurring', model: 'per_unit', unitPrice: seat },
      support,
      {
        key: 'regions',
        name: named('Regions'),
        kind: 'usage',
        meter: 'by-region',
        model: 'matrix',
        rates: [
          { when: { region: 'tpe' }, unitPrice: tpe },
          { when: {}, unitPrice: '1' },
        ],
      },
    ];
    const { id: serviceId } = await make({ name: 'Changes', charges: priced('100', '2') });
    const { id } = await console.ok(
      subscriptions.subscribe,
      { serviceId, quantities: { seats: '3' } },
      customer,
    );
    const { secret } = await console.ok(identity.createApiKey, { name: 'regions' }, { token });
    const use = async (time: string, uses: readonly (readonly [region: string, value: string])[]) => {
      console.clock.set(new Date(time));
      const events = uses.map(([region, value]) => ({
        specversion: '1.0',
        id: `${time} ${region}`,
        source: 'test',
        type: 'vm.hours',
        subject: id,
        time: new Date(Date.parse(time) - 1000).toISOString(),
        data: { value, region },
      }));
      const body = JSON.stringify(events);
      const headers = { 'content-type': 'application/cloudevents-batch+json' };
      expect((await console.ok(usage.ingest, {}, { token: secret, body, headers })).accepted).toBe(
        events.length,
      );
    };
    await use('2025-02-10T00:00:00Z', [['tpe', '10']]);
    token = await signIn(console, adminAccount.account, adminAccount.password);
    await console.ok(
      catalogue.updateService,
      { serviceId, charges: priced('120', '3'), effectiveFrom: new Date('2025-03-01T00:00:00+08:00') },
      { token },
    );
    await close('2025-02', '2025-03-02T00:00:00Z', email);
    await use('2025-03-10T00:00:00Z', [
      ['tpe', '10'],
      ['nrt', '5'],
    ]);
    const march = await close('2025-03', '2025-04-02T00:00:00Z', email);
    // 3 seats at 20 more and 10 of Taipei at 1 more; 5 of other regions; the rest of the quarter was paid in
    // February.
    const change = march?.change;
    expect(
      change?.causes
        .filter(({ cause }) => cause !== 'tax')
        .map((each) => [each.cause, moneyText(each.difference)]),
    ).toEqual([
      ['proration', '-590'],
      ['price', '70'],
      ['volume', '5'],
    ]);
    expect(change?.causes.reduce((sum, { difference }) => sum + difference.minor, 0n)).toBe(
      change?.difference.minor,
    );
  });
});
