// What usage comes to, and what it costs: a second implementation of docs/operator/pricing.md, for readers who want to check the first one.
import {
  add,
  compare,
  divide,
  exact,
  fieldsOf,
  isFields,
  least,
  listOf,
  minus,
  nothing,
  numberOf,
  scaled,
  show,
  sum,
  textOf,
  times,
  whole,
  type Exact,
  type Fields,
  type Json,
} from './exact.ts';

export const amountOf = (value: Json | undefined): Exact => exact(textOf(fieldsOf(value)['amount']));

type Event = {
  readonly value: Exact;
  readonly at: number;
  readonly day: number;
  readonly name: string;
  readonly properties: Fields;
};
const propertyText = (value: Json | undefined): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'boolean' || typeof value === 'number'
      ? String(value)
      : undefined;

/** The events of a file that count: what corrections of the file took back does not. */
export function readEvents(file: Buffer): readonly Fields[] {
  const all = file
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => fieldsOf(JSON.parse(text) as Json));
  const key = (source: Json | undefined, id: Json | undefined): string => `${textOf(source)}\n${textOf(id)}`;
  const taken = new Set(
    all.flatMap(({ cancels }) => (isFields(cancels) ? [key(cancels['source'], cancels['id'])] : [])),
  );
  return all.filter((event) => !isFields(event['cancels']) && !taken.has(key(event['source'], event['id'])));
}

/** The start of what decides to which times an event belongs: its sample for a percentile, otherwise its hour. */
function placeOf(meter: Fields, event: Fields): number {
  if (meter['aggregation'] !== 'percentile') return Date.parse(textOf(event['hour']));
  return sampleStart(
    Date.parse(textOf(event['time'])),
    Date.parse(textOf(event['day'])),
    numberOf(meter['sampleMinutes']) * 60_000,
  );
}

/** Samples are counted from midnight. */
const sampleStart = (at: number, day: number, lengthMs: number): number =>
  day + Math.floor((at - day) / lengthMs) * lengthMs;

/** The events that a meter counts in its times: by when they happened, their type and the meter's filter. */
export function countedBy(usage: Fields, events: readonly Fields[]): Event[] {
  const meter = fieldsOf(usage['meter']);
  const within = (spans: Json | undefined, at: number): boolean =>
    listOf(spans).some((span) => {
      const { from, to } = fieldsOf(span);
      return at >= Date.parse(textOf(from)) && at < Date.parse(textOf(to));
    });
  const filter = Object.entries(fieldsOf(meter['filter']));
  return events
    .flatMap((event): Event[] => {
      const at = Date.parse(textOf(event['time']));
      const properties = fieldsOf(event['properties']);
      const isOfType =
        event['type'] === null ? meter['countsOwnType'] === true : event['type'] === meter['eventType'];
      if (!isOfType || !within(usage['times'], placeOf(meter, event))) return [];
      if (usage['served'] !== null && !within(usage['served'], at)) return [];
      if (filter.some(([name, values]) => !listOf(values).includes(propertyText(properties[name]) ?? null)))
        return [];
      const name = `${textOf(event['source'])}\n${textOf(event['id'])}`;
      return [
        { value: exact(textOf(event['value'])), at, day: Date.parse(textOf(event['day'])), name, properties },
      ];
    })
    .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

/** What a meter makes of some events; undefined where it takes more than events. */
function quantityOf(usage: Fields, events: readonly Event[]): Exact | undefined {
  const meter = fieldsOf(usage['meter']);
  const values = events.map(({ value }) => value);
  const most = (sign: 1 | -1): Exact =>
    values.reduce((best, value) => (compare(value, best) === sign ? value : best), values[0] ?? nothing);
  switch (meter['aggregation']) {
    case 'sum':
      return sum(values);
    case 'count':
      return whole(values.length);
    case 'max':
      return most(1);
    case 'min':
      return most(-1);
    case 'avg':
      return values.length === 0 ? nothing : divide(sum(values), whole(values.length), 12);
    case 'latest':
      return values.at(-1) ?? nothing;
    case 'unique_count': {
      const found = events.flatMap(({ properties }) => {
        const value = properties[textOf(meter['property'])];
        return value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
      });
      return whole(new Set(found).size);
    }
    case 'percentile':
      return percentile(
        events,
        numberOf(meter['sampleMinutes']) * 60_000,
        numberOf(usage['samples']),
        numberOf(meter['p']),
      );
    default:
      return undefined;
  }
}

/** Samples without events are zero, and of all the highest (100 − p) % are dropped. */
function percentile(events: readonly Event[], lengthMs: number, count: number, p: number): Exact {
  const sums = new Map<number, Exact>();
  for (const { at, day, value } of events) {
    const start = sampleStart(at, day, lengthMs);
    sums.set(start, add(sums.get(start) ?? nothing, value));
  }
  const samples = Math.max(count, sums.size);
  const all = [...sums.values()].toSorted((a, b) => compare(b, a));
  const dropped = Math.floor((samples * (100 - p)) / 100);
  const positive = all.filter((value) => compare(value, nothing) > 0);
  const found = positive[dropped];
  if (found) return found;
  const silent = samples - all.length;
  return positive.length + silent > dropped ? nothing : (all[dropped - silent] ?? nothing);
}

/** Map.groupBy, which Node 20 does not have. */
function groups<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = found.get(key);
    if (group) group.push(one);
    else found.set(key, [one]);
  }
  return found;
}

