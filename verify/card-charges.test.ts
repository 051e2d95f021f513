// Charges of saved cards: the checker finds an attempt that was paid twice, although every cent is booked.
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { collection } from '../src/features/receivables/collection/contract.ts';
import { collect } from '../src/features/receivables/collection/server/index.ts';
import { topups } from '../src/features/receivables/top-ups/contract.ts';
import { topUpBalances } from '../src/features/receivables/top-ups/server/index.ts';
import { checks } from './checks.ts';
import { opened } from './connection.ts';
import { createPaymentApp, type PaymentApp } from '../tests/support/payments.ts';
import { checkerOf } from './test-found.ts';

let app: PaymentApp;
let client: pg.Client;
beforeAll(async () => {
  app = await createPaymentApp(1);
  client = await checkerOf(app);
});

async function findings(): Promise<string[]> {
  await client.query('begin isolation level repeatable read read only');
  const books = await opened(client, null);
  const found: string[] = [];
  for (const check of checks)
    for (const { code, subject } of (await check.run(books)).findings) found.push(`${code} ${subject}`);
  await client.query('rollback');
  return found;
}

it('T-COLL: an attempt that was paid twice is a finding, one that was paid once is not', async () => {
  const asUser = { token: app.user.token };
  const { url } = await app.ok(collection.addCard, { consents: true, language: 'zhTW' }, asUser);
  await app.sendStripeEvent(app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url)));
  await app.ok(
    collection.saveCollectionPlan,
    { firstDay: 'issue', daysBefore: 1, retryDays: [] },
    { token: app.admin },
  );
  await app.ok(collection.setCollection, { isOn: true }, asUser);
  await collect(app.app);
  const bill = app.bill();
  const [charge] = app.stripe.cards.chargesOf(bill.id);
  expect((await app.billNow(bill.id)).state).toBe('paid');
  expect(await findings()).toEqual([]);
  const second = { ...charge!, id: 'pi_second' };
  app.stripe.cards.charges.set(second.id, second);
  expect(await app.sendStripeEvent(app.stripe.event('payment_intent.succeeded', second))).toBe(200);
  await app.checkBooks();
  expect(await findings()).toEqual([`charged_twice ${bill.number} 1`]);
});

it('T-TOP: a top-up that was paid twice is a finding, one that was paid once is not', async () => {
  const twd = (minor: bigint) => ({ minor, currency: 'TWD' }) as const;
  // The second payment of the previous test is in the balance.
  await app.ok(
    topups.setAutomaticTopUp,
    { threshold: twd(5000n), amount: twd(4000n), monthlyCap: twd(4000n), consents: true, language: 'zhTW' },
    { token: app.user.token },
  );
  await topUpBalances(app.app);
  await expect.poll(() => app.balance()).toBe(1050 + 4000);
  const before = await findings();
  expect(before).toHaveLength(1);
  const charge = [...app.stripe.cards.charges.values()].find((each) => each.amount === 400_000);
  const second = { ...charge!, id: 'pi_third' };
  app.stripe.cards.charges.set(second.id, second);
  expect(await app.sendStripeEvent(app.stripe.event('payment_intent.succeeded', second))).toBe(200);
  expect(await findings()).toEqual([...before, `charged_twice ${second.metadata['payment']}`]);
});
