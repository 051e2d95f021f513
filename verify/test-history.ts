// Usage events as they arrive in reality, generated from a seed, and their expected sums; shares no code with
// the console (F11).

type Aggregation = 'sum' | 'count' | 'max' | 'unique_count' | 'latest' | 'time_weighted_average';
type Steps = readonly { readonly upTo: bigint | null; readonly price: string; readonly fee?: string }[];
/** A price in the test's own form; `steps` are tiers that end at whole units. */
type Price =
  | { readonly model: 'flat' }
  | { readonly model: 'per_unit'; readonly price: string; readonly included?: bigint }
  | { readonly model: 'graduated' | 'volume'; readonly steps: Steps }
  | { readonly model: 'package'; readonly size: bigint; readonly price: string; readonly free: bigint };
export type Plan = { readonly name: string; readonly aggregation: Aggregation; readonly price: Price };

/** Every aggregation and every price model, and each pair whose calculation differs. */
export const plans: readonly Plan[] = [
  { name: 'sum per unit', aggregation: 'sum', price: { model: 'per_unit', price: '0.37', included: 100n } },
  {
    name: 'count package',
    aggregation: 'count',
    price: { model: 'package', size: 25n, price: '7.4', free: 10n },
  },
  {
    name: 'max volume',
    aggregation: 'max',
    price: {
      model: 'volume',
      steps: [
        { upTo: 100n, price: '2' },
        { upTo: 900n, price: '1.5' },
        { upTo: null, price: '1.11', fee: '30' },
      ],
    },
  },
  {
    name: 'unique graduated',
    aggregation: 'unique_count',
    price: {
      model: 'graduated',
      steps: [
        { upTo: 5n, price: '9.9', fee: '3' },
        { upTo: 60n, price: '4.44' },
        { upTo: null, price: '1.005' },
      ],
    },
  },
  { name: 'latest per unit', aggregation: 'latest', price: { model: 'per_unit', price: '3.3' } },
  {
    name: 'level graduated',
    aggregation: 'time_weighted_average',
    price: {
      model: 'graduated',
      steps: [
        { upTo: 400n, price: '0.5' },
        { upTo: null, price: '7.55', fee: '12.3' },
      ],
    },
  },
  {
    name: 'sum graduated',
    aggregation: 'sum',
    price: {
      model: 'graduated',
      steps: [
        { upTo: 1000n, price: '0.05' },
        { upTo: null, price: '0.013', fee: '2.5' },
      ],
    },
  },
  { name: 'count flat', aggregation: 'count', price: { model: 'flat' } },
];

export const hourMs = 3_600_000;
const firstYear = 2024;
/** September to December 2024: three months that are closed on time, and the running one. */
export const months = [0, 1, 2, 3] as const;
/** When a month begins in Taipei (ms since 1970); 4 is the end of the last one. */
export const monthStart = (month: number): number => Date.UTC(firstYear, 8 + month, 1) - 8 * hourMs;
export const monthName = (month: number): string => `${firstYear}-${String(9 + month).padStart(2, '0')}`;
/** The stages: in the middle of a month, and on the second day of the next one, before it is closed. */
export const stageAt = (stage: number): number =>
  stage % 2 === 0 ? monthStart(stage / 2) + 15 * 24 * hourMs : monthStart((stage + 1) / 2) + 24 * hourMs;
export const lastStage = 6;
/** The first stage after a month's close. */
export const firstLate = (month: number): number => 2 * month + 2;
/** How far ahead of the console's clock an event may be, in ms. */
export const skewMs = 5 * 60_000;

/**
 * One event: `value` in thousandths; `stage`: when it first arrives; `voidStage`: when it is taken back;
 * `isEarly`: it is also sent once before its time.
 */