export type Used = {
  readonly quantity: Exact;
  readonly cells: readonly { readonly when: Fields; readonly quantity: Exact }[];
  readonly events: readonly Event[];
};
/** The usage of a line from its events, and of each combination of values of the meter's dimensions. */
export function usedBy(usage: Fields, events: readonly Event[]): Used | undefined {
  const quantity = quantityOf(usage, events);
  if (!quantity) return undefined;
  const names = listOf(fieldsOf(usage['meter'])['dimensions']).map(textOf);
  const valuesOf = ({ properties }: Event): Fields =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = propertyText(properties[name]);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  const cells = [...groups(events, (event) => JSON.stringify(valuesOf(event)))].map(([when, own]) => ({
    when: fieldsOf(JSON.parse(when) as Json),
    quantity: quantityOf(usage, own) ?? nothing,
  }));
  return { quantity, cells, events };
}

/** Tiers: each part at the price of the tier that it falls into, or all at the price of the one that it ends in. Upper ends belong to their tier. */
function tiered(
  tiers: readonly Json[],
  isVolume: boolean,
  quantity: Exact,
  priceOf: (tier: Fields) => Exact,
): Exact {
  let [price, from] = [nothing, nothing];
  for (const each of tiers) {
    const tier = fieldsOf(each);
    const end = tier['upTo'] === null ? null : exact(textOf(tier['upTo']));
    if (
      isVolume
        ? end !== null && compare(quantity, end) > 0
        : compare(from, nothing) > 0 && compare(quantity, from) <= 0
    ) {
      if (!isVolume) break;
      continue;
    }
    const part = isVolume ? quantity : minus(end === null ? quantity : least(quantity, end), from);
    price = add(price, times(part, priceOf(tier)));
    if (compare(quantity, isVolume ? nothing : from) > 0)
      price = add(price, exact(textOf(tier['flatFee']) || '0'));
    if (isVolume || end === null) break;
    from = end;
  }
  return price;
}
const unitPrice = (tier: Fields): Exact => exact(textOf(tier['unitPrice']));
export const percentOf = (text: string): Exact => times(exact(text), exact('0.01'));

function packages(pricing: Fields, quantity: Exact): Exact {
  const billable = minus(quantity, exact(textOf(pricing['freeUnits']) || '0'));
  if (compare(billable, nothing) <= 0) return nothing;
  const size = exact(textOf(pricing['packageSize']));
  const digits = Math.max(billable.digits, size.digits);
  const [have, one] = [scaled(billable, digits), scaled(size, digits)];
  return times(
    whole(pricing['rounding'] === 'down' ? have / one : (have + one - 1n) / one),
    exact(textOf(pricing['packagePrice'])),
  );
}

/** The rate of a matrix with the most conditions, all of them met; of several the first. */
function rateFor(rates: readonly Json[], when: Fields): Fields | undefined {
  const conditions = (rate: Fields): [string, Json][] => Object.entries(fieldsOf(rate['when']));
  return rates
    .map(fieldsOf)
    .filter((rate) => conditions(rate).every(([name, value]) => when[name] === value))
    .reduce<Fields | undefined>(
      (best, rate) => (best && conditions(best).length >= conditions(rate).length ? best : rate),
      undefined,
    );
}
function rateModel(rate: Fields): Fields {
  if ('tiers' in rate) return { model: rate['tierModel'] ?? 'graduated', tiers: rate['tiers'] ?? [] };
  return 'package' in rate
    ? { model: 'package', ...fieldsOf(rate['package']) }
    : { model: 'per_unit', unitPrice: rate['unitPrice'] ?? '0' };
}

