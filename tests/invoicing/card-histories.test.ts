// Random histories of rate cards with several charges against a model that shares no code with the console:
// usage on several meters, fees of several cycles with changing quantities, add-ons that begin immediately or
// later, are canceled and end, late events, corrections after a close, voided and reissued bills (R-BILL-05).
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
import { billing, type BillDetail, type CurrentBill } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { monthsFrom } from '../support/arbitraries.ts';
import { closeAsPreviewed } from '../support/previewed.ts';
import { runCli } from '../support/cli.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';
import { ModelBooks, type ModelBill } from '../support/model.ts';

// An ordinary run has one random history; `npm run faults` runs more. Each registers two people, and one
// console accepts about 55.
const histories = Math.min(25, roundsOr(1));
/** A moment of a month in Taipei, which has no daylight saving time. */
const momentIn = (month: string, ms = 0): number => Date.parse(`${month}-01T00:00:00+08:00`) + ms;
const daysOf = (month: string): number => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
};
/** The day of a month, counted from 1970, of its first day. */
const firstDay = (month: string): number => Date.parse(`${month}-01T00:00:00Z`) / dayMs;
const quarterOf = (month: string): readonly string[] => {
  const first = Math.floor((Number(month.slice(5)) - 1) / 3) * 3 + 1;
  return [0, 1, 2].map((place) => `${month.slice(0, 5)}${String(first + place).padStart(2, '0')}`);
};

// Whole days of any month, and of any quarter, cost whole dollars, because rounding is not tested here.
const seatPrice = 28n * 29n * 15n * 31n;
const supportPrice = 90n * 91n * 92n;
const weekPrice = 7n;
const setupPrice = 50n;
/** An add-on’s monthly fee, and the price of each call while it runs. */
const watchFee = 28n * 29n * 15n * 31n;
const watchPrice = 7n;

const named = (enUS: string): Charge['name'] => ({ zhTW: enUS, enUS });
const measured: Record<string, Partial<Meter>> = {
  traffic: { eventType: 'vm', aggregation: 'sum', dimensions: ['region'] },
  bandwidth: { eventType: 'vm', aggregation: 'percentile', p: 95, sampleMinutes: 720 },
  calls: { eventType: 'call', aggregation: 'count' },
  payments: { eventType: 'pay', aggregation: 'sum' },
};
const charges: readonly Charge[] = [
  { key: 'setup', name: named('Setup'), kind: 'one_time', model: 'flat', amount: String(setupPrice) },
  {
    key: 'seats',
    name: named('Seats'),
    kind: 'recurring',
    model: 'per_unit',
    unitPrice: String(seatPrice),
    timing: 'arrears',
  },
  {
    key: 'support',
    name: named('Support'),
    kind: 'recurring',
    model: 'flat',
    amount: String(supportPrice),
    cycle: 'quarter',
  },
  {
    key: 'check',
    name: named('Check'),
    kind: 'recurring',
    model: 'flat',
    amount: String(weekPrice),
    cycle: 'week',
    timing: 'arrears',
  },
  {
    key: 'traffic',
    name: named('Traffic'),
    kind: 'usage',
    meter: 'traffic',
    model: 'matrix',
    rates: [
      { when: { region: 'tpe' }, unitPrice: '2' },
      { when: {}, unitPrice: '5' },
    ],
  },
  {
    key: 'bandwidth',
    name: named('Bandwidth'),
    kind: 'usage',
    meter: 'bandwidth',
    model: 'per_unit',
    unitPrice: '3',
  },
  {
    key: 'calls',
    name: named('Calls'),
    kind: 'usage',
    meter: 'calls',
    model: 'graduated',
    tiers: [
      { upTo: '3', unitPrice: '5' },
      { upTo: null, unitPrice: '2', flatFee: '11' },
    ],
  },
  {
    key: 'payments',
    name: named('Payments'),
    kind: 'usage',
    meter: 'payments',
    model: 'percentage',
    ratePercent: '10',
    fixedPerEvent: '3',
    freeEvents: 1,
  },
];

