// What customers and Admins do, each verb with a few numbers that say to whom, to what and how much.
import { moneyText } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions, type Subscription } from '#features/selling/subscriptions/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import type { Lives, Person } from './lives.ts';

/** The numbers of a step: whose, which of theirs, how much, and a choice among a verb's ways. */
export type Numbers = {
  readonly who: number;
  readonly which: number;
  readonly amount: number;
  readonly way: number;
  readonly isRepeated: boolean;
};
export type Verb = (lives: Lives, person: Person, numbers: Numbers) => Promise<unknown>;

export const of = <T>(list: readonly T[], place: number): T | undefined =>
  list[place % Math.max(1, list.length)];

export async function subscriptionsOf(lives: Lives, { token }: Person): Promise<Subscription[]> {
  return (await lives.console.ok(subscriptions.listSubscriptions, { limit: 100 }, { token })).items.toSorted(
    (a, b) => (a.id < b.id ? -1 : 1),
  );
}
/** The bills that somebody pays, oldest first. */
export async function billsOf(lives: Lives, { organizationId }: Person): Promise<Bill[]> {
  return (
    await lives.console.ok(billing.adminListBills, { organizationId, limit: 200 }, lives.asAdmin)
  ).items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
const onSubscription =
  (verb: (lives: Lives, person: Person, numbers: Numbers, one: Subscription) => Promise<unknown>): Verb =>
  async (lives, person, numbers) => {
    const one = of(await subscriptionsOf(lives, person), numbers.which);
    return one && verb(lives, person, numbers, one);
  };

async function send(
  lives: Lives,
  subscription: Subscription,
  { amount, way }: Pick<Numbers, 'amount' | 'way'>,
): Promise<void> {
  // Now, some hours ago, in the month before, and two months before.
  const back = [0, 30, 700, 1400][way % 4] ?? 0;
  const event = {
    specversion: '1.0',
    id: `e${lives.fresh()}`,
    source: `s-${subscription.id}`,
    type: 'call',
    subject: subscription.id,
    time: new Date(lives.now - back * 3_600_000).toISOString(),
    data: { value: amount % 13 === 0 ? String(-amount / 10) : String(amount / 10) },
  };
  const { rejected } = await ingest(lives, event);
  if (back > 0) lives.isLate = true;
  if (rejected.length === 0)
    lives.sent.push({ id: event.id, subscriptionId: subscription.id, time: event.time });
}
async function ingest(lives: Lives, event: object) {
  lives.journal.push(`${new Date(lives.now).toISOString()} event ${JSON.stringify(event)}`);
  const answer = await lives.console.ok(
    usage.ingest,
    {},
    {
      token: lives.gateway,
      body: JSON.stringify([event]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  lives.forget();
  await lives.settle();
  if (answer.rejected.length > 0) lives.journal.push(`  rejected ${answer.rejected[0]?.code}`);
  return answer;
}

export const usingVerbs = {
  subscribe: (lives, person, { which, way, amount, isRepeated }) =>
    lives.attempt(
      subscriptions.subscribe,
      {
        serviceId: of(lives.offer(person).plans, which) as Id<'svc'>,
        ...(way > 2 && { quantity: String(1 + (amount % 5)) }),
      },
      person.token,
      isRepeated,
    ),
  subscribeBack: (lives, person, { which, way }) => {
    lives.isLate = true;
    return lives.attempt(
      subscriptions.adminSubscribe,
      {
        organizationId: person.organizationId,
        serviceId: of(lives.offer(person).plans, which) as Id<'svc'>,
        startedAt: new Date(lives.now - [1, 5, 20, 40][way % 4]! * 24 * 3_600_000),
      },
      lives.admin,
    );
  },
  change: onSubscription(async (lives, person, { which, way, amount, isRepeated }, one) => {
    const { plans } = lives.offer(person);
    const family = plans.indexOf(one.service.id) < 3 ? plans.slice(0, 3) : plans.slice(3);
    const plan = of(family, which + way);
    const asked = {
      subscriptionId: one.id,
      ...(way % 3 !== 0 && plan && { serviceId: plan }),
      ...(way % 3 !== 1 && { quantity: way === 5 ? '2.5' : String(1 + (amount % 6)) }),
      ...(way > 3 && { when: 'end' as const }),
    };
    await lives.attempt(subscriptions.previewChange, asked, person.token);
    await lives.attempt(subscriptions.change, asked, person.token, isRepeated);
  }),
  takeBackChange: onSubscription((lives, { token }, _numbers, { id }) =>
    lives.attempt(subscriptions.takeBackChange, { subscriptionId: id }, token),
  ),
  seats: onSubscription((lives, { token }, { amount, isRepeated }, { id }) =>
    lives.attempt(
      subscriptions.change,
      { subscriptionId: id, quantities: { seat: String(1 + (amount % 9)) } },
      token,
      isRepeated,
    ),
  ),
  addOn: onSubscription((lives, person, { way, isRepeated }, { id }) =>
    lives.attempt(
      subscriptions.addAddOn,
      {
        subscriptionId: id,
        serviceId: lives.offer(person).addOn,
        ...(way > 3 && { startedAt: new Date(lives.now + 5 * 24 * 3_600_000) }),
      },
      person.token,
      isRepeated,
    ),
  ),
  pause: onSubscription((lives, { token }, { way, amount }, { id }) =>
    lives.attempt(
      subscriptions.stop,
      {
        subscriptionId: id,
        ...(way % 2 === 1 && { at: new Date(lives.now + (amount % 20) * 24 * 3_600_000 + 1000) }),
        ...(way > 2 && { resumeAt: new Date(lives.now + 25 * 24 * 3_600_000) }),
      },
      token,
    ),
  ),
  resume: onSubscription((lives, { token }, _numbers, { id }) =>
    lives.attempt(subscriptions.start, { subscriptionId: id }, token),
  ),
  cancel: onSubscription((lives, { token }, { way }, { id }) =>
    lives.attempt(subscriptions.cancel, { subscriptionId: id, when: way % 2 === 0 ? 'end' : 'now' }, token),
  ),
  renew: onSubscription((lives, { token }, { way, isRepeated }, { id }) =>
    lives.attempt(
      subscriptions.renew,
      { subscriptionId: id, ...(way > 2 && { autoRenew: way > 4 }) },
      token,
      isRepeated,
    ),
  ),
  send: onSubscription((lives, _person, numbers, one) => send(lives, one, numbers)),
  sendBack: onSubscription((lives, _person, numbers, one) =>
    send(lives, one, { ...numbers, way: 2 + (numbers.way % 2) }),
  ),
  takeBack: async (lives, _person, { which }) => {
    const [wrong] = lives.sent.splice(which % Math.max(1, lives.sent.length), 1);
    if (!wrong) return;
    lives.isLate = true;
    await ingest(lives, {
      specversion: '1.0',
      id: `v${wrong.id}`,
      source: `s-${wrong.subscriptionId}`,
      type: 'call.void',
      subject: wrong.subscriptionId,
      time: wrong.time,
      data: { id: wrong.id },
    });
  },
  price: (lives, person, { which, amount, way }) =>
    lives.attempt(
      catalogue.updateService,
      {
        serviceId: of(lives.offer(person).plans.slice(0, 3), which) as Id<'svc'>,
        pricing: {
          model: 'graduated',
          currency: person.currency,
          baseFee: String(10 + amount / 10),
          tiers: [{ upTo: null, unitPrice: String(amount / 1000) }],
        },
        ...(way > 2 && { effectiveFrom: new Date(lives.now + way * 24 * 3_600_000) }),
      },
      lives.admin,
    ),
  agreedPrice: (lives, person, { which, amount, way }) =>
    lives.attempt(
      catalogue.addOverride,
      {
        serviceId: of(lives.offer(person).plans.slice(0, 3), which) as Id<'svc'>,
        organizationId: person.organizationId,
        pricing: {
          model: 'graduated',
          currency: person.currency,
          baseFee: String(amount / 10),
          minimum: '15',
          tiers: [{ upTo: null, unitPrice: String(amount / 1000) }],
        },
        ...(way > 3 && { until: new Date(lives.now + 40 * 24 * 3_600_000) }),
        reason: 'random',
      },
      lives.admin,
    ),
  tax: (lives, { organizationId }, { way }) =>
    lives.attempt(
      identity.adminUpdateOrganization,
      { organizationId, taxStatus: (['standard', 'zero', 'exempt'] as const)[way % 3] },
      lives.admin,
    ),
} as const satisfies Record<string, Verb>;

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