/** Each event pays a share of its value and a fee, within a least and a most; the first ones may be free. */
function percentage(charge: Fields, events: readonly Event[]): Exact {
  const [rate, fee] = [
    percentOf(textOf(charge['ratePercent'])),
    exact(textOf(charge['fixedPerEvent']) || '0'),
  ];
  const limit = (name: string): Exact | null =>
    charge[name] === undefined ? null : exact(textOf(charge[name]));
  const [atLeast, atMost] = [limit('minPerEvent'), limit('maxPerEvent')];
  let freeAmount = limit('freeAmount');
  const { freeEvents } = charge;
  let freeLeft =
    freeEvents === undefined ? (freeAmount === null ? 0 : Number.POSITIVE_INFINITY) : Number(freeEvents);
  let price = nothing;
  for (const { value } of events) {
    let paid = value;
    if (freeLeft > 0 && compare(value, nothing) >= 0) {
      const covered: Exact = freeAmount === null ? value : least(freeAmount, value);
      freeLeft--;
      if (freeAmount !== null) freeAmount = minus(freeAmount, covered);
      if (compare(covered, value) === 0) continue;
      freeLeft = 0;
      paid = minus(value, covered);
    }
    const share = times(paid, rate);
    if (compare(value, nothing) < 0) {
      price = add(price, share);
      continue;
    }
    const own = add(share, fee);
    price = add(
      price,
      atLeast && compare(own, atLeast) < 0 ? atLeast : atMost && compare(own, atMost) > 0 ? atMost : own,
    );
  }
  return price;
}

/** The price of usage by its model, before the minimum and maximum of the charge. */
function modelPrice(pricing: Fields, used: Used): Exact {
  const { model } = pricing;
  const isPerValue = pricing['tierScope'] === 'per_value';
  const alone = (quantity: Exact): Used => ({ quantity, cells: [], events: [] });
  const priced = (of: Fields, quantities: readonly Exact[]): Exact =>
    sum(quantities.map((quantity) => modelPrice(of, alone(quantity))));
  if (model === 'flat') return exact(textOf(pricing['amount']) || '0');
  if (model === 'dynamic') return used.quantity;
  if (model === 'percentage') return percentage(pricing, used.events);
  if (model === 'graduated_percentage')
    return tiered(listOf(pricing['tiers']), false, used.quantity, (tier) =>
      percentOf(textOf(tier['ratePercent'])),
    );
  if (model === 'package') return packages(pricing, used.quantity);
  if (model === 'matrix') {
    const rates = listOf(pricing['rates']);
    const byRate = groups(used.cells, ({ when }) => rateFor(rates, when));
    return sum(
      [...byRate].map(([rate, cells]) => {
        if (!rate) throw new Error('the matrix has no rate for these values');
        const quantities = cells.map(({ quantity }) => quantity);
        return priced(rateModel(rate), isPerValue ? quantities : [sum(quantities)]);
      }),
    );
  }
  if (isPerValue)
    return priced(
      { ...pricing, tierScope: 'overall' },
      used.cells.map(({ quantity }) => quantity),
    );
  const included = exact(textOf(pricing['included']) || '0');
  const charged =
    compare(used.quantity, nothing) > 0
      ? minus(used.quantity, least(used.quantity, included))
      : used.quantity;
  if (model === 'per_unit') return times(charged, unitPrice(pricing));
  return tiered(listOf(pricing['tiers']), model === 'volume', charged, unitPrice);
}

type Share = { readonly part: Exact; readonly of: Exact; readonly digits: number };
export const shareIn = (value: Json | undefined): Share => {
  const { part, whole: of, unit } = fieldsOf(value);
  return { part: whole(numberOf(part)), of: whole(numberOf(of)), digits: unit === 'day' ? 24 : 30 };
};
export const partOf = (amount: Exact, { part, of, digits }: Share): Exact =>
  compare(part, of) === 0 ? amount : divide(times(amount, part), of, digits);

/** A charge for a part of the month: what is included, at least and at most is for that part only. */
export function chargeOf(pricing: Fields, line: Fields): Fields {
  const key = textOf(fieldsOf(line['charge'])['key']);
  const found =
    pricing['model'] === 'rate_card'
      ? listOf(pricing['charges'])
          .map(fieldsOf)
          .find((each) => each['key'] === key)
      : pricing;
  if (!found) throw new Error(`the price has no charge ${key}`);
  return found;
}
export function usagePrice(charge: Fields, isSingle: boolean, share: Share, used: Used): Exact {
  const isPart = compare(share.part, share.of) !== 0 && charge['prorate'] !== 'none';
  const included = charge['included'] === undefined ? undefined : exact(textOf(charge['included']));
  const mine =
    isPart && included
      ? { ...charge, included: show(divide(times(included, share.part), share.of, 12)) }
      : charge;
  const price = modelPrice(mine, used);
  // The limits of a single price are lines of their own.
  const limit = (name: string): Exact | undefined => {
    const text = isSingle ? '' : textOf(charge[name]);
    return text === '' ? undefined : isPart ? partOf(exact(text), share) : exact(text);
  };
  const [atLeast, atMost] = [limit('minimum'), limit('maximum')];
  if (atLeast && compare(atLeast, nothing) !== 0 && compare(price, atLeast) < 0) return atLeast;
  return atMost && compare(price, atMost) > 0 ? atMost : price;
}