type Wire = {
  readonly id: string;
  readonly type: 'vm' | 'call' | 'pay';
  readonly at: number;
  readonly value: number;
  readonly region: string;
};

/** The books of one subscription to the card, computed only from its events and daily quantities. */
class CardBooks extends ModelBooks {
  readonly #events = new Map<string, Wire>();
  /** The times during which add-ons ran. */
  readonly #watched: { readonly from: number; to: number | null }[] = [];
  /** The day on which each quantity begins. */
  readonly #seats: [day: number, count: bigint][] = [];
  readonly #start: string;

  constructor(start: string, seats: bigint) {
    super(0n, 0n);
    this.#start = start;
    this.#seats.push([firstDay(start), seats]);
  }

  get seats(): bigint {
    return this.#seats.at(-1)?.[1] ?? 0n;
  }
  setSeats(day: number, count: bigint): void {
    this.#seats.push([day, count]);
  }
  /** Whether an add-on runs, or is scheduled. */
  get isWatched(): boolean {
    return this.#watched.at(-1)?.to === null;
  }
  watch(from: number): void {
    this.#watched.push({ from, to: null });
  }
  /** Ends the add-on, or cancels it before it began, as if it had never existed. */
  unwatch(to: number): void {
    const last = this.#watched.at(-1);
    if (last && last.from > to) this.#watched.pop();
    else if (last) last.to = to;
  }
  /** The calls of a month while add-ons ran. */
  watchedCalls(month: string): bigint {
    const calls = this.eventsOf(month, 'call').filter(({ at }) =>
      this.#watched.some(({ from, to }) => at >= from && (to === null || at < to)),
    );
    return BigInt(calls.length);
  }
  /** By days: the day on which an add-on begins counts, that on which it ends only if it is the same. */
  #watchFees(month: string): bigint {
    const dayOf = (at: number): number => Math.floor((at + 8 * hourMs) / dayMs);
    const [first, count] = [firstDay(month), daysOf(month)];
    // What has not begun is on no bill, not even on the running one, because it may be canceled.
    const begun = this.#watched.filter(({ from }) => from <= console.clock.now().getTime());
    const days = begun.reduce((sum, { from, to }) => {
      const begin = Math.max(first, dayOf(from));
      const end = Math.min(first + count, to === null ? Infinity : Math.max(dayOf(to), dayOf(from) + 1));
      return sum + Math.max(0, end - begin);
    }, 0);
    return (watchFee * BigInt(days)) / BigInt(count);
  }
  readonly #monthOf = (at: number): string => new Date(at + 8 * hourMs).toISOString().slice(0, 7);
  add(wire: Wire, now: string): void {
    this.#events.set(wire.id, wire);
    this.note(this.#monthOf(wire.at), now);
  }
  take(id: string, now: string): void {
    const wire = this.#events.get(id);
    if (!wire) throw new Error(`${id} is not there`);
    this.#events.delete(id);
    this.note(this.#monthOf(wire.at), now);
  }
  get ids(): string[] {
    return [...this.#events.keys()];
  }
  typeOf(id: string): string {
    return this.#events.get(id)?.type ?? '';
  }
  eventsOf(month: string, type: Wire['type']): Wire[] {
    return [...this.#events.values()]
      .filter((wire) => wire.type === type && this.#monthOf(wire.at) === month)
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }
  /** The quantity that the percentile takes: of two samples a day the highest twentieth is dropped. */
  bandwidth(month: string): number {
    const samples = Array.from({ length: 2 * daysOf(month) }, () => 0);
    for (const { at, value } of this.eventsOf(month, 'vm'))
      samples[Math.floor((at - momentIn(month)) / (12 * hourMs))]! += value;
    return samples.toSorted((a, b) => b - a)[Math.floor(samples.length / 20)] ?? 0;
  }
  charge(month: string, key: string): bigint {
    if (key === 'traffic')
      return this.eventsOf(month, 'vm').reduce(
        (sum, { value, region }) => sum + BigInt(value) * (region === 'tpe' ? 2n : 5n),
        0n,
      );
    if (key === 'bandwidth') return BigInt(this.bandwidth(month)) * 3n;
    if (key === 'calls') {
      const count = BigInt(this.eventsOf(month, 'call').length);
      return count <= 3n ? count * 5n : 15n + 11n + (count - 3n) * 2n;
    }
    return this.eventsOf(month, 'pay')
      .slice(1)
      .reduce((sum, { value }) => sum + BigInt(value) / 10n + 3n, 0n);
  }
  override cost(month: string): bigint {
    return ['traffic', 'bandwidth', 'calls', 'payments'].reduce(
      (sum, key) => sum + this.charge(month, key),
      this.watchedCalls(month) * watchPrice,
    );
  }
  override feeOf(month: string): bigint {
    const first = firstDay(month);
    const days = Array.from({ length: daysOf(month) }, (_, index) => first + index);
    const seats = days.reduce(
      (sum, day) => sum + (this.#seats.findLast(([from]) => from <= day)?.[1] ?? 0n) * seatPrice,
      0n,
    );
    return (
      seats / BigInt(days.length) +
      (month === this.#start ? setupPrice : 0n) +
      this.#support(month) +
      this.#watchFees(month) +
      this.#checks(days)
    );
  }
  /** In advance: a quarter with the month in which it begins, or its rest with the first month. */
  #support(month: string): bigint {
    const quarter = quarterOf(month);
    if (month !== this.#start && month !== quarter[0]) return 0n;
    const whole = quarter.reduce((sum, each) => sum + daysOf(each), 0);
    const served = quarter.filter((each) => each >= month).reduce((sum, each) => sum + daysOf(each), 0);
    return (supportPrice * BigInt(served)) / BigInt(whole);
  }
  /**
   * In arrears, a dollar per day: each week with the month in which its Sunday ends, and a week cut off by a
   * change of seats with the month of the change.
   */
  #checks(days: readonly number[]): bigint {
    const start = firstDay(this.#start);
    const changes = new Set(this.#seats.map(([day]) => day));
    // 1 January 1970 was a Thursday.
    const begins = (day: number): boolean => day <= start || (day + 3) % 7 === 0 || changes.has(day);
    const beginOf = (day: number): number => (begins(day) ? day : beginOf(day - 1));
    return days
      .filter((day) => begins(day + 1))
      .reduce((sum, last) => sum + BigInt(last - beginOf(last) + 1), 0n);
  }
}

type Op =
  | {
      readonly op: 'event';
      readonly type: Wire['type'];
      readonly back: number;
      readonly part: number;
      readonly value: number;
      readonly region: string;
    }
  | { readonly op: 'take' | 'rebill'; readonly which: number }
  | { readonly op: 'addOn'; readonly inDays: number }
  | { readonly op: 'seats'; readonly more: number };
const anOp: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      op: fc.constant('event' as const),
      type: fc.constantFrom('vm' as const, 'vm' as const, 'call' as const, 'pay' as const),
      back: fc.constantFrom(0, 0, 0, 1, 2),
      part: fc.nat(9999).map((parts) => parts / 10_000),
      value: fc.integer({ min: 0, max: 50 }).map((tens) => tens * 10),
      region: fc.constantFrom('tpe', 'nrt', 'lax'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('take' as const), which: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('rebill' as const), which: fc.nat(1000) }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('addOn' as const), inDays: fc.constantFrom(0, 0, 2, 9, 20) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('seats' as const), more: fc.integer({ min: 1, max: 3 }) }),
  },
);
/** What happens on two days of each of three months. */
const aHistory = fc.array(fc.array(fc.array(anOp, { maxLength: 14 }), { minLength: 2, maxLength: 2 }), {
  minLength: 3,
  maxLength: 3,
});
const days = [10, 24];

let console: TestConsole;
let admin: string;
let key: string;
let serviceId: Id<'svc'>;
let addOnId: Id<'svc'>;
let made = 0;
let runs = 0;

type Customer = {
  readonly email: string;
  readonly organizationId: Id<'org'>;
  readonly id: Id<'sub'>;
  token: string;
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2020-01-15T00:00:00Z'));
  admin = await setUp(console, { taxRate: '5' });
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  for (const [name, meter] of Object.entries(measured))
    await console.ok(
      meters.createMeter,
      { key: name, name, unit: name, eventType: 'x', aggregation: 'sum', ...meter } as Meter,
      { token: admin },
    );
  ({ id: serviceId } = await console.ok(
    catalogue.createService,
    { name: 'Cloud', type: 'VM', category: 'Own', currency: 'TWD', family: 'Clouds', charges: [...charges] },
    { token: admin },
  ));
  ({ id: addOnId } = await console.ok(
    catalogue.createService,
    {
      name: 'Watch',
      type: 'VM',
      category: 'Own',
      currency: 'TWD',
      addOnTo: ['Clouds'],
      charges: [
        { key: 'watch', name: named('Watch'), kind: 'recurring', model: 'flat', amount: String(watchFee) },
        {
          key: 'watched',
          name: named('Watched calls'),
          kind: 'usage',
          meter: 'calls',
          model: 'per_unit',
          unitPrice: String(watchPrice),
        },
      ],
    },
    { token: admin },
  ));
});

async function moveTo(moment: number, ...customers: Customer[]): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  for (const one of customers) one.token = await signIn(console, one.email);
}

async function customer(month: string, seats: bigint): Promise<Customer> {
  const email = `owner@h${++made}.example`;
  const { organizationId, token } = await registerUser(console, email, `H${made}`);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: organizationId as Id<'org'>,
      serviceId,
      startedAt: new Date(momentIn(month)),
      quantities: { seats: String(seats) },
    },
    { token: admin },
  );
  return { email, organizationId: organizationId as Id<'org'>, id, token };
}

