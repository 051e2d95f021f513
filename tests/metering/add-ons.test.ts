// Add-ons: events of a subscription also feed the meters of its add-ons while they run (R-CAT-05, R-USE-03,
// R-BILL-01).
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing, type BillDetail, type BillLine } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { required } from '#kernel/assert.ts';
import { minuteMs } from '#kernel/durations.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { holdSubscriptions, releaseSubscriptions } from '#features/selling/subscriptions/server/index.ts';
import { runCli } from '../support/cli.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { isLong } from '../support/fault-rounds.ts';

// September 2024 in Taipei. The add-on runs from 11:20 on the 10th to 23:40 on the 21st.
const month = '2024-09' as BillingMonth;
const start = Date.parse('2024-08-31T16:00:00Z');
const began = Date.parse('2024-09-10T03:20:00Z');
const ended = Date.parse('2024-09-21T15:40:00Z');

let console: TestConsole;
let admin: string;
let key: string;
let customers: { readonly withAddOn: Customer; readonly without: Customer; readonly reference: Customer };
let made = 0;

const named = (enUS: string): Charge['name'] => ({ zhTW: enUS, enUS });
const charge = (of: string, price: object, meter = of): Charge =>
  ({ key: of, name: named(of), kind: 'usage', meter, ...price }) as Charge;
const measured: Record<string, Partial<Meter>> = {
  calls: { aggregation: 'count' },
  traffic: { aggregation: 'sum', dimensions: ['region', 'size'] },
  large: { aggregation: 'max', filter: { size: ['l'] } },
  smallest: { aggregation: 'min', dimensions: ['region'] },
  mean: { aggregation: 'avg', dimensions: ['region'] },
  latest: { aggregation: 'latest', dimensions: ['region'] },
  users: { aggregation: 'unique_count', property: 'user', dimensions: ['region'] },
  bandwidth: { aggregation: 'percentile', p: 95, sampleMinutes: 60, dimensions: ['region'] },
  disk: { eventType: 'disk', aggregation: 'time_weighted_average', dimensions: ['region'] },
  payments: { eventType: 'pay', aggregation: 'sum' },
  scans: { eventType: 'scan', aggregation: 'sum' },
};
const perUnit = { model: 'per_unit', unitPrice: '1' };
const fee: Charge = { key: 'fee', name: named('Fee'), kind: 'recurring', model: 'flat', amount: '300' };
const matrix = charge('traffic', {
  model: 'matrix',
  rates: [
    { when: { region: 'tpe', size: 'l' }, unitPrice: '3' },
    { when: {}, unitPrice: '2' },
  ],
});
const percentage = charge('payments', {
  model: 'percentage',
  ratePercent: '1.5',
  fixedPerEvent: '0.3',
  freeEvents: 1,
});
/** Every aggregation, on meters of the subscription itself and on meters of the add-on only. */
const addOnCard: readonly Charge[] = [
  fee,
  ...['calls', 'large', 'smallest', 'mean', 'latest', 'users', 'bandwidth', 'disk', 'scans'].map((of) =>
    charge(of, perUnit),
  ),
  matrix,
  percentage,
];
/** Two of its meters are also the add-on’s; `pay` is the type of the service’s own meter. */
const ownCard: readonly Charge[] = [fee, percentage, charge('calls', perUnit)];

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-08-01T01:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: `${name}s`, eventType: 'vm', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  customers = { withAddOn: await customer(), without: await customer(), reference: await customer() };
}, 120_000);

type Made = { readonly charges: readonly Charge[]; readonly family?: string; readonly addOnTo?: string[] };
async function service({ charges, ...more }: Made) {
  const { id } = await console.ok(
    catalogue.createService,
    {
      name: `Service ${++made}`,
      type: 'VM',
      category: 'Own',
      currency: 'TWD',
      charges: [...charges],
      ...more,
    },
    { token: admin },
  );
  return id;
}
type Customer = { readonly email: string; token: string; readonly organizationId: Id<'org'> };
async function customer(): Promise<Customer> {
  const email = `owner@s${++made}.example`;
  const { organizationId, token } = await registerUser(console, email, `S${made}`);
  return { email, token, organizationId: organizationId as Id<'org'> };
}
/** Moves the clock; sessions expire meanwhile. */
async function moveTo(moment: number, ...customers: readonly Customer[]): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  for (const one of customers) one.token = await signIn(console, one.email);
}

