// A customer's books with discounts, commitments, credit, one-off charges, minimum spends and interim bills
// as plain numbers: the expected result for any order of events. Shares no code with the console.
import { ModelBooks, taxOf, type ModelBill, type ModelCharge } from './model.ts';

export type ModelOrder = 'as_listed' | 'percent_first' | 'best_only';
export type ModelDiscount = {
  /** In tenths of a percent; or `fixed`, in whole dollars. */
  readonly percent: bigint | null;
  readonly fixed: bigint;
  /** The maximum that a percentage takes off a month's charges, and separately off its refunds. */
  readonly maximum: bigint | null;
  readonly first: string;
  readonly last: string | null;
  readonly isOnce: boolean;
  isEnded: boolean;
  /** The numbers of the bills that it was applied to. */
  readonly on: Set<number>;
};
export type ModelGrant = {
  readonly kind: 'paid' | 'promotional';
  readonly priority: number;
  readonly usageOnly: boolean;
  /** What it applies to: everything, the customer's service, or one of the service's charges. */
  readonly scope: 'all' | 'service' | 'fee' | 'calls';
  readonly first: string;
  readonly last: string | null;
  /**
   * A grant that is renewed every month up to the current one. `rollover`: unused amounts accumulate;
   * otherwise each month's amount is usable in that month only.
   */
  readonly monthly: { readonly amount: bigint; readonly rollover: boolean } | null;
  /** The remainder of a one-time grant. */
  left: bigint;
  /** What was used of a monthly grant or has expired, by month. */
  readonly taken: Map<string, bigint>;
  /** What has expired and was not restored: in total, or by month for grants without rollover. */
  readonly expired: Map<string, bigint>;
  isWithdrawn: boolean;
};
export type ModelOneOff = {
  readonly amount: bigint;
  readonly month: string;
  on: number | null;
  isWithdrawn: boolean;
};
export type ModelMinimum = { readonly amount: bigint; readonly first: string; last: string | null };

type Drawn = {
  readonly number: number;
  readonly period: number;
  readonly drawn: bigint;
  readonly trueUp: bigint;
  readonly settles: boolean;
};
export type ModelCommitment = {
  readonly usageOnly: boolean;
  /** In whole percent. */
  readonly committed: bigint;
  readonly overage: bigint;
  /** As a count of months since the year 0. */
  readonly first: number;
  readonly months: number;
  readonly ofPeriod: number;
  readonly amounts: readonly bigint[];
  ended: { readonly last: number; readonly settlement: 'none' | 'prorated' | 'period' | 'all' } | null;
  draws: readonly Drawn[];
};
/** A month as a count since the year 0. */
export const countOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

type Row = {
  readonly is: 'fee' | 'usage' | 'true-up' | 'minimum' | 'one-off';
  /** The charge of the service; late usage belongs to none. */
  readonly charge?: 'fee' | 'calls';
  readonly amount: bigint;
  left: bigint;
};
type Use = { readonly grant: ModelGrant; readonly month: string; readonly minor: bigint };
/** What a voided bill returned to a grant, and how much of the grant had expired by then. */
type Restored = Use & { readonly expiredBefore: bigint };

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a < b ? b : a);
const sum = (values: readonly bigint[]): bigint => values.reduce((all, each) => all + each, 0n);
/** Rounds half away from zero. */
function divided(a: bigint, b: bigint): bigint {
  if (a < 0n !== b < 0n && a !== 0n) return -divided(a < 0n ? -a : a, b < 0n ? -b : b);
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  return (2n * x + y) / (2n * y);
}

/**
 * Splits an amount in proportion to positive weights; remaining units go one by one to the part that is
 * farthest below its exact share.
 */
function parts(amount: bigint, weights: readonly bigint[]): bigint[] {
  const positive = weights.map((weight) => most(weight, 0n));
  const whole = sum(positive);
  const total = least(amount, whole);
  if (total <= 0n) return weights.map(() => 0n);
  const given = positive.map((weight) => (total * weight) / whole);
  const lack = positive.map((weight, index) => total * weight - (given[index] ?? 0n) * whole);
  for (let rest = total - sum(given); rest > 0n; rest--) {
    const farthest = lack.reduce((best, value, index) => (value > (lack[best] ?? 0n) ? index : best), 0);
    given[farthest] = (given[farthest] ?? 0n) + 1n;
    lack[farthest] = -1n;
  }
  return given;
}

/**
 * Reduces rows by the same fraction of their remainders: the total is rounded once, and remaining units go
 * one by one to the row that is farthest below its exact share.
 */
