// A console, or its database, that is killed while it charges saved cards collects each bill once, and the
// books match the provider (R-BILL-05).
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import { newcomer, query, sendEvent, startStripe } from '../support/killed-charges.ts';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

const { stripe, environment } = await startStripe();
const rounds = roundsOr(2);
const billsEach = isLong ? 8 : 4;
const total = 105;
/** After this many rounds all months since 2010 are closed, and another customer is used. */
const roundsOfOne = 24;
const ownerOf = (round: number): string => `owner@c${Math.floor(round / roundsOfOne)}.example`;

/** Switching it on enqueues the job immediately. */
async function runJob(console: ProcessConsole, token: string): Promise<void> {
  for (const isOn of [false, true]) await api(console, 'PUT', '/billing/collection', { isOn }, token);
}

it(
  'F3, F5: each bill is charged once, whatever was killed around the charges',
  async () => {
    const dataDir = makeDataDir();
    let console = await startProcess(dataDir, undefined, environment);
    const admin = await setUpProcess(console);
    await api(
      console,
      'PUT',
      '/admin/collection',
      { firstDay: 'issue', daysBefore: 1, retryDays: [1] },
      admin,
    );
    const { id: serviceId } = await api<{ id: string }>(
      console,
      'POST',
      '/admin/services',
      {
        name: 'Line',
        type: 'Network',
        category: 'Own',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'none', aggregation: 'count', unit: 'times' },
      },
      admin,
    );
    for (let number = 0; number < rounds; number++) {
      if (number % roundsOfOne === 0) await newcomer(console, stripe, ownerOf(number), serviceId);
      const token = await signIn(console);
      const months = Array.from(
        { length: billsEach },
        (_, index) => (number % roundsOfOne) * billsEach + index,
      ).map((each) => `${2010 + Math.floor(each / 12)}-${String((each % 12) + 1).padStart(2, '0')}`);
      for (const month of months) await api(console, 'POST', '/admin/billing/close', { month }, token);
      const charged = stripe.cards.charges.size;
      await runJob(console, await signIn(console, ownerOf(number)));
      // In half of the rounds as soon as the provider has one of the charges, in the others at any moment.
      if (number % 4 < 2) {
        while (stripe.cards.charges.size === charged) await pause(2);
        await pause(randomInt(100));
      } else await pause(randomInt(700, 2000));
      await (number % 2 === 0 ? killProcess : killItsDatabase)(console);
      console = await startProcess(dataDir, undefined, environment);
      // For some of the charges the provider sends its event twice at once; the console queries the others.
      for (const [place, charge] of [...stripe.cards.charges.values()].entries())
        if (place % 2 === 0) {
          const event = stripe.event('payment_intent.succeeded', charge);
          expect(
            await Promise.all([sendEvent(console, stripe, event), sendEvent(console, stripe, event)]),
          ).toEqual([200, 200]);
        }
      const payer = await signIn(console, ownerOf(number));
      const open = async (): Promise<number> => {
        // Attempts are queried after minutes.
        await query(
          dataDir,
          `update payment set created_at = created_at - interval '5 minutes' where is_off_session and state = 'pending'`,
        );
        await runJob(console, payer);
        const [found] = await query<{ n: string }>(
          dataDir,
          `select count(*) as n from bill where state = 'open'`,
        );
        return Number(found?.n);
      };
      await expect.poll(open, { timeout: 60_000, interval: 500 }).toBe(0);
      const charges = [...stripe.cards.charges.values()];
      const paid = charges.filter((each) => each.status === 'succeeded');
      expect(new Set(paid.map((each) => each.metadata['bill'])).size).toBe(paid.length);
      expect(paid.every((each) => each.amount === total * 100)).toBe(true);
      const [books] = await query<Record<string, string>>(
        dataDir,
        `select (select count(*) from bill where state = 'paid')::text as bills, (select sum(received_minor) from payment where is_off_session and state = 'succeeded')::text as received, (select count(*) from payment where is_off_session and state = 'succeeded')::text as payments,
        (select -coalesce(sum(balance_minor), 0) from ledger_account where kind = 'balance')::text as prepaid, (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'receivable')::text as owed`,
      );
      expect(books).toEqual({
        bills: String(paid.length),
        received: String(stripe.cash('twd') / 100),
        payments: String(paid.length),
        prepaid: '0',
        owed: '0',
      });
    }
  },
  180_000 + rounds * 60_000,
);