type Wire = {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly value: string;
  readonly data: Readonly<Record<string, unknown>>;
};
const eventOf = (subject: string, { id, type, at, value, data }: Wire) => ({
  specversion: '1.0',
  id,
  source: `s-${subject}`,
  type,
  subject,
  time: new Date(at).toISOString(),
  data: { value, ...data },
});
const send = async (events: readonly object[], token = key): Promise<string> => {
  if (events.length === 0) return '0+0';
  const { accepted, duplicates, rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  return [`${accepted}+${duplicates}`, ...rejected.map((each) => `${each.index} ${each.code}`)].join(', ');
};

/** The lines of a subscription on a bill, without its id. */
const linesOf = (lines: readonly BillLine[], subscriptionId: string) =>
  lines
    .filter((line) => line.subscriptionId === subscriptionId)
    .map(({ kind, charge: of, quantity, exact, total }) => [kind, of?.key, quantity, exact, total] as const);
async function currentLines({ token }: Customer, subscriptionId: string) {
  const { bills } = await console.ok(billing.currentBill, {}, { token });
  return linesOf(
    bills.flatMap((bill) => bill.lines),
    subscriptionId,
  );
}

/**
 * A subscription with an add-on that ran for some days, one without, and one of the add-on’s rate card for
 * the same days. The add-on may have been added before it began; `before` runs an hour before that.
 */
async function threeCustomers({
  isAhead = false,
  before,
}: {
  isAhead?: boolean;
  before?: (parent: Id<'sub'>, plain: Id<'sub'>) => Promise<void>;
} = {}) {
  const { withAddOn, without, reference } = customers;
  const family = `Machines ${++made}`;
  await moveTo(Date.parse('2024-08-01T02:00:00Z'), withAddOn, without);
  const machines = await service({ charges: ownCard, family });
  const extra = await service({ charges: addOnCard, addOnTo: [family] });
  // As an add-on it has no meter of its own.
  const alone = await service({ charges: addOnCard, addOnTo: ['none'] });
  await console.ok(catalogue.updateService, { serviceId: alone, addOnTo: [] }, { token: admin });
  const parent = await console.ok(subscriptions.subscribe, { serviceId: machines }, withAddOn);
  const plain = await console.ok(subscriptions.subscribe, { serviceId: machines }, without);
  const add = () =>
    console.ok(
      subscriptions.addAddOn,
      {
        subscriptionId: parent.id,
        serviceId: extra,
        endsAt: new Date(ended),
        ...(isAhead && { startedAt: new Date(began) }),
      },
      withAddOn,
    );
  const ahead = isAhead ? await add() : undefined;
  await moveTo(began - 60 * minuteMs, withAddOn);
  await before?.(parent.id, plain.id);
  if (ahead) {
    // Whatever its subscription has sent by then, it costs nothing and has counted nothing.
    expect(await currentLines(withAddOn, ahead.id)).toEqual([]);
    expect(
      await console.ok(subscriptions.getSubscription, { subscriptionId: ahead.id }, withAddOn),
    ).toMatchObject({
      state: 'scheduled',
      usage: '0',
    });
  }
  await moveTo(began, withAddOn, reference);
  const addOn = ahead ?? (await add());
  const same = await console.ok(subscriptions.subscribe, { serviceId: alone }, reference);
  await moveTo(ended, reference);
  await console.ok(subscriptions.cancel, { subscriptionId: same.id, when: 'now' }, reference);
  await moveTo(start + 30 * 24 * 60 * minuteMs - minuteMs, withAddOn, without, reference);
  return { withAddOn, without, reference, parent, plain, addOn, same };
}

describe('R-BILL-01: an add-on is billed for the usage of its subscription while it runs', () => {
  const wires: fc.Arbitrary<(Wire & { readonly isVoid: boolean })[]> = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 10_000 }).map(String),
      type: fc.constantFrom('vm', 'vm', 'vm', 'disk', 'pay', 'pay', 'scan'),
      // Many events near begin and end, also within those hours.
      at: fc.oneof(
        fc.integer({ min: 0, max: 30 * 24 * 60 - 60 }).map((minutes) => start + minutes * minuteMs),
        fc.integer({ min: -90, max: 90 }).map((minutes) => began + minutes * minuteMs),
        fc.integer({ min: -90, max: 90 }).map((minutes) => ended + minutes * minuteMs),
      ),
      value: fc.integer({ min: 0, max: 1000 }).map((units) => `${units}.5`),
      data: fc.record({
        region: fc.constantFrom('tpe', 'nrt'),
        size: fc.constantFrom('s', 'l'),
        user: fc.constantFrom('a', 'b', 'c'),
      }),
      isVoid: fc.boolean(),
    }),
    { selector: ({ id }) => id, minLength: 5, maxLength: 40 },
  );
  const isWithin = ({ at }: Wire): boolean => at >= began && at < ended;
  const isOwn = ({ type }: Wire): boolean => type === 'vm' || type === 'pay';

  it('like a subscription with the same charges and only those events; the bill of its subscription is unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(wires, fc.integer({ min: 1, max: 20 }), fc.boolean(), async (list, size, isAhead) => {
        const sendAll = async (subject: string, events: readonly Wire[]): Promise<void> => {
          for (const some of chunksOf(events, size)) await send(some.map((wire) => eventOf(subject, wire)));
        };
        // Only the add-on counts disks and scans; nothing counts them before and after it.
        const sent = list.filter((wire) => isOwn(wire) || isWithin(wire));
        const isEarly = ({ at }: Wire): boolean => at < began - 60 * minuteMs;
        const { withAddOn, without, reference, parent, plain, addOn, same } = await threeCustomers({
          isAhead,
          before: async (parentId, plainId) => {
            await sendAll(parentId, list.filter(isEarly));
            await sendAll(plainId, sent.filter(isOwn).filter(isEarly));
          },
        });
        await sendAll(parent.id, list);
        await sendAll(plain.id, sent.filter(isOwn));
        await sendAll(same.id, list.filter(isWithin));
        const voidOf = (subject: string, { id, type }: Wire) =>
          eventOf(subject, {
            id: `void-${id}`,
            type: `${type}.void`,
            at: start + 29 * 24 * 60 * minuteMs,
            value: '1',
            data: { id },
          });
        const voids = sent.filter(({ isVoid }) => isVoid);
        expect(await send(voids.map((wire) => voidOf(parent.id, wire)))).toBe(`${voids.length}+0`);
        await send(voids.filter(isOwn).map((wire) => voidOf(plain.id, wire)));
        await send(voids.filter(isWithin).map((wire) => voidOf(same.id, wire)));

        const expected = await currentLines(reference, same.id);
        expect(await currentLines(withAddOn, addOn.id)).toEqual(expected);
        expect(await currentLines(withAddOn, parent.id)).toEqual(await currentLines(without, plain.id));
        // By day, and the events of each day.
        const days = async ({ token }: Customer, subscriptionId: Id<'sub'>) =>
          (
            await console.ok(
              usage.daily,
              { from: '2024-09-01' as LocalDay, to: '2024-09-30' as LocalDay },
              { token },
            )
          ).series
            .filter((each) => each.subscriptionId === subscriptionId)
            .map(({ quantities, costs }) => ({ quantities, costs }));
        expect(await days(withAddOn, addOn.id)).toEqual(await days(reference, same.id));
        const events = async ({ token }: Customer, subscriptionId: Id<'sub'>) => {
          const { total, items } = await console.ok(usage.events, { subscriptionId, limit: 200 }, { token });
          return [total, items.map(({ id, value }) => `${id} ${value}`)];
        };
        expect(await events(withAddOn, addOn.id)).toEqual(await events(reference, same.id));
      }),
      { numRuns: isLong ? 8 : 2 },
    );
  }, 240_000);

  it('without usage that was canceled while its organization was suspended', async () => {
    const { withAddOn, reference, parent, addOn, same } = await threeCustomers();
    const scan: Wire = { id: 'taken', type: 'scan', at: began + minuteMs, value: '7', data: {} };
    for (const subject of [parent.id, same.id])
      await send([eventOf(subject, scan), eventOf(subject, { ...scan, id: 'kept', value: '2' })]);
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      holdSubscriptions(ctx, [withAddOn.organizationId], 'suspended'),
    );
    const taken = { ...scan, id: 'void', type: 'scan.void', data: { id: 'taken' } };
    for (const subject of [parent.id, same.id]) expect(await send([eventOf(subject, taken)])).toBe('1+0');
    const expected = await currentLines(reference, same.id);
    expect(expected).toContainEqual(expect.arrayContaining(['scans', '2']));
    const scans = (lines: typeof expected) => lines.filter(([, of]) => of === 'scans');
    expect(scans(await currentLines(withAddOn, addOn.id))).toEqual(scans(expected));
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      releaseSubscriptions(ctx, [withAddOn.organizationId]),
    );
  });

  it('by a close with the same lines, with late usage settled and explained', async () => {
    const { withAddOn, parent, addOn, reference, same } = await threeCustomers();
    const list = Array.from({ length: 12 }, (_, index): Wire => ({
      id: `e${index}`,
      type: ['vm', 'pay', 'scan', 'disk'][index % 4] ?? 'vm',
      at: began + index * 60 * 60 * minuteMs,
      value: `${index + 1}`,
      data: { region: index % 2 ? 'tpe' : 'nrt', size: 'l', user: `u${index % 3}` },
    }));
    await send(list.map((wire) => eventOf(parent.id, wire)));
    await send(list.map((wire) => eventOf(same.id, wire)));
    const billOf = async (one: Customer, of: BillingMonth) => {
      const { items } = await console.ok(billing.listBills, {}, one);
      const bill = required(
        items.find((each) => each.month === of),
        `the bill of ${of}`,
      );
      return console.ok(billing.getBill, { billId: bill.id }, one);
    };
    const close = async (of: BillingMonth, at: string): Promise<readonly BillDetail[]> => {
      await moveTo(Date.parse(at), withAddOn, reference);
      await console.ok(billing.closeMonth, { month: of }, { token: admin });
      return [await billOf(withAddOn, of), await billOf(reference, of)];
    };
    const [own, other] = await close(month, '2024-10-02T01:00:00Z');
    expect(linesOf(required(own, 'the bill').lines, addOn.id)).toEqual(
      linesOf(required(other, 'the bill').lines, same.id),
    );
    expect(linesOf(required(own, 'the bill').lines, addOn.id).length).toBeGreaterThan(8);

    // The steps of a line name the events that were sent for the subscription.
    const explained = async (one: Customer, bill: BillDetail | undefined, id: string) => {
      const { id: billId, lines } = required(bill, 'the bill');
      const line = required(
        lines.find((each) => each.subscriptionId === id && each.charge?.key === 'scans'),
        'the line of scans',
      );
      const { days } = await console.ok(billing.explainLine, { billId, lineId: line.id }, one);
      return days;
    };
    const days = await explained(withAddOn, own, addOn.id);
    expect(days.length).toBeGreaterThan(0);
    expect(days).toEqual(await explained(reference, other, same.id));

    // Late usage of September is on the bill of October; usage after the add-on’s end is not part of it.
    const late = [
      { ...list[0], id: 'late-1', at: ended - minuteMs },
      { ...list[1], id: 'late-2', at: ended - minuteMs },
      { ...list[1], id: 'late-3', at: ended + minuteMs },
      { ...list[2], id: 'late-4', at: ended + minuteMs },
    ] as Wire[];
    expect(await send(late.map((wire) => eventOf(parent.id, wire)))).toBe(
      '3+0, 3 usage.subscription_not_running',
    );
    await send(late.slice(0, 2).map((wire) => eventOf(same.id, wire)));
    const [october, otherOctober] = await close('2024-10' as BillingMonth, '2024-11-02T01:00:00Z');
    expect(linesOf(required(october, 'the bill').lines, addOn.id)).toEqual(
      linesOf(required(otherOctober, 'the bill').lines, same.id),
    );
    expect(linesOf(required(october, 'the bill').lines, addOn.id).length).toBeGreaterThan(0);
    // The independent checker finds events, hours, days, months and bills consistent.
    const { code, out } = await runCli(console, 'verify');
    expect(code, out).toBe(0);
  }, 120_000);
});
