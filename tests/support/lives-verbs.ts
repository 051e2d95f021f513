// How customers use services, each verb with a few numbers that say whose, which and how much.
import type { Id } from '#kernel/ids.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions, type Subscription } from '#features/selling/subscriptions/contract.ts';
import { cardOf } from './lives-catalogue.ts';
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
/** A verb on one of somebody’s subscriptions. */
export const onSubscription =
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
  cardPrice: (lives, person, { which, amount }) =>
    lives.attempt(
      catalogue.updateService,
      {
        serviceId: of(lives.offer(person).plans.slice(3), which) as Id<'svc'>,
        charges: [...cardOf(String(amount / 100), String(amount / 50))] as never,
      },
      lives.admin,
    ),
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