/** Sends events in calls of the given size, all of which are accepted. */
async function send(one: Customer, wires: readonly object[], size: number): Promise<void> {
  for (const sent of chunksOf(wires, size)) {
    const { accepted, rejected } = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify(
          sent.map((wire) => ({ specversion: '1.0', source: `s-${one.id}`, subject: one.id, ...wire })),
        ),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect([accepted, rejected]).toEqual([sent.length, []]);
  }
}
const wireOf = ({ id, type, at, value, region }: Wire): object => ({
  id,
  type,
  time: new Date(at).toISOString(),
  data: { value: String(value), region },
});

type Lines = readonly Pick<
  BillDetail['lines'][number],
  'kind' | 'charge' | 'quantity' | 'exact' | 'total' | 'forMonth'
>[];
const shown = (lines: Lines): string[] =>
  lines.map(({ kind, charge, quantity, exact, total, forMonth }) =>
    [kind, forMonth ?? '', charge?.key ?? '', quantity, exact, total.minor].join(' '),
  );
async function runningOf(one: Customer): Promise<CurrentBill['bills'][number]> {
  const { bills } = await console.ok(billing.currentBill, {}, { token: one.token });
  const [bill] = bills;
  if (!bill) throw new Error('no running bill');
  return bill;
}

/** The running bill, the estimate of the same usage and the model are equal. */
async function expectRunning(one: Customer, books: CardBooks, month: string): Promise<void> {
  const bill = await runningOf(one);
  expect(bill.net.minor).toBe(books.planned(month).net);
  const estimate = await console.ok(
    catalogue.estimate,
    {
      serviceId,
      quantities: { seats: String(books.seats) },
      usage: {
        traffic: books
          .eventsOf(month, 'vm')
          .map(({ value, region }) => ({ value: String(value), dimensions: { region } })),
        bandwidth: String(books.bandwidth(month)),
        calls: String(books.eventsOf(month, 'call').length),
        payments: books.eventsOf(month, 'pay').map(({ value }) => ({ value: String(value) })),
      },
    },
    { token: one.token },
  );
  for (const { key: name } of charges.filter(({ kind }) => kind === 'usage')) {
    const lines = bill.lines.filter((line) => line.kind === 'usage' && line.charge?.key === name);
    const exact = sumDecimals(lines.map((line) => decimal(line.exact)));
    const estimated = estimate.charges?.find((charge) => charge.key === name)?.exact ?? '0';
    expect([name, exact.toFixed(), decimal(estimated).toFixed()]).toEqual([
      name,
      String(books.charge(month, name)),
      String(books.charge(month, name)),
    ]);
  }
}

