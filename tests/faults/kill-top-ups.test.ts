// A console, or its database, that is killed while it tops a balance up from a card charges each attempt
// once, and the books match the provider, never above the monthly cap (R-BILL-05).
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
const owner = 'owner@top-ups.example';
const [each, chargesEach] = [1000, isLong ? 6 : 3];

/** Sets the balance below which the card is charged, which enqueues the job immediately. */
async function setThreshold(console: ProcessConsole, token: string, threshold: number): Promise<void> {
  const twd = (amount: number) => ({ amount: String(amount), currency: 'TWD' });
  await api(
    console,
    'PUT',
    '/billing/automatic-top-ups',
    {
      threshold: twd(threshold),
      amount: twd(each),
      monthlyCap: twd(threshold),
      consents: true,
      language: 'zhTW',
    },
    token,
  );
}

it(
  'F3, F5: a balance is topped up to the amount and no further, whatever was killed around the charges',
  async () => {
    const dataDir = makeDataDir();
    let console = await startProcess(dataDir, undefined, environment);
    const admin = await setUpProcess(console);
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
    await newcomer(console, stripe, owner, serviceId);
    for (let number = 0; number < rounds; number++) {
      const threshold = (number + 1) * chargesEach * each;
      const token = await signIn(console, owner);
      const running = console;
      const ends = pause(randomInt(150, 300 * chargesEach));
      // The job charges once per run: it is enqueued until the console is killed.
      const topUps = (async () => {
        for (let times = 0; times < chargesEach; times++) {
          await setThreshold(running, token, threshold);
          await pause(randomInt(50, 300));
        }
      })().catch(() => undefined);
      await ends;
      await (number % 2 === 0 ? killProcess : killItsDatabase)(console);
      await topUps;
      console = await startProcess(dataDir, undefined, environment);
      // The provider sends events about some of the charges, twice at once; the console queries the others.
      for (const [place, charge] of [...stripe.cards.charges.values()].entries())
        if (place % 2 === 0) {
          const event = stripe.event('payment_intent.succeeded', charge);
          expect(
            await Promise.all([sendEvent(console, stripe, event), sendEvent(console, stripe, event)]),
          ).toEqual([200, 200]);
        }
      const payer = await signIn(console, owner);
      const balance = async (): Promise<number> => {
        // Attempts are queried after minutes.
        await query(
          dataDir,
          `update payment set created_at = created_at - interval '5 minutes' where is_off_session and state = 'pending'`,
        );
        await setThreshold(console, payer, threshold);
        const [found] = await query<{ minor: string }>(
          dataDir,
          `select (-coalesce(sum(balance_minor), 0))::text as minor from ledger_account where kind = 'balance'`,
        );
        return Number(found?.minor);
      };
      await expect.poll(balance, { timeout: 90_000, interval: 400 }).toBe(threshold);
      const charges = [...stripe.cards.charges.values()];
      expect(new Set(charges.map((charge) => charge.metadata['payment'])).size).toBe(charges.length);
      const [books] = await query<Record<string, string>>(
        dataDir,
        `select (select sum(received_minor) from payment where is_off_session and state = 'succeeded')::text as received, (select count(*) from payment where is_off_session and state = 'succeeded')::text as payments,
        (select count(*) from payment where is_off_session and state = 'pending')::text as pending, (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'cash')::text as cash`,
      );
      expect(books).toEqual({
        received: String(stripe.cash('twd') / 100),
        payments: String(charges.length),
        pending: '0',
        cash: String(threshold),
      });
    }
  },
  180_000 + rounds * 90_000,
);
