// Rules of insights: allowed ranges, and how figures are split into groups, summed and compared.
import { decimal, divide, isZero, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, daysBetween, monthsAfter } from '#kernel/time.ts';
import { parseJson } from '#kernel/parse-json.ts';
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import type { ChargeName } from '#features/selling/subscriptions/contract.ts';
import { rangeMistake, type RangeMistake } from '#features/metering/usage/rules.ts';
import { maxHourlyDays, type Grain, type SpecialGroup } from './contract.ts';

export {
  focusColumns,
  focusColumnsOf,
  focusNumbers,
  focusRow,
  type FocusCharge,
  type FocusColumn,
  type FocusVersion,
} from './rules-focus.ts';

/** Why a range is invalid: the three date rules (R-USE-05), and at most fourteen days for hours. */
export function exploreMistake(
  from: LocalDay,
  to: LocalDay,
  grain: Grain,
): RangeMistake | 'insights.hours_too_long' | undefined {
  return (
    rangeMistake(from, to, monthsAfter(from, 3)) ??
    (grain === 'hour' && daysBetween(from, to) >= maxHourlyDays ? 'insights.hours_too_long' : undefined)
  );
}

/** The range of the same number of days just before a range. */
export function previousRange(from: LocalDay, to: LocalDay): { from: LocalDay; to: LocalDay } {
  const length = daysBetween(from, to) + 1;
  return { from: addDays(from, -length), to: addDays(from, -1) };
}

/** Whether quantities of a meter add up over groups and time, so that costs can be split by them. */
export const addsUp = (aggregation: Aggregation): boolean => aggregation === 'sum' || aggregation === 'count';

/** Combines consecutive places into one quantity: a sum, the maximum, or the last reported value. */
export function quantityOver(
  quantities: readonly Decimal[],
  isThere: (index: number) => boolean,
  aggregation: Aggregation,
): Decimal {
  const present = quantities.filter((_, index) => isThere(index));
  switch (aggregation) {
    case 'sum':
    case 'count':
    case 'time_weighted_average':
    case 'unique_count':
      return sumDecimals(present);
    case 'latest':
      return present.at(-1) ?? zero;
    case 'max':
      return present.reduce((most, each) => (each.gt(most) ? each : most), present[0] ?? zero);
  }
}

/** The share of one group at each place. */
export type Share = { readonly quantities: readonly Decimal[]; readonly costs: readonly Decimal[] };
const shareDigits = 12;

/**
 * Splits each place's cost by quantity. The quantity without a value is the group `none`; the last group of a
 * place gets the rounding remainder, so that the groups add up to quantity and cost to the last digit.
 */
export function splitCosts(
  quantities: readonly Decimal[],
  costs: readonly Decimal[],
  byValue: ReadonlyMap<string, readonly Decimal[]>,
): ReadonlyMap<string, Share> {
  const carried = [...byValue.keys()].toSorted();
  const rest = quantities.map((whole, place) =>
    whole.minus(sumDecimals(carried.map((value) => byValue.get(value)?.[place] ?? zero))),
  );
  const isRest = rest.some((each) => !isZero(each));
  const parts: [string, readonly Decimal[]][] = carried.map((value) => [value, byValue.get(value) ?? []]);
  if (isRest || carried.length === 0) parts.push(['none', rest]);
  const shares = new Map(parts.map(([value]) => [value, costs.map(() => zero)]));
  for (const [place, cost] of costs.entries()) {
    if (isZero(cost)) continue;
    const whole = quantities[place] ?? zero;
    const taking = parts.filter(([, each]) => !isZero(each[place] ?? zero));
    const takers = taking.length > 0 ? taking : parts.slice(-1);
    let left = cost;
    for (const [index, [value, each]] of takers.entries()) {
      const isLast = index === takers.length - 1;
      // With a total of zero no share can be computed, so the last group gets the whole cost.
      const part = isLast
        ? left
        : isZero(whole)
          ? zero
          : divide(cost.times(each[place] ?? zero), whole, shareDigits);
      const own = shares.get(value);
      if (own) own[place] = part;
      left = left.minus(part);
    }
  }
  return new Map(
    parts.map(([value, each]) => [
      value,
      { quantities: costs.map((_, place) => each[place] ?? zero), costs: shares.get(value) ?? [] },
    ]),
  );
}

export type Group = {
  readonly key: string;
  readonly label: string;
  readonly special: SpecialGroup | null;
  /** The charge of the service named by the label. */
  readonly charge?: ChargeName['name'];
};
/** One subscription's contribution to one group. */
export type GroupContribution = {
  readonly group: Group;
  readonly currency: Currency;
  readonly unit: string;
  readonly subscriptionId: string;
  /** Null if the group has costs only. */
  readonly quantities: readonly Decimal[] | null;
  readonly quantity: Decimal | null;
  /** Null if costs cannot be attributed to it. */
  readonly costs: readonly Decimal[] | null;
};
export type Added = Omit<GroupContribution, 'subscriptionId' | 'unit'> & {
  readonly unit: string | null;
  readonly cost: Decimal | null;
  readonly subscriptionIds: readonly string[];
};

