// What is offered to customers, what they accept, and who leaves: promo codes, quotes, e-invoices, the
// suspension of resellers, and the erasure of people.
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { quotes } from '#features/invoicing/quotes/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { personalData } from '#features/operations/personal-data/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { signIn, userPassword } from './console.ts';
import type { Mood } from './einvoices-test-provider.ts';
import { billsOf, of, subscriptionsOf, type Verb } from './lives-verbs.ts';

const moods = ['before', 'after', 'refuse'] as const satisfies readonly Mood[];

export const offeringVerbs = {
  code: async (lives, person, { amount, way, which, isRepeated }) => {
    const code = `CODE${lives.fresh()}`;
    const made = await lives.attempt(
      discounts.createDiscount,
      {
        name: lives.named('P'),
        code,
        reduction:
          way % 2 === 0
            ? { kind: 'percent', percent: String(amount % 101) }
            : { kind: 'fixed', amount: lives.amountOf(person, amount) },
        duration: ([{ kind: 'once' }, { kind: 'months', months: 2 }, { kind: 'forever' }] as const)[way % 3]!,
        ...(amount % 2 === 0 && { redeemableUntil: lives.day(20) }),
        maxRedemptions: 2,
      },
      lives.admin,
    );
    if (!made) return;
    lives.codes.push(code);
    const subscription = way > 3 ? of(await subscriptionsOf(lives, person), which) : undefined;
    await lives.attempt(
      discounts.redeemCode,
      { code, ...(subscription && { subscriptionId: subscription.id }) },
      person.token,
      isRepeated,
    );
  },
  redeem: async (lives, { token }, { which, isRepeated }) => {
    const code = of(lives.codes, which);
    if (code === undefined) return;
    await lives.attempt(discounts.checkCode, { code }, token);
    await lives.attempt(discounts.redeemCode, { code }, token, isRepeated);
  },
  endDiscount: async (lives, { organizationId }, { which, way, amount }) => {
    const { items } = await lives.console.ok(discounts.listDiscounts, { limit: 200 }, lives.asAdmin);
    const one = of(items, which);
    if (!one) return;
    if (way < 2)
      await lives.attempt(
        way === 0 ? discounts.archiveDiscount : discounts.restoreDiscount,
        { discountId: one.id },
        lives.admin,
      );
    if (way === 2)
      await lives.attempt(
        discounts.updateDiscount,
        { discountId: one.id, redeemableUntil: lives.day(amount % 9) },
        lives.admin,
      );
    if (way < 3) return;
    const redeemed = await lives.console.ok(discounts.listRedemptions, { discountId: one.id }, lives.asAdmin);
    const redemption =
      redeemed.items.find((each) => each.organizationId === organizationId) ?? redeemed.items[0];
    if (redemption)
      await lives.attempt(discounts.endRedemption, { redemptionId: redemption.id }, lives.admin);
  },
  quote: async (lives, person, { which, way, amount, isRepeated }) => {
    const { plans } = lives.offer(person);
    const serviceId = of(plans, which) as Id<'svc'>;
    const quote = await lives.attempt(
      quotes.createQuote,
      {
        organizationId: person.organizationId,
        currency: person.currency,
        validUntil: lives.day(30) satisfies LocalDay,
        content: {
          months: 6,
          items: way > 2 ? [] : [{ serviceId, quantity: String(1 + (amount % 3)) }],
          oneOffs: [{ name: lives.named('Q'), unitPrice: String(amount / 10), quantity: '1.5' }],
          discounts:
            way % 2 === 0 ? [{ name: lives.named('Q'), percent: String(amount % 50 || 5), months: 2 }] : [],
          grants:
            way % 3 === 0
              ? [{ name: lives.named('Q'), amount: lives.amountOf(person, amount), months: 3, monthly: null }]
              : [],
          minimumSpend: way === 4 ? { amount: lives.amountOf(person, amount), months: 2 } : null,
          ...(way === 1 && {
            commitments: [
              {
                name: lives.named('Q'),
                months: 3,
                period: 'quarter' as const,
                amounts: [lives.amountOf(person, amount)],
                committedPercent: '95',
              },
            ],
          }),
        },
      },
      lives.admin,
      isRepeated,
    );
    const sent =
      quote && (await lives.attempt(quotes.sendQuote, { quoteId: quote.id }, lives.admin, isRepeated));
    const token = sent?.link?.split('/').at(-1);
    if (token === undefined) return;
    await lives.attempt(
      quotes.acceptQuote,
      { token, name: 'Buyer', mayAct: true, language: 'enUS' },
      person.token,
    );
    // Accepted again it does nothing more.
    await lives.unchanged('a quote accepted twice', () =>
      lives.attempt(
        quotes.acceptQuote,
        { token, name: 'Buyer', mayAct: true, language: 'enUS' },
        person.token,
      ),
    );
  },
  einvoices: async (lives, _person, { amount, way }) => {
    const mood = amount % 2 === 0 ? undefined : moods[way % 3];
    const call = (['issue', 'void', 'allow'] as const)[amount % 3] ?? 'issue';
    if (mood) lives.einvoices.moods[call] = [mood];
    lives.journal.push(`e-invoices ${call} ${mood ?? ''}`);
    await lives.sendEinvoices();
    lives.einvoices.moods[call] = [];
  },
  correctEinvoice: async (lives, _person, { which, way, amount, isRepeated }) => {
    const { items } = await lives.console.ok(
      einvoices.adminListEinvoices,
      { limit: 200, sort: 'createdAt' },
      lives.asAdmin,
    );
    const one = of(items, which);
    if (!one) return;
    const again = way % 2 === 0;
    if (way < 3)
      await lives.attempt(
        einvoices.voidEinvoice,
        {
          einvoiceId: one.id,
          reason: 'random',
          again,
          ...(again && { buyer: { taxId: '', name: 'Wang', keep: 'paper' as const, code: '' } }),
        },
        lives.admin,
        isRepeated,
      );
    else if (way === 3)
      await lives.attempt(einvoices.retryEinvoice, { einvoiceId: one.id }, lives.admin, isRepeated);
    else {
      const detail = await lives.console.ok(
        einvoices.adminGetEinvoice,
        { einvoiceId: one.id },
        lives.asAdmin,
      );
      const allowance = of(detail.allowances, amount);
      if (allowance)
        await lives.attempt(
          einvoices.voidAllowance,
          { allowanceId: allowance.id, reason: 'random' },
          lives.admin,
          isRepeated,
        );
    }
  },
  suspendReseller: async (lives, _person, { way }) => {
    const { items } = await lives.console.ok(resellers.listResellers, {}, lives.asAdmin);
    const one = of(items, way);
    if (!one) return;
    await lives.attempt(
      consoleContract.suspendOrganization,
      { organizationId: one.organizationId, reason: 'random' },
      lives.admin,
    );
    await lives.live(1 + way);
    await lives.attempt(
      consoleContract.resumeOrganization,
      { organizationId: one.organizationId },
      lives.admin,
    );
  },
  // Somebody who bought and paid is deleted and erased; what they did stays.
  erase: async (lives, person, { which, way }) => {
    const number = lives.fresh();
    const [account, name] = [`colleague${number}@l.example`, `Colleague ${number}`];
    const made = await lives.attempt(
      identity.createUser,
      { account, name, role: 'User', organizationId: person.organizationId, password: userPassword },
      lives.admin,
    );
    if (!made) return;
    const token = await signIn(lives.console, account);
    await lives.attempt(
      subscriptions.subscribe,
      { serviceId: of(lives.offer(person).plans, which) as Id<'svc'> },
      token,
    );
    const bill = of(await billsOf(lives, person), which);
    if (bill) await lives.attempt(payments.payBill, { billId: bill.id, method: 'balance' }, token);
    await lives.attempt(
      payments.topUp,
      { amount: lives.amountOf(person, 10 + way), note: `from ${name}` },
      token,
    );
    await lives.attempt(users.deleteUser, { userId: made.user.id }, lives.admin);
    await lives.attempt(
      personalData.startErasure,
      { subjectId: made.user.id, name, reason: 'they asked' },
      lives.admin,
    );
  },
} as const satisfies Record<string, Verb>;