const standingBill = async (one: Customer, month: string): Promise<BillDetail> => {
  const { items } = await console.ok(
    billing.listBills,
    { month: month as BillingMonth },
    { token: one.token },
  );
  const bill = items.find(({ state }) => state !== 'void');
  if (!bill) throw new Error(`no bill of ${month}`);
  return console.ok(billing.getBill, { billId: bill.id }, { token: one.token });
};
const amounts = ({ net, tax, total }: BillDetail): bigint[] => [net.minor, tax.minor, total.minor];
const inModel = (bill: ModelBill): bigint[] => [bill.net, bill.tax, bill.net + bill.tax];

/** Voids a month’s bill and bills the month again. */
async function rebill(one: Customer, books: CardBooks, month: string): Promise<void> {
  const before = books.standing(month);
  if (!before) throw new Error(`the model has no bill of ${month}`);
  const { id } = await standingBill(one, month);
  await console.ok(credits.voidBill, { billId: id, reason: 'random' }, { token: admin });
  await console.ok(credits.reissueBill, { billId: id }, { token: admin });
  books.void(before);
  const again = books.reissue(before);
  expect(amounts(await standingBill(one, month))).toEqual(inModel(again));
}

/**
 * Adds the add-on to a customer’s subscription, now or from a later day; ends it when it runs, and cancels it
 * when it is scheduled.
 */
