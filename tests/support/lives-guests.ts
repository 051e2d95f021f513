// Customers who come, pay and leave, and whose organization is closed and erased: what they paid stays in the
// books, and in everything that shows money.
import { expect } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { personalData } from '#features/operations/personal-data/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { registerUser, signIn } from './console.ts';
import { expectForecast } from './lives-forecasts.ts';
import { billsOf, subscriptionsOf, usingVerbs, type Numbers, type Verb } from './lives-verbs.ts';
import type { Lives, Person } from './lives.ts';

async function monthEnds(lives: Lives): Promise<void> {
  await lives.liveUntilNextMonth(3);
  await lives.attempt(billing.closeMonth, { month: lives.month(-1) }, lives.admin);
}

/** Nothing is left to pay of a bill: paid by transfer, credited, or void. */
async function settle(lives: Lives, guest: Person, bill: Bill, way: number): Promise<void> {
  if (way % 3 === 0) {
    const payment = await lives.attempt(
      payments.payBill,
      { billId: bill.id, method: 'bank_transfer' },
      guest.token,
    );
    if (payment) await lives.attempt(payments.confirmPayment, { paymentId: payment.id }, lives.admin);
  }
  if (way % 3 === 1)
    await lives.attempt(
      credits.issueCredit,
      { billId: bill.id, reason: 'random', what: { kind: 'rest' } },
      lives.admin,
    );
  if (way % 3 === 2)
    await lives.attempt(credits.voidBill, { billId: bill.id, reason: 'random' }, lives.admin);
}

const amountsOf = (bills: readonly Bill[]) =>
  bills.map(({ id, number, state, net, tax, total, paid, credited, due }) => ({
    id,
    number,
    state,
    net,
    tax,
    total,
    paid,
    credited,
    due,
  }));

async function erase(lives: Lives, guest: Person, name: string): Promise<void> {
  const before = amountsOf(await billsOf(lives, guest));
  const started = await lives.attempt(
    personalData.startErasure,
    { subjectId: guest.organizationId, name, reason: 'they asked' },
    lives.admin,
  );
  if (!started) return;
  const { items } = await lives.console.ok(personalData.listErasures, {}, lives.asAdmin);
  expect(items.find(({ id }) => id === started.id)?.state, 'the erasure').toBe('done');
  expect(amountsOf(await billsOf(lives, guest)), 'the bills of who was erased').toEqual(before);
}

export const guestVerbs = {
  guest: async (lives, { currency }, { which, amount, way }) => {
    lives.console.clock.advance(61_000);
    const name = `G${lives.fresh()}`;
    const email = `${name.toLowerCase()}@l.example`;
    const { organizationId, userId, token } = await registerUser(lives.console, email, name);
    const guest: Person = {
      email,
      organizationId: organizationId as Id<'org'>,
      userId: userId as Id<'usr'>,
      currency,
      token,
    };
    // A plan by the month: what is left of a year would be on the balance.
    const numbers: Numbers = { who: 0, which: which % 2, amount, way: 0, isRepeated: false };
    await usingVerbs.subscribe(lives, guest, numbers);
    await usingVerbs.send(lives, guest, { ...numbers, which: 0 });
    await monthEnds(lives);
    guest.token = await signIn(lives.console, email);
    for (const { id } of await subscriptionsOf(lives, guest))
      await lives.attempt(subscriptions.cancel, { subscriptionId: id, when: 'now' }, guest.token);
    await monthEnds(lives);
    guest.token = await signIn(lives.console, email);
    for (const bill of await billsOf(lives, guest))
      if (bill.state === 'open') await settle(lives, guest, bill, way);
    const closed = await lives.attempt(
      consoleContract.closeOrganization,
      { organizationId: guest.organizationId, reason: 'random' },
      lives.admin,
    );
    // Its last month is billed before anything is erased.
    await monthEnds(lives);
    if (closed) await erase(lives, guest, name);
  },
  look: (lives, person) => expectForecast(lives, person),
} as const satisfies Record<string, Verb>;
