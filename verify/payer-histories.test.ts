// Random histories of payers: who pays for whom is set, changed and ended at any time between closes that run twice at once, compared
// with a model of a few lines, and the independent checker at the end (R-BILL-01, R-BILL-05).
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '../src/features/invoicing/billing/contract.ts';
import { payers } from '../src/features/invoicing/payers/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { placeOf } from '../tests/support/books.ts';
import {
  at,
  bills,
  close,
  customer,
  expectSoundBooks,
  fee,
  moveTo,
  startBilling,
  use as record,
  type Customer,
} from '../tests/support/corrections.ts';
import { roundsOr } from '../tests/support/fault-rounds.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import { connection } from './connection.ts';
import { foundBy } from './test-found.ts';

const histories = roundsOr(3);
const monthsOfHistory = 3;
const organizations = 4;
const fees = [100, 200, 300, 400];
const first = 8;
const named = (number: number): BillingMonth =>
  `${2024 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}` as BillingMonth;

let client: pg.Client;
let running = first;
/** Which history it is: its events must not be another's. */
let history = 0;
beforeAll(async () => {
  await startBilling();
  client = connection(placeOf(at.console));
  await client.connect();
});
afterAll(() => client.end());

/** Somebody pays for one of the organizations from so many months after the running one on; null: it pays for itself. */
type Change = { readonly of: number; readonly by: number | null; readonly in: number };
type Step = { readonly changes: readonly Change[]; readonly used: readonly number[] };
const change = fc.record({
  of: fc.nat(organizations - 1),
  by: fc.option(fc.nat(organizations - 1)),
  in: fc.integer({ min: -1, max: 3 }),
});
const step: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  used: fc.array(fc.nat(50), { minLength: organizations, maxLength: organizations }),
});

/** Who pays for whom, month by month, written down in full: no terms, no spans. */
class Model {
  readonly #payers = new Map<string, number>();
  #closedUntil: number;
  readonly #last = first + 400;
  constructor(closedUntil: number) {
    this.#closedUntil = closedUntil;
  }
  payerOf(of: number, month: number): number {
    return this.#payers.get(`${of} ${month}`) ?? of;
  }
  #isSo(of: number, by: number, since: number): boolean {
    for (let each = since; each <= this.#last; each++) if (this.payerOf(of, each) !== by) return false;
    return true;
  }
  /** Whether the change is allowed; then it is made. What is so already is allowed, whatever was billed. */
  set({ of, by }: Change, month: number): boolean {
    if (by === of) return false;
    if (this.#isSo(of, by ?? of, month)) return true;
    if (month <= this.#closedUntil) return false;
    for (let each = month; each <= this.#last && by !== null; each++) {
      if (this.payerOf(by, each) !== by) return false;
      for (let other = 0; other < organizations; other++)
        if (other !== of && this.payerOf(other, each) === of) return false;
    }
    for (let each = month; each <= this.#last; each++) this.#payers.set(`${of} ${each}`, by ?? of);
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
  for (const amount of fees) all.push(await customer(fee(String(amount))));
  const of = (index: number): Customer => required(all[index], 'an organization');
  // What was before is closed for them, so that each month has one fee.
  if (running > first) await close(named(running - 1));
  const model = new Model(running > first ? running - 1 : first - 12);
  const owedNow = async (index: number): Promise<number> =>
    (await at.console.ok(payments.balance, {}, { token: of(index).token })).owed.reduce(
      (sum, { minor }) => sum + Number(minor),
      0,
    );
  // The month before the first one of the history is billed, to whom it is for.
  const owed: number[] = [];
  for (const index of all.keys()) owed.push(await owedNow(index));
  for (const { changes, used } of steps) {
    const month = running;
    for (const asked of changes) {
      const from = Math.max(month + asked.in, first - 11);
      const { status } = await at.console.call(
        payers.setPayer,
        {
          organizationId: of(asked.of).organizationId,
          payerId: asked.by === null ? null : of(asked.by).organizationId,
          from: named(from),
        },
        { token: at.admin },
      );
      expect([asked, status < 300]).toEqual([asked, model.set(asked, from)]);
    }
    for (const [index, value] of used.entries())
      await record(of(index), `${history} ${month} ${index}`, String(value), `${named(month)}-02T00:00:00Z`);
    running++;
    await moveTo(`${named(running)}-05T00:00:00Z`);
    // Twice at once, and again: what is issued once stays.
    await Promise.all([close(named(month)), close(named(month))]);
    expect(await close(named(month))).toMatchObject({ issued: 0 });
    model.close(month);
    for (const [index] of all.entries()) {
      const expected = used.flatMap((value, user) => {
        if (model.payerOf(user, month) !== index) return [];
        const total = withTax((fees[user] ?? 0) + value);
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
      expect(covered.items.length).toBe(model.payerOf(index, month) === index ? 0 : 1);
      expect(await owedNow(index)).toBe(owed[index]);
    }
  }
}

it('T-PAYER: whatever is set whenever, each month is billed once to whoever pays then, to the last unit', async () => {
  await moveTo('2024-09-10T00:00:00Z');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: monthsOfHistory, maxLength: monthsOfHistory }), live),
    { numRuns: histories, endOnFailure: true },
  );
  await expectSoundBooks();
  await runFeatureJob(at.console.app, 'metrics.refresh');
  expect(await foundBy(client)).toEqual([]);
}, 600_000);
