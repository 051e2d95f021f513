// What is agreed with customers: discounts, commitments, credit, payers, resellers and limits.
import { moneyText } from '#kernel/money.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { of, onSubscription, subscriptionsOf, type Verb } from './lives-verbs.ts';

export const agreeingVerbs = {
  discount: async (lives, person, { amount, way, isRepeated }) => {
    const discount = await lives.attempt(
      discounts.createDiscount,
      {
        name: lives.named('D'),
        reduction:
          way % 2 === 0
            ? { kind: 'percent', percent: String(amount / 10) }
            : { kind: 'fixed', amount: lives.amountOf(person, amount) },
        duration: ([{ kind: 'once' }, { kind: 'forever' }, { kind: 'months', months: 2 }] as const)[way % 3]!,
      },
      lives.admin,
    );
    if (discount)
      await lives.attempt(
        discounts.giveDiscount,
        { discountId: discount.id, organizationId: person.organizationId },
        lives.admin,
        isRepeated,
      );
  },
  discountOrder: (lives, _person, { way }) =>
    lives.attempt(
      discounts.saveDiscountSettings,
      { stackingOrder: (['as_listed', 'percent_first', 'best_only'] as const)[way % 3]! },
      lives.admin,
    ),
  oneOff: (lives, person, { amount, way, isRepeated }) =>
    lives.attempt(
      oneOffs.createOneOff,
      {
        organizationId: person.organizationId,
        name: lives.named('O'),
        kind: way % 2 === 0 ? 'charge' : 'credit',
        unitPrice: String(amount / 10),
        currency: person.currency,
        ...(way > 2 && { billing: 'own_bill' as const }),
      },
      lives.admin,
      isRepeated,
    ),
  withdrawOneOff: async (lives, { organizationId }, { which }) => {
    const { items } = await lives.console.ok(oneOffs.listOneOffs, { organizationId }, lives.asAdmin);
    const one = of(items, which);
    if (one) await lives.attempt(oneOffs.withdrawOneOff, { oneOffId: one.id }, lives.admin);
  },
  minimum: (lives, person, { amount, isRepeated }) =>
    lives.attempt(
      oneOffs.createMinimumSpend,
      { organizationId: person.organizationId, amount: lives.amountOf(person, amount) },
      lives.admin,
      isRepeated,
    ),
  commit: (lives, person, { amount, way, isRepeated }) =>
    lives.attempt(
      commitments.makeCommitment,
      {
        organizationId: person.organizationId,
        name: lives.named('C'),
        startsOn: lives.month(way > 3 ? 1 : 0),
        months: way % 2 === 0 ? 2 : 3,
        period: way % 2 === 0 ? 'month' : 'quarter',
        amounts: [lives.amountOf(person, amount)],
        scope: { services: null, usageOnly: way % 3 === 0 },
        committedPercent: '90',
        overagePercent: '115',
      },
      lives.admin,
      isRepeated,
    ),
  endCommitment: async (lives, { organizationId }, { which, way }) => {
    const { items } = await lives.console.ok(
      commitments.adminListCommitments,
      { organizationId },
      lives.asAdmin,
    );
    const one = of(items, which);
    if (one)
      await lives.attempt(
        commitments.endCommitment,
        {
          commitmentId: one.id,
          lastMonth: lives.month(way > 3 ? 1 : 0),
          settlement: (['none', 'prorated', 'period', 'all'] as const)[way % 4]!,
          reason: 'random',
        },
        lives.admin,
      );
  },
  grant: (lives, person, { amount, way, isRepeated }) =>
    lives.attempt(
      creditgrants.giveGrant,
      {
        organizationId: person.organizationId,
        kind: way % 2 === 0 ? 'promotional' : 'paid',
        name: lives.named('G'),
        amount: lives.amountOf(person, amount),
        scope: { services: null, usageOnly: way % 3 === 0 },
        ...(way === 4 && { recurring: { rollover: amount % 2 === 0 } }),
        ...(way > 4 && { expiresOn: lives.day(20) }),
      },
      lives.admin,
      isRepeated,
    ),
  withdrawGrant: async (lives, { organizationId }, { which, isRepeated }) => {
    const { items } = await lives.console.ok(creditgrants.adminListGrants, { organizationId }, lives.asAdmin);
    const one = of(items, which);
    if (one)
      await lives.attempt(
        creditgrants.withdrawGrant,
        { grantId: one.id, reason: 'random' },
        lives.admin,
        isRepeated,
      );
  },
  buyCredit: (lives, person, { amount, isRepeated }) =>
    lives.attempt(
      creditgrants.buyCredit,
      { amount: lives.amountOf(person, amount) },
      person.token,
      isRepeated,
    ),
  interim: (lives, person, { amount, way }) =>
    lives.attempt(
      billing.setInterimThreshold,
      {
        organizationId: person.organizationId,
        currency: person.currency,
        amount: way > 3 ? null : lives.amountOf(person, 10 + amount),
      },
      lives.admin,
    ),
  payer: (lives, person, { which, way }) =>
    lives.attempt(
      payers.setPayer,
      {
        organizationId: person.organizationId,
        payerId: way > 3 ? null : lives.person(which).organizationId,
        from: lives.month(way % 2),
      },
      lives.admin,
    ),
  subscriptionPayer: onSubscription((lives, _person, { which, way }, { id }) =>
    lives.attempt(
      payers.setSubscriptionPayer,
      {
        subscriptionId: id,
        payerId: way > 3 ? null : lives.person(which).organizationId,
        from: lives.month(way % 2),
      },
      lives.admin,
    ),
  ),
  consolidate: (lives, { organizationId }, { way }) =>
    lives.attempt(
      payers.setPayerBilling,
      { organizationId, isConsolidated: way < 4, from: lives.month(way % 2) },
      lives.admin,
    ),
  reseller: async (lives, person, { which, way, amount }) => {
    const seller = lives.person(which);
    await lives.attempt(
      resellers.makeReseller,
      {
        organizationId: seller.organizationId,
        name: `Shop ${lives.fresh()}`,
        numberPrefix: `S${lives.fresh()}`,
        taxRate: way % 2 === 0 ? '5' : '0',
        dueDays: 14,
        instructions: '',
      },
      lives.admin,
    );
    await lives.attempt(
      resellers.setReseller,
      {
        organizationId: person.organizationId,
        resellerId: way > 4 ? null : seller.organizationId,
        from: lives.month(1),
      },
      lives.admin,
    );
    await lives.attempt(
      resellers.saveMarkUps,
      { from: lives.month(1), markUps: { percent: String(amount / 10), services: [] } },
      seller.token,
    );
  },
  retailCredit: async (lives, person, { which, amount, way, isRepeated }) => {
    const { status, data } = await lives.console.call(resellers.resellerBills, {}, { token: person.token });
    const bill = status === 200 ? of(data.items, which) : undefined;
    if (bill)
      await lives.attempt(
        resellers.creditBill,
        {
          retailBillId: bill.id,
          amount: way > 3 ? null : moneyText(lives.amountOf(person, amount)),
          reason: 'random',
        },
        person.token,
        isRepeated,
      );
  },
  lateOfReseller: (lives, { organizationId }, { way, isRepeated }) =>
    lives.attempt(
      resellers.billUnbilledLate,
      { organizationId, month: lives.month(-1 - (way % 3)) },
      lives.admin,
      isRepeated,
    ),
  suspend: (lives, { organizationId }, { way }) =>
    way < 2
      ? lives.attempt(consoleContract.suspendOrganization, { organizationId, reason: 'random' }, lives.admin)
      : lives.attempt(consoleContract.resumeOrganization, { organizationId }, lives.admin),
  limit: (lives, person, { amount, way }) =>
    lives.attempt(
      creditLimits.setCreditLimit,
      {
        organizationId: person.organizationId,
        currency: person.currency,
        amount: way > 3 ? null : lives.amountOf(person, amount * 20),
      },
      lives.admin,
    ),
  previewClose: (lives) => lives.attempt(billing.previewClose, { month: lives.month(-1) }, lives.admin),
  // Mostly refused: nothing may be left to pay, to use or to give back.
  closeOrganization: async (lives, { organizationId, userId }, { way }) => {
    for (const { id } of way > 2 ? await subscriptionsOf(lives, lives.person(way)) : [])
      await lives.attempt(subscriptions.cancel, { subscriptionId: id, when: 'now' }, lives.person(way).token);
    const closed = await lives.attempt(
      consoleContract.closeOrganization,
      { organizationId, reason: 'random' },
      lives.admin,
    );
    if (!closed) return;
    await lives.attempt(consoleContract.reopenOrganization, { organizationId }, lives.admin);
    await lives.attempt(identity.updateUser, { userId, status: 'active' }, lives.admin);
    await lives.signIn(true);
  },
} as const satisfies Record<string, Verb>;