const addLists = (lists: readonly (readonly Decimal[])[]): Decimal[] =>
  sumLists(lists, lists[0]?.length ?? 0);

/**
 * Builds groups from contributions, each in one currency, most expensive first. Quantities of different units
 * are never added.
 */
export function addUp(pieces: readonly GroupContribution[]): Added[] {
  const groups = [...Map.groupBy(pieces, (piece) => `${piece.group.key} ${piece.currency}`).values()];
  return groups
    .flatMap((group): Added[] => {
      const [first] = group;
      if (!first) return [];
      const measured = group.filter((piece) => piece.quantities !== null);
      const units = new Set(measured.map((piece) => piece.unit));
      const isOneUnit = units.size === 1;
      const shared = group.flatMap((piece) => (piece.costs ? [piece.costs] : []));
      const costs = shared.length > 0 ? addLists(shared) : null;
      return [
        {
          group: first.group,
          currency: first.currency,
          unit: isOneUnit ? ([...units][0] ?? null) : null,
          quantities: isOneUnit ? addLists(measured.map((piece) => piece.quantities ?? [])) : null,
          quantity: isOneUnit ? sumDecimals(measured.map((piece) => piece.quantity ?? zero)) : null,
          costs,
          cost: costs && sumDecimals(costs),
          subscriptionIds: [...new Set(group.map((piece) => piece.subscriptionId))],
        },
      ];
    })
    .toSorted((a, b) => (b.cost ?? zero).cmp(a.cost ?? zero) || a.group.label.localeCompare(b.group.label));
}

export type Mover = Group & {
  readonly currency: Currency;
  readonly before: Decimal;
  readonly after: Decimal;
  readonly change: Decimal;
};
const maxMovers = 10;

/** Returns the largest absolute changes between two periods, without unchanged groups. */
export function moversOf(now: readonly Added[], before: readonly Added[]): Mover[] {
  const all = new Map<string, { group: Group; currency: Currency; before: Decimal; after: Decimal }>();
  for (const [isNow, list] of [
    [false, before],
    [true, now],
  ] as const) {
    for (const { group, currency, cost } of list) {
      const key = `${group.key} ${currency}`;
      const sums = all.get(key) ?? { group, currency, before: zero, after: zero };
      all.set(key, { ...sums, [isNow ? 'after' : 'before']: cost ?? zero });
    }
  }
  return [...all.values()]
    .map(({ group, ...each }): Mover => ({ ...group, ...each, change: each.after.minus(each.before) }))
    .filter((each) => !isZero(each.change))
    .toSorted((a, b) => b.change.abs().cmp(a.change.abs()) || a.label.localeCompare(b.label))
    .slice(0, maxMovers);
}

/**
 * The group of a service's tags: each combination of tags is one group, so that groups always add up to the
 * total.
 */
export function tagGroup(tags: readonly string[]): Group {
  const label = [...new Set(tags)].toSorted().join(' · ');
  return label === ''
    ? { key: 'untagged', label: 'untagged', special: 'untagged' }
    : { key: `tag:${label}`, label, special: null };
}

/**
 * The group of a property's value as stored in rollups: JSON text, or the plain word `other` for values
 * beyond the limit of separately counted ones.
 */
export function valueGroup(value: string): Group {
  if (value === 'none' || value === 'other') return { key: value, label: value, special: value };
  return { key: `value:${value}`, label: readable(value), special: null };
}

/** A JSON string without its quotes; any other text unchanged. */
function readable(json: string): string {
  const value = parseJson(json);
  return typeof value === 'string' ? value : json;
}

/** The mean of absolute errors in percent, to one decimal place; null if there are none. */
export function meanAbsolute(percents: readonly (number | null)[]): number | null {
  const known = percents.flatMap((percent) => (percent === null ? [] : [Math.abs(percent)]));
  return known.length === 0
    ? null
    : Math.round((known.reduce((sum, each) => sum + each, 0) / known.length) * 10) / 10;
}

/**
 * The error of the forecast `predicted` in percent of the actual cost, to one decimal place; null if the
 * actual cost is zero.
 */
export function errorPercent(predicted: Decimal, actual: Decimal): number | null {
  return isZero(actual)
    ? null
    : Number(divide(predicted.minus(actual).times(decimal('100')), actual.abs(), 1).toFixed());
}

/** How many groups of values are shown separately. */
export const mostValues = 9;

/**
 * Merges all values beyond the largest into one group. `groups` are the totals of the contributions, largest
 * first.
 */
export function withoutSmall(groups: readonly Added[], pieces: readonly GroupContribution[]): Added[] {
  const values = groups.filter(({ group }) => group.special === null);
  const small = new Set(values.slice(mostValues).map(({ group }) => group.key));
  if (small.size === 0) return [...groups];
  const other: Group = { key: 'other', label: 'other', special: 'other' };
  return addUp(pieces.map((piece) => (small.has(piece.group.key) ? { ...piece, group: other } : piece)));
}