export type Happening = {
  readonly plan: number;
  readonly month: number;
  readonly time: number;
  readonly value: number;
  readonly who: number;
  readonly stage: number;
  readonly voidStage: number | null;
  readonly isEarly: boolean;
};
/** What is sent in a stage: an event by its index, its correction, or the event before its time. */
export type Delivery = { readonly index: number; readonly what: 'event' | 'void' | 'early' };
export type History = {
  readonly events: readonly Happening[];
  readonly stages: readonly (readonly Delivery[])[];
};

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The probability of each variation of an event. */
const rate = { duplicated: 0.3, late: 0.1, early: 0.02, takenBack: 0.05, onTheHour: 0.3, atTheEnd: 0.01 };

function happening(next: () => number): Happening {
  const upTo = (most: number): number => Math.floor(next() * most);
  const plan = upTo(plans.length);
  const month = next() < 0.05 ? 3 : upTo(3);
  const middle = stageAt(2 * month);
  // In the running month only times before now; some events share their moment.
  const exact = monthStart(month) + upTo((month === 3 ? middle : monthStart(month + 1)) - monthStart(month));
  let time = next() < rate.onTheHour ? exact - (exact % hourMs) : exact;
  // Values reported last in a month continue into the next one, which makes more of them arrive late.
  const isAtTheEnd = month < 3 && next() < rate.atTheEnd;
  if (isAtTheEnd) time = monthStart(month + 1) - 1 - upTo(2);
  const isLate = month < 3 && next() < (isAtTheEnd ? 0.5 : rate.late);
  // Half of a month's events are after its middle, so one in a hundred of all arrives early.
  const isEarly = month < 3 && !isLate && time > middle + skewMs && next() < rate.early;
  // Some are early by one millisecond, and some are just within the limit.
  if (isEarly && next() < 0.2) time = middle + skewMs + 1;
  else if (!isEarly && !isLate && month < 3 && next() < 0.002) time = middle + skewMs;
  const due = time <= middle + skewMs ? 2 * month : 2 * month + 1;
  const stage = isLate ? Math.min(lastStage, firstLate(month) + upTo(3)) : due;
  return {
    plan,
    month,
    time,
    value: upTo(1_000_000),
    who: upTo(150),
    stage,
    voidStage: next() < rate.takenBack ? Math.min(lastStage, stage + upTo(4)) : null,
    isEarly,
  };
}

/** Generates `count` events of one organization and their deliveries; the same seed gives the same result. */
export function randomHistory(count: number, seed: number): History {
  const next = numbers(seed);
  const upTo = (most: number): number => Math.floor(next() * most);
  const events = Array.from({ length: count }, () => happening(next));
  const stages: Delivery[][] = Array.from({ length: lastStage + 1 }, () => []);
  const put = (stage: number, index: number, what: Delivery['what']): void => {
    const copies = next() < rate.duplicated ? 1 + upTo(4) : 0;
    stages[stage]?.push({ index, what });
    for (let copy = 0; copy < copies; copy++)
      stages[what === 'early' ? stage : Math.min(lastStage, stage + upTo(3))]?.push({ index, what });
  };
  for (const [index, { month, stage, voidStage, isEarly }] of events.entries()) {
    put(stage, index, 'event');
    if (isEarly) put(2 * month, index, 'early');
    if (voidStage !== null) put(voidStage, index, 'void');
  }
  return { events, stages };
}

/** A copy of the list in which a share of the elements have been exchanged at random. */
export function shuffled<T>(list: readonly T[], share: number, next: () => number): T[] {
  const mixed = [...list];
  const places = [...mixed.keys()].filter(() => next() < share);
  for (let last = places.length - 1; last > 0; last--) {
    const [a, b] = [places[last] ?? 0, places[Math.floor(next() * (last + 1))] ?? 0];
    [mixed[a], mixed[b]] = [mixed[b] as T, mixed[a] as T];
  }
  return mixed;
}

