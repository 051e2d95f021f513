// What eight people do at once with one customer's subscriptions and bills, and what must hold afterwards: one course
// of states, and books in which the independent checker finds nothing.
import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeAll, expect } from 'vitest';
import type * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { checkerOf } from '../../verify/test-found.ts';
import { at, db, expectVerified, startBilling, type Customer } from './corrections.ts';
import { eightAtOnce } from './eight.ts';
import { unschedule } from './jobs.ts';

export const as = (one: Customer) => () => ({ token: one.token });
export const asAdmin = () => ({ token: at.admin });
export const eight = <R extends Route>(
  route: R,
  input: (index: number) => z.output<R['input']>,
  by: () => { token: string },
) => eightAtOnce(at.console, route, input, by);
export const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await query.execute(db())).rows;
export const first = (one: Customer): Id<'sub'> => required(one.subscriptionIds[0], 'a subscription');
export const stateOf = async (one: Customer, subscriptionId = first(one)) =>
  (await at.console.ok(subscriptions.getSubscription, { subscriptionId }, as(one)())).state;
/** What happened to a subscription, oldest first. */
export const historyOf = (one: Customer, subscriptionId = first(one)) =>
  rowsOf(
    sql<{
      action: string;
      from: string | null;
      to: string;
    }>`select reason as action, from_state as "from", to_state as "to" from subscription_transition where subscription_id = ${subscriptionId} order by position`,
  );
/** Every transition begins in the state in which the one before ended. */
export async function expectOneCourse(one: Customer, subscriptionId = first(one)): Promise<void> {
  const history = await historyOf(one, subscriptionId);
  for (const [index, { from }] of history.entries())
    if (index > 0) expect([index, from]).toEqual([index, history[index - 1]?.to]);
  expect(await stateOf(one, subscriptionId)).toBe(history.at(-1)?.to);
}

/** Starts a console for the tests of a file, and verifies its books after each. */
export function verifyAfterEach(): void {
  let client: pg.Client;
  beforeAll(async () => {
    await startBilling();
    for (const name of ['late-fees', 'dunning']) await unschedule(at.console.app, name);
    client = await checkerOf(at.console);
  });
  afterEach(async () => {
    await expectVerified(client);
  });
}