function changes(left: readonly bigint[], changed: readonly bigint[], top: bigint, bottom: bigint): bigint[] {
  const whole = divided(sum(left) * top, bottom);
  // First truncated to whole units toward zero, even when a bill has both charges and refunds.
  const given = left.map((each) => (each * top) / bottom);
  // Two roundings must not take a charge below zero.
  for (const [index, each] of left.entries()) {
    const lowest = -(each + (changed[index] ?? 0n));
    if (each > 0n && (given[index] ?? 0n) < lowest) given[index] = lowest;
    if (each < 0n && (given[index] ?? 0n) > lowest) given[index] = lowest;
  }
  const served = new Set<number>();
  for (let rest = whole - sum(given); rest !== 0n;) {
    const unit = rest > 0n ? 1n : -1n;
    const may = (index: number): boolean => {
      const each = left[index] ?? 0n;
      const after = each + (changed[index] ?? 0n) + (given[index] ?? 0n) + unit;
      return each !== 0n && !served.has(index) && (each > 0n ? after >= 0n : after <= 0n);
    };
    const lack = (index: number): bigint =>
      ((left[index] ?? 0n) * top - (given[index] ?? 0n) * bottom) * unit;
    const places = left.map((_, index) => index).filter(may);
    if (places.length === 0) {
      served.clear();
      continue;
    }
    const best = places.reduce((a, b) => (lack(b) > lack(a) ? b : a));
    given[best] = (given[best] ?? 0n) + unit;
    served.add(best);
    rest -= unit;
  }
  return given;
}

const monthsOf = (from: string, to: string): bigint => BigInt(Math.max(countOf(to) - countOf(from) + 1, 0));
const earlier = (a: string, b: string | null): string => (b === null || a < b ? a : b);
const add = (to: Map<string, bigint>, key: string, minor: bigint): void => {
  to.set(key, (to.get(key) ?? 0n) + minor);
};
/** The key that distinguishes a grant's expiries. */
const partOf = ({ monthly }: ModelGrant, month: string): string =>
  monthly !== null && !monthly.rollover ? month : 'all';
const takenOf = ({ taken }: ModelGrant): bigint => sum([...taken.values()]);

/** What a bill of a month can use of a grant. */
function availableIn(grant: ModelGrant, month: string): bigint {
  const { first, last, monthly, left, taken, isWithdrawn } = grant;
  if (isWithdrawn || month < first || (last !== null && month > last)) return 0n;
  if (monthly === null) return left;
  return most(
    monthly.rollover
      ? monthly.amount * monthsOf(first, month) - takenOf(grant)
      : monthly.amount - (taken.get(month) ?? 0n),
    0n,
  );
}
/** Everything that was granted so far and remains. */
function restOf(grant: ModelGrant, now: string): bigint {
  const { first, last, monthly, left, isWithdrawn } = grant;
  if (isWithdrawn) return 0n;
  return monthly === null ? left : monthly.amount * monthsOf(first, earlier(now, last)) - takenOf(grant);
}
/** The remainder that lists show: for a monthly grant without rollover, that of the current month. */
export const shownOf = (grant: ModelGrant, now: string): bigint =>
  grant.monthly !== null && !grant.monthly.rollover ? availableIn(grant, now) : restOf(grant, now);
export const mayWithdraw = (grant: ModelGrant, now: string): boolean =>
  !grant.isWithdrawn &&
  (restOf(grant, now) > 0n || (grant.monthly !== null && (grant.last === null || grant.last >= now)));

function takeOf(grant: ModelGrant, month: string, minor: bigint): void {
  if (grant.monthly === null) grant.left -= minor;
  else add(grant.taken, month, minor);
}
function expireUntil(grant: ModelGrant, until: string): void {
  const { first, last, monthly, isWithdrawn } = grant;
  if (isWithdrawn) return;
  if (monthly === null || monthly.rollover) {
    if (last === null || last > until) return;
    const rest = restOf(grant, last);
    takeOf(grant, last, rest);
    add(grant.expired, 'all', rest);
    return;
  }
  for (let at = countOf(first); at <= countOf(earlier(until, last)); at++) {
    const month = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    const rest = monthly.amount - (grant.taken.get(month) ?? 0n);
    add(grant.taken, month, rest);
    add(grant.expired, month, rest);
  }
}
function covers({ usageOnly, scope }: ModelGrant, row: Row): boolean {
  if (usageOnly && row.is !== 'usage') return false;
  if (scope === 'all') return true;
  return (row.is === 'fee' || row.is === 'usage') && (scope === 'service' || row.charge === scope);
}