// Quantities and prices in 10^-12, amounts in 10^-24.
const digits = 12;
const one = 10n ** BigInt(digits);
function units(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(digits, '0'));
}
/** The text of a quantity in 10^-12. */
export function quantityText(quantity: bigint): string {
  const text = quantity.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The exact amount for a quantity, in 10^-24. */
function exactOf(price: Price, quantity: bigint): bigint {
  switch (price.model) {
    case 'flat':
      return 0n;
    case 'per_unit': {
      const free = least(quantity, (price.included ?? 0n) * one);
      return (quantity - free) * units(price.price);
    }
    case 'package': {
      const billable = quantity - price.free * one;
      return billable <= 0n
        ? 0n
        : ((billable + price.size * one - 1n) / (price.size * one)) * units(price.price) * one;
    }
    case 'volume': {
      const step = price.steps.find(({ upTo }) => upTo === null || quantity <= upTo * one);
      if (!step) throw new Error('the last step has no end');
      return quantity * units(step.price) + (quantity > 0n ? units(step.fee ?? '0') * one : 0n);
    }
    case 'graduated': {
      let [amount, from] = [0n, 0n];
      for (const { upTo, price: each, fee } of price.steps) {
        if (quantity <= from) break;
        const until = upTo === null ? quantity : least(quantity, upTo * one);
        amount += (until - from) * units(each) + units(fee ?? '0') * one;
        from = until;
      }
      return amount;
    }
  }
}

/**
 * The cost of a plan's quantity in whole dollars, rounded half away from zero. Quantities here are never
 * negative.
 */
export const costOf = ({ price }: Plan, quantity: bigint): bigint =>
  (2n * exactOf(price, quantity) + one * one) / (2n * one * one);

/** The earlier of two events; at the same moment the one with the smaller name. */
const byTime =
  (events: readonly Happening[]) =>
  (a: number, b: number): number =>
    (events[a]?.time ?? 0) - (events[b]?.time ?? 0) || a - b;

/**
 * The average level over a month, up to `now`: each value lasts until the next one, and the last one of
 * earlier months continues.
 */
function levelOf(
  events: readonly Happening[],
  inOrder: readonly number[],
  month: number,
  now: number,
): bigint {
  const [start, end] = [monthStart(month), monthStart(month + 1)];
  let [level, since, area] = [0n, start, 0n];
  for (const index of inOrder) {
    const { time = 0, value = 0 } = events[index] ?? {};
    if (time >= Math.min(end, now)) break;
    if (time > since) {
      area += level * BigInt(time - since);
      since = time;
    }
    level = BigInt(value);
  }
  area += level * BigInt(Math.min(end, now) - since);
  const [whole, scale] = [BigInt(end - start), one / 1000n];
  return (2n * area * scale + whole) / (2n * whole);
}

/**
 * The quantity of each plan and month, by `plan month`, of the events that have arrived and are valid at the
 * end of a stage.
 */
export function quantitiesAfter(
  { events }: History,
  stage: number,
  now: number,
): ReadonlyMap<string, bigint> {
  const standing = [...events.keys()]
    .filter((index) => {
      const event = events[index];
      return (
        event !== undefined && event.stage <= stage && (event.voidStage === null || event.voidStage > stage)
      );
    })
    .toSorted(byTime(events));
  const found = new Map<string, bigint>();
  for (const [plan, { aggregation }] of plans.entries()) {
    const ofPlan = standing.filter((index) => events[index]?.plan === plan);
    for (const month of months) {
      const inMonth = ofPlan.flatMap((index) => (events[index]?.month === month ? [events[index]] : []));
      const exact = (thousandths: number): bigint => BigInt(thousandths) * (one / 1000n);
      const quantity = {
        sum: () => inMonth.reduce((sum, event) => sum + exact(event.value), 0n),
        count: () => BigInt(inMonth.length) * one,
        max: () => exact(inMonth.reduce((most, event) => Math.max(most, event.value), 0)),
        latest: () => exact(inMonth.at(-1)?.value ?? 0),
        unique_count: () => BigInt(new Set(inMonth.map((event) => event.who)).size) * one,
        time_weighted_average: () => levelOf(events, ofPlan, month, now),
      }[aggregation]();
      found.set(`${plan} ${month}`, quantity);
    }
  }
  return found;
}
