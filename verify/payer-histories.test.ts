// Random histories of payers: who pays for which organization or subscription is set, changed and ended at
// any time between closes that run twice at once, with late usage, compared with a small model, and the
// independent checker at the end (R-BILL-01, R-BILL-05).
import fc from 'fast-check';
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '../src/features/invoicing/billing/contract.ts';
import { payers } from '../src/features/invoicing/payers/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import {
  at,
  bills,
  close,
  customer,
  expectVerified,
  fee,
  moveTo,
  startBilling,
  use as record,
  type Customer,
} from '../tests/support/corrections.ts';
import { roundsOr } from '../tests/support/fault-rounds.ts';
import { closeAsPreviewed } from '../tests/support/previewed.ts';
import { checkerOf } from './test-found.ts';

// An ordinary run has one random history; `npm run faults` runs more. Each registers four people, and one
// console accepts about 55.
const histories = Math.min(12, roundsOr(1));
const monthsOfHistory = 3;
const organizations = 4;
const fees = [100, 200, 300, 400];
const secondFee = 10;
const first = 8;
const named = (number: number): BillingMonth =>
  `${2024 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}` as BillingMonth;

let client: pg.Client;
let running = first;
/** The number of the history, because its event ids must be unique. */
let history = 0;
beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
});

/**
 * Sets a payer for an organization, or for its second subscription only, starting this many months after the
 * running one; null: it pays for itself, or its organization’s payer does.
 */
type Change = {
  readonly of: number;
  readonly isSubscription: boolean;
  readonly by: number | null;
  readonly in: number;
};
type Step = {
  readonly changes: readonly Change[];
  readonly used: readonly number[];
  /** Usage of the second subscriptions: in the month, and after its close. */
  readonly second: readonly number[];
  readonly late: readonly number[];
};
const change = fc.record({
  of: fc.nat(organizations - 1),
  isSubscription: fc.boolean(),
  by: fc.option(fc.nat(organizations - 1)),
  in: fc.integer({ min: -1, max: 3 }),
});
const amounts = fc.array(fc.nat(50), { minLength: organizations, maxLength: organizations });
const step: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(change, { maxLength: 5 }),
  used: amounts,
  second: amounts,
  late: amounts,
});