async function toggleAddOn(one: Customer, books: CardBooks, inDays: number): Promise<void> {
  const now = console.clock.now().getTime();
  if (books.isWatched) {
    const { items } = await console.ok(
      subscriptions.listAddOns,
      { subscriptionId: one.id },
      { token: one.token },
    );
    const running = items.find(({ state }) => state === 'active' || state === 'scheduled');
    if (!running) throw new Error('no add-on runs');
    await console.ok(subscriptions.cancel, { subscriptionId: running.id, when: 'now' }, { token: one.token });
    books.unwatch(now);
  } else {
    const day = Math.floor((now + 8 * hourMs) / dayMs) + inDays;
    const from = inDays === 0 ? now : day * dayMs - 8 * hourMs;
    await console.ok(
      subscriptions.addAddOn,
      {
        subscriptionId: one.id,
        serviceId: addOnId,
        ...(inDays > 0 && { startedAt: new Date(from) }),
      },
      { token: one.token },
    );
    books.watch(from);
  }
}

/**
 * The events of one day: the first customer’s in order, the second one’s in another order and other calls.
 */
async function live(
  ops: readonly Op[],
  twins: readonly { readonly one: Customer; readonly books: CardBooks }[],
  months: readonly string[],
  month: string,
  seed: number,
): Promise<void> {
  const now = console.clock.now().getTime();
  const mark = `${month} ${now}`;
  for (const [twin, { one, books }] of twins.entries()) {
    const wires: Wire[] = [];
    for (const [index, each] of ops.entries()) {
      if (each.op !== 'event') continue;
      const of = months[Math.max(0, months.indexOf(month) - each.back)] ?? month;
      const end = Math.min(momentIn(of) + daysOf(of) * dayMs, now);
      const at = Math.floor(momentIn(of) + (end - momentIn(of)) * each.part);
      const { type, value, region } = each;
      wires.push({ id: `${mark} ${index}`, type, at, value, region });
    }
    const order =
      twin === 0
        ? wires
        : fc.sample(fc.shuffledSubarray(wires, { minLength: wires.length }), { seed, numRuns: 1 })[0];
    await send(one, (order ?? []).map(wireOf), twin === 0 ? 100 : 3);
    for (const wire of wires) books.add(wire, month);
    for (const [index, each] of ops.entries()) {
      if (each.op === 'take' && books.ids.length > 0) {
        const id = books.ids[each.which % books.ids.length] ?? '';
        const type = `${books.typeOf(id)}.void`;
        await send(
          one,
          [
            {
              id: `void ${mark} ${index}`,
              type,
              time: new Date(now - 1).toISOString(),
              data: { value: '1', id },
            },
          ],
          1,
        );
        books.take(id, month);
      }
      if (each.op === 'seats') {
        const next = books.seats + BigInt(each.more);
        await console.ok(
          subscriptions.change,
          { subscriptionId: one.id, quantities: { seats: String(next) } },
          { token: one.token },
        );
        books.setSeats(Math.floor((now + 8 * hourMs) / dayMs), next);
        console.clock.advance(1);
      }
      if (each.op === 'addOn' && ops.findIndex(({ op }) => op === 'addOn') === index)
        await toggleAddOn(one, books, each.inDays);
      const closed = months.filter((of) => books.isClosed(of));
      const which = each.op === 'rebill' ? closed[each.which % closed.length] : undefined;
      if (which !== undefined) await rebill(one, books, which);
    }
    await expectRunning(one, books, month);
  }
}

