// Credit limits and disputed payments: money that a cardholder takes back after it was spent from the balance
// is outstanding, although the bills that it paid stay paid.
import { beforeAll, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const outstanding = async () => {
  const { items } = await app.ok(creditLimits.creditLimit, {}, { token: app.user.token });
  return items.map(({ used, unpaid, balance }) => [used.minor, unpaid.minor, balance.minor]);
};

beforeAll(async () => {
  app = await createPaymentApp(2);
});

it('count withdrawn money until it is returned', async () => {
  await app.ok(
    creditLimits.setCreditLimit,
    { organizationId: app.user.organizationId as Id<'org'>, currency: 'TWD', amount: twd(100_000) },
    { token: app.admin },
  );
  const topUp = await app.ok(
    payments.topUp,
    { amount: twd(2 * billTotal), method: 'stripe' },
    { token: app.user.token },
  );
  expect(await app.sendStripeEvent(app.stripe.pay(topUp.id))).toBe(200);
  for (const bill of [app.bill(), app.bill()]) await app.pay(bill.id, 'balance');
  const [[before = 0n] = []] = await outstanding();
  const { dispute, event } = app.stripe.dispute(topUp.id, 2 * billTotal * 100);
  expect(await app.sendStripeEvent(event)).toBe(200);
  expect(await outstanding()).toEqual([[before, 0n, 0n]]);
  expect(await app.sendStripeEvent(app.stripe.moveDisputed(dispute, -2 * billTotal * 100))).toBe(200);
  const owed = BigInt(2 * billTotal);
  expect(await outstanding()).toEqual([[before + owed, owed, 0n]]);
  expect(await app.sendStripeEvent(app.stripe.moveDisputed(dispute, 2 * billTotal * 100))).toBe(200);
  expect(await outstanding()).toEqual([[before, 0n, 0n]]);
  await app.checkBooks();
});