/** The payer of each organization, month by month, written out: no terms, no spans. */
class Model {
  readonly #payers = new Map<string, number>();
  /** Of second subscriptions. */
  readonly #single = new Map<string, number>();
  #closedUntil: number;
  readonly #last = first + 400;
  constructor(closedUntil: number) {
    this.#closedUntil = closedUntil;
  }
  payerOf(of: number, month: number): number {
    return this.#payers.get(`${of} ${month}`) ?? of;
  }
  /** Who pays for the second subscription of an organization. */
  payerOfSecond(of: number, month: number): number {
    return this.#single.get(`${of} ${month}`) ?? this.payerOf(of, month);
  }
  #isSo({ of, by, isSubscription }: Change, since: number): boolean {
    for (let each = since; each <= this.#last; each++) {
      const now = isSubscription
        ? (this.#single.get(`${of} ${each}`) ?? null)
        : (this.#payers.get(`${of} ${each}`) ?? null);
      if (now !== by) return false;
    }
    return true;
  }
  /** Whether somebody pays for an organization, or for a subscription of it, in a month. */
  #isPaidFor(of: number, month: number): boolean {
    return this.#payers.has(`${of} ${month}`) || this.#single.has(`${of} ${month}`);
  }
  /** Whether the change is allowed; then it is made. Setting the current payer again is always allowed. */
  set(asked: Change, month: number): boolean {
    const { of, by, isSubscription } = asked;
    if (by === of) return false;
    const isSo = this.#isSo(asked, month);
    if (by !== null) {
      if (isSubscription && this.payerOf(of, month) === by) return false;
      for (let each = month; each <= this.#last; each++) {
        if (this.#isPaidFor(by, each)) return false;
        for (let other = 0; other < organizations; other++)
          if (this.#payers.get(`${other} ${each}`) === of || this.#single.get(`${other} ${each}`) === of)
            return false;
      }
    }
    if (isSo) return true;
    if (month <= this.#closedUntil) return false;
    const set = isSubscription ? this.#single : this.#payers;
    for (let each = month; each <= this.#last; each++)
      if (by === null) set.delete(`${of} ${each}`);
      else set.set(`${of} ${each}`, by);
    return true;
  }
  close(month: number): void {
    this.#closedUntil = month;
  }
}

/** NT$ with 5 % tax, half away from zero. */
const withTax = (net: number): number => net + Math.floor((net * 5 + 50) / 100);

async function live(steps: readonly Step[]): Promise<void> {
  history++;
  const all: Customer[] = [];
  for (const amount of fees) all.push(await customer(fee(String(amount)), fee(String(secondFee))));
  const of = (index: number): Customer => required(all[index], 'an organization');
  // Months before are closed for them, so that each month has one fee.
  if (running > first) await close(named(running - 1));
  const model = new Model(running > first ? running - 1 : first - 12);
  const owedNow = async (index: number): Promise<number> =>
    (await at.console.ok(payments.balance, {}, { token: of(index).token })).owed.reduce(
      (sum, { minor }) => sum + Number(minor),
      0,
    );
  // The month before the history is billed to its payer.
  const owed: number[] = [];
  for (const index of all.keys()) owed.push(await owedNow(index));
  let lateBefore: readonly number[] = fees.map(() => 0);
  for (const { changes, used, second, late } of steps) {
    const month = running;
    for (const requestedChange of changes) {
      const from = Math.max(month + requestedChange.in, first - 11);
      const payerId = requestedChange.by === null ? null : of(requestedChange.by).organizationId;
      const subscriptionId = required(of(requestedChange.of).subscriptionIds[1], 'a second subscription');
      const { status } = requestedChange.isSubscription
        ? await at.console.call(
            payers.setSubscriptionPayer,
            { subscriptionId, payerId, from: named(from) },
            { token: at.admin },
          )
        : await at.console.call(
            payers.setPayer,
            { organizationId: of(requestedChange.of).organizationId, payerId, from: named(from) },
            { token: at.admin },
          );
      expect([requestedChange, status < 300]).toEqual([requestedChange, model.set(requestedChange, from)]);
    }
    for (const [index, value] of used.entries())
      await record(of(index), `${history} ${month} ${index}`, String(value), `${named(month)}-02T00:00:00Z`);
    for (const [index, value] of second.entries())
      await record(
        of(index),
        `${history} ${month} second ${index}`,
        String(value),
        `${named(month)}-02T00:00:00Z`,
        {},
        1,
      );
    running++;
    await moveTo(`${named(running)}-05T00:00:00Z`);
    // Twice at once, and again: issued bills stay the same.
    await closeAsPreviewed(at.console, at.admin, named(month), () =>
      Promise.all([close(named(month)), close(named(month))]),
    );
    expect(await close(named(month))).toMatchObject({ issued: 0 });
    model.close(month);
    for (const [index] of all.entries()) {
      const expected = used.flatMap((value, user) => {
        // Late usage of the previous month is charged to the current payer, whoever paid then.
        const first = (fees[user] ?? 0) + value;
        const other = secondFee + (second[user] ?? 0) + (lateBefore[user] ?? 0);
        const isFirst = model.payerOf(user, month) === index;
        const isSecond = model.payerOfSecond(user, month) === index;
        if (!isFirst && !isSecond) return [];
        const total = withTax((isFirst ? first : 0) + (isSecond ? other : 0));
        owed[index] = (owed[index] ?? 0) + total;
        return `${user} ${total}`;
      });
      const found = (await bills(of(index), named(month))).map(
        ({ usedBy, total }) =>
          `${usedBy ? all.findIndex(({ organizationId }) => organizationId === usedBy.organizationId) : index} ${total.minor}`,
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
      const covered = await at.console.ok(
        billing.listCoveredBills,
        { month: named(month) },
        { token: of(index).token },
      );
      const foreign = new Set([model.payerOf(index, month), model.payerOfSecond(index, month)]);
      foreign.delete(index);
      expect(covered.items.length).toBe(foreign.size);
      expect(await owedNow(index)).toBe(owed[index]);
    }
    for (const [index, value] of late.entries())
      await record(
        of(index),
        `${history} ${month} late ${index}`,
        String(value),
        `${named(month)}-03T00:00:00Z`,
        {},
        1,
      );
    lateBefore = late;
  }
}

it(
  'T-PAYER: whatever is set at any time, each month is billed once to its payer, to the last minor unit',
  async () => {
    await moveTo('2024-09-10T00:00:00Z');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: monthsOfHistory, maxLength: monthsOfHistory }), live),
      { numRuns: histories, endOnFailure: true },
    );
    await expectVerified(client);
  },
  300_000 + histories * 100_000,
);