describe('random histories of rate cards against a model', () => {
  it(
    'the estimate equals the running bill and the issued bill, in any order of events, with late usage and reissued bills',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          aHistory,
          fc.nat(1000),
          fc.integer({ min: 1, max: 4 }),
          async (history, seed, seats) => {
            // Each history has months of its own, because time only moves forward.
            const months = monthsFrom('2020-02', 400).slice(5 * runs, 5 * runs + 4);
            runs++;
            const [first = ''] = months;
            await moveTo(momentIn(first, 2 * hourMs));
            const twins = [];
            for (let twin = 0; twin < 2; twin++)
              twins.push({
                one: await customer(first, BigInt(seats)),
                books: new CardBooks(first, BigInt(seats)),
              });
            const people = twins.map(({ one }) => one);
            for (const [place, month] of months.slice(0, 3).entries()) {
              for (const [part, day] of days.entries()) {
                await moveTo(momentIn(month, (day - 1) * dayMs + 5 * hourMs), ...people);
                await live(history[place]?.[part] ?? [], twins, months, month, seed);
              }
              await moveTo(momentIn(months[place + 1] ?? '', -1), ...people);
              const running = await Promise.all(people.map(runningOf));
              await moveTo(momentIn(months[place + 1] ?? '', 5 * hourMs), ...people);
              const { parked } = await closeAsPreviewed(console, admin, month as BillingMonth, () =>
                console.ok(billing.closeMonth, { month: month as BillingMonth }, { token: admin }),
              );
              expect(parked).toBe(0);
              for (const [index, { one, books }] of twins.entries()) {
                books.close(month);
                const bill = await standingBill(one, month);
                expect(shown(bill.lines)).toEqual(shown(running[index]?.lines ?? []));
                const expected = books.standing(month);
                expect(expected && amounts(bill)).toEqual(expected && inModel(expected));
              }
              const [a, b] = await Promise.all(people.map((one) => standingBill(one, month)));
              expect(a && shown(a.lines)).toEqual(b && shown(b.lines));
            }
          },
        ),
        { numRuns: histories, endOnFailure: true },
      );
      const { code, out } = await runCli(console, 'verify');
      expect(code, out).toBe(0);
    },
    240_000 + histories * 60_000,
  );
});