export class TermBooks extends ModelBooks {
  order: ModelOrder = 'as_listed';
  #lastClosed = '';
  readonly discounts: ModelDiscount[] = [];
  readonly grants: ModelGrant[] = [];
  readonly oneOffs: ModelOneOff[] = [];
  readonly minimums: ModelMinimum[] = [];
  readonly commitments: ModelCommitment[] = [];
  /** The grants that each bill used, in order of use. */
  readonly #uses = new Map<number, Use[]>();
  /** What voided bills returned, by bill number. */
  readonly #restored = new Map<number, Restored[]>();

  #isOn(discount: ModelDiscount, month: string): boolean {
    const { first, last, isOnce, isEnded, on } = discount;
    if (isEnded || month < first || (last !== null && month > last)) return false;
    return !isOnce || [...on].every((number) => this.bills[number]?.month === month);
  }

  /** Prices a bill; with a number of zero or more, its use of terms is recorded. */
  override priced(month: string, lines: ModelBill['lines'], number: number): ModelCharge {
    const { net, tax, paid } = this.#price(month, lines, number);
    return { net, tax, paid };
  }

  /** The sum that a month's valid interim bills charged, before tax. */
  #interims(month: string): bigint {
    const standing = this.bills.filter((bill) => bill.isInterim && bill.month === month && !bill.isVoid);
    return sum(standing.map(({ net }) => net));
  }

  /**
   * Issues an interim bill for the current month if its unbilled usage reaches `threshold`: the usage after
   * terms, less earlier interim bills, capped at what the month would charge before prepaid credit.
   */
  interim(month: string, threshold: bigint): void {
    const { net, tax, paid, usage } = this.#price(month, this.linesOf(month), -1);
    const open = net > 0n && net + tax > 0n ? (net * (net + tax - paid)) / (net + tax) : 0n;
    const due = least(usage - this.#interims(month), open);
    if (due <= 0n || due < threshold) return;
    this.bills.push({
      month,
      number: this.bills.length,
      lines: [],
      net: due,
      tax: taxOf(due),
      paid: 0n,
      isInterim: true,
      isVoid: false,
      isReplaced: false,
      credited: { net: 0n, tax: 0n, toDue: 0n },
    });
  }

  /** Like {@link priced}, and also returns the month's usage after discounts, rates and promotional credit. */
  #price(month: string, lines: ModelBill['lines'], number: number): ModelCharge & { readonly usage: bigint } {
    const rows: Row[] = [
      { is: 'fee', charge: 'fee', amount: this.feeOf(month), left: this.feeOf(month) },
      ...lines.map(({ usage, forMonth }): Row => ({
        is: 'usage',
        ...(forMonth === month && { charge: 'calls' as const }),
        amount: usage,
        left: usage,
      })),
    ];
    for (const oneOff of this.oneOffs) {
      if (oneOff.on !== null || oneOff.isWithdrawn || oneOff.month > month) continue;
      rows.push({ is: 'one-off', amount: oneOff.amount, left: oneOff.amount });
      if (number >= 0) oneOff.on = number;
    }
    for (const discount of this.#reduced(rows, month)) if (number >= 0) discount.on.add(number);
    this.#commit(rows, month, number);
    for (const { amount, first, last } of this.minimums) {
      if (month < first || (last !== null && month > last)) continue;
      const charged = sum(rows.filter((row) => row.is !== 'one-off').map((row) => row.left));
      if (amount > charged) rows.push({ is: 'minimum', amount: amount - charged, left: amount - charged });
    }
    const uses = this.#use('promotional', month, rows, sum(rows.map((row) => row.left)));
    const whole = sum(rows.map((row) => row.left));
    // Earlier interim charges are deducted last, and are not part of any line.
    const net = whole - this.#interims(month);
    const tax = taxOf(net);
    let [soFar, cut] = [0n, 0n];
    const gross = rows.map((row): Row => {
      soFar += row.left;
      const upTo = whole === 0n ? 0n : divided(tax * soFar, whole);
      const part = upTo - cut;
      cut = upTo;
      return { ...row, left: row.left + part };
    });
    const prepaid = this.#use('paid', month, gross, net + tax);
    if (number >= 0) {
      this.#uses.set(number, [...uses, ...prepaid]);
      for (const { grant, minor } of [...uses, ...prepaid]) takeOf(grant, month, minor);
    }
    const usage = sum(
      rows.filter((row) => row.is === 'usage' && row.charge === 'calls').map((row) => row.left),
    );
    return { net, tax, paid: sum(prepaid.map((use) => use.minor)), usage };
  }

  /** Applies a month's discounts to rows in their configured order; returns those that had an effect. */
  #reduced(rows: readonly Row[], month: string): ModelDiscount[] {
    const inForce = this.discounts.filter((discount) => this.#isOn(discount, month));
    if (this.order === 'best_only') {
      const candidates = inForce.map((discount) => ({
        discount,
        shares: TermBooks.#sharesOf(rows, discount),
      }));
      // Shares that cancel each other out count as no discount.
      const real = candidates.filter(
        ({ shares }) => sum(shares) !== 0n || shares.every((share) => share === 0n),
      );
      const best = real.reduce<(typeof real)[number] | undefined>(
        (highest, each) => (highest === undefined || sum(each.shares) > sum(highest.shares) ? each : highest),
        undefined,
      );
      return best !== undefined && TermBooks.#takeOff(rows, best.shares) ? [best.discount] : [];
    }
    const first = (discount: ModelDiscount): boolean =>
      this.order === 'as_listed' || discount.percent !== null;
    return [...inForce.filter(first), ...inForce.filter((each) => !first(each))].filter((discount) =>
      TermBooks.#takeOff(rows, TermBooks.#sharesOf(rows, discount)),
    );
  }
  static #sharesOf(rows: readonly Row[], { percent, fixed, maximum }: ModelDiscount): bigint[] {
    const covered = rows.map((row) => (row.is === 'one-off' && row.amount < 0n ? 0n : row.left));
    if (percent === null) return parts(fixed, covered);
    const shares = covered.map((left) => divided(left * percent, 1000n));
    if (maximum === null) return shares;
    const ofRefunds = parts(
      maximum,
      shares.map((share) => -share),
    );
    return parts(maximum, shares).map((share, index) => share - (ofRefunds[index] ?? 0n));
  }
  /** Deducts shares from rows; returns whether that had an effect. */
  static #takeOff(rows: readonly Row[], shares: readonly bigint[]): boolean {
    if (sum(shares) === 0n) return false;
    for (const [index, row] of rows.entries()) row.left -= shares[index] ?? 0n;
    return true;
  }

  /** The last month in which a commitment counts. */
  static lastOf({ first, months, ended }: ModelCommitment): number {
    return ended ? ended.last : first + months - 1;
  }
  /** The amount due at the end of a commitment's period. */
  #dueOf({ first, ofPeriod, amounts, ended }: ModelCommitment, period: number): bigint {
    const amount = amounts[period] ?? 0n;
    if (!ended || ended.last >= first + (period + 1) * ofPeriod) return amount;
    if (ended.settlement === 'none') return 0n;
    if (ended.settlement === 'period') return amount;
    if (ended.settlement === 'all') return sum(amounts.slice(period));
    return divided(amount * BigInt(ended.last - (first + period * ofPeriod) + 1), BigInt(ofPeriod));
  }

  /**
   * Draws from commitments, oldest first; each row draws from only one. A shortfall at the end of a period
   * becomes a row of its own.
   */
  #commit(rows: Row[], month: string, number: number): void {
    const at = countOf(month);
    const free = new Set(rows);
    for (const commitment of this.commitments) {
      const { first, ofPeriod, amounts, committed, overage, usageOnly } = commitment;
      const last = TermBooks.lastOf(commitment);
      if (at < first || at > last) continue;
      const period = Math.floor((at - first) / ofPeriod);
      const before = commitment.draws.filter((draw) => draw.period === period);
      const drawnBefore = sum(before.map((draw) => draw.drawn));
      const settles =
        at === last || at === first + (period + 1) * ofPeriod - 1 || before.some((draw) => draw.settles);
      const own = rows.filter(
        (row) => free.has(row) && (row.is === 'usage' || (row.is === 'fee' && !usageOnly)),
      );
      for (const row of own) free.delete(row);
      const left = own.map((row) => row.left);
      const whole = sum(left);
      const room = most((amounts[period] ?? 0n) - drawnBefore, 0n);
      const isOver = whole > 0n && whole * committed > room * 100n;
      // The fraction of the rows that fits into the rest of the amount.
      const [top, bottom] = isOver ? [room * 100n, committed * whole] : [1n, 1n];
      const none = left.map(() => 0n);
      const at1 = changes(left, none, top * (committed - 100n), bottom * 100n);
      const at2 = isOver ? changes(left, at1, (bottom - top) * (overage - 100n), bottom * 100n) : none;
      for (const [index, row] of own.entries()) row.left += (at1[index] ?? 0n) + (at2[index] ?? 0n);
      const drawn = most(isOver ? room : whole + sum(at1), -drawnBefore);
      const missing = most(this.#dueOf(commitment, period) - drawnBefore - drawn, 0n);
      const trueUp = settles ? missing - sum(before.map((draw) => draw.trueUp)) : 0n;
      if (trueUp !== 0n) rows.push({ is: 'true-up', amount: trueUp, left: trueUp });
      if (number >= 0) commitment.draws = [...commitment.draws, { number, period, drawn, trueUp, settles }];
    }
  }

  /** Uses grants of a kind on rows, in total no more than `limit`. */
  #use(kind: ModelGrant['kind'], month: string, rows: readonly Row[], limit: bigint): Use[] {
    let rest = most(limit, 0n);
    return this.grants
      .filter((grant) => grant.kind === kind && availableIn(grant, month) > 0n)
      .toSorted(
        (a, b) =>
          a.priority - b.priority ||
          ((a.last ?? '9999') < (b.last ?? '9999') ? -1 : (a.last ?? '9999') > (b.last ?? '9999') ? 1 : 0),
      )
      .flatMap((grant) => {
        const shares = parts(
          least(availableIn(grant, month), rest),
          rows.map((row) => (covers(grant, row) ? row.left : 0n)),
        );
        for (const [index, row] of rows.entries()) row.left -= shares[index] ?? 0n;
        const minor = sum(shares);
        rest -= minor;
        return minor > 0n ? [{ grant, month, minor }] : [];
      });
  }

  /**
   * Voiding fails when a negative bill gave money that has been spent, and when the month's own bill deducts
   * an interim bill.
   */
  mayVoid(bill: ModelBill): boolean {
    if (bill.isInterim && this.standing(bill.month)) return false;
    const rest = this.total(bill) - bill.credited.net - bill.credited.tax;
    return !bill.isVoid && (rest >= 0n || this.balance + rest >= 0n);
  }

  override void(bill: ModelBill): void {
    const before = this.balance;
    super.void(bill);
    for (const discount of this.discounts) discount.on.delete(bill.number);
    for (const oneOff of this.oneOffs) if (oneOff.on === bill.number) oneOff.on = null;
    for (const commitment of this.commitments)
      commitment.draws = commitment.draws.filter((draw) => draw.number !== bill.number);
    // What prepaid credit had paid is returned to the credit before the balance, last use first.
    let toPrepaid = least(bill.paid, most(this.balance - before, 0n));
    const uses = this.#uses.get(bill.number) ?? [];
    const paidByCredit = sum(uses.filter(({ grant }) => grant.kind === 'paid').map((use) => use.minor));
    toPrepaid = least(toPrepaid, paidByCredit);
    this.balance -= toPrepaid;
    const restored: Restored[] = [];
    for (const { grant, month, minor } of uses.toReversed()) {
      const back = grant.kind === 'paid' ? least(minor, toPrepaid) : minor;
      if (grant.kind === 'paid') toPrepaid -= back;
      if (!grant.isWithdrawn) {
        takeOf(grant, month, -back);
        const expiredBefore = grant.expired.get(partOf(grant, month)) ?? 0n;
        restored.push({ grant, month, minor: back, expiredBefore });
      } else if (grant.kind === 'paid') this.balance += back;
    }
    this.#restored.set(bill.number, restored);
    this.#uses.delete(bill.number);
  }

  /**
   * What the voided bill returned and has expired since is available again for its replacement; what that
   * leaves unused expires.
   */
  override reissue(bill: ModelBill): ModelBill {
    for (const { grant, month, minor, expiredBefore } of this.#restored.get(bill.number) ?? []) {
      const part = partOf(grant, month);
      const back = least(minor, (grant.expired.get(part) ?? 0n) - expiredBefore);
      if (grant.isWithdrawn || back <= 0n) continue;
      takeOf(grant, month, -back);
      add(grant.expired, part, -back);
    }
    const again = super.reissue(bill);
    this.expire();
    return again;
  }

  override close(month: string): void {
    if (this.isClosed(month)) return;
    super.close(month);
    this.#lastClosed = month;
    this.expire();
  }

  /** Expires what no bill can use any more. */
  expire(): void {
    if (this.#lastClosed !== '') for (const grant of this.grants) expireUntil(grant, this.#lastClosed);
  }

  withdraw(grant: ModelGrant): void {
    grant.isWithdrawn = true;
    if (grant.kind === 'paid') this.balance += grant.left;
    grant.left = 0n;
  }
}
