// Random months of a customer with discounts (maximums, every stacking order), commitments, credit (once,
// monthly with and without rollover, for single charges), one-off charges, minimum spends and interim bills,
// compared step by step with a small model, and the independent checker at the end (F13, F23, R-BILL-05).
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing, type Bill } from '../src/features/invoicing/billing/contract.ts';
import { catalogue } from '../src/features/selling/catalogue/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { commitments } from '../src/features/invoicing/commitments/contract.ts';
import { discounts } from '../src/features/invoicing/discounts/contract.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { oneOffs } from '../src/features/invoicing/one-offs/contract.ts';
import { meters } from '../src/features/selling/meters/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import { usage } from '../src/features/metering/usage/contract.ts';
import { checkerOf, foundBy } from './test-found.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../tests/support/console.ts';
import {
  closeAsPreviewed,
  issueAsPreviewed,
  reissueAsPreviewed,
  voidAsPreviewed,
} from '../tests/support/previewed.ts';
import { roundsOr } from '../tests/support/fault-rounds.ts';
import type { ModelBill } from '../tests/support/model.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import {
  countOf,
  mayWithdraw,
  shownOf,
  TermBooks,
  type ModelDiscount,
} from '../tests/support/model-terms.ts';

// `npm run faults` runs many more. Only about 55 users can register at one console in a row, and its clock
// advances by years, so each group of histories gets its own console.
const histories = roundsOr(2);
const ofOneConsole = 50;
const parts = Array.from({ length: Math.ceil(histories / ofOneConsole) }, (_, part) => ({
  first: part * ofOneConsole + 1,
  count: Math.min(ofOneConsole, histories - part * ofOneConsole),
}));
const fee = 100n;
const twd = (minor: bigint): Money => money(minor, 'TWD');
const named = (number: number): BillingMonth =>
  `${2024 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}` as BillingMonth;
const called = (text: string) => ({ zhTW: text, enUS: text });

let console: TestConsole;
let admin: string;
let gateway: string;
let client: pg.Client;
const meterKey = 'term-calls';
// A console's clock only moves forward, so every history starts where the last one ended.
let month = 8;
let made = 0;

async function begin(): Promise<void> {
  console = await createTestConsole(new Date('2024-09-02T00:00:00Z'));
  [month, made] = [8, 0];
  admin = await setUp(console);
  gateway = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await console.ok(
    meters.createMeter,
    {
      key: meterKey,
      name: 'Calls',
      eventType: 'call',
      aggregation: 'sum',
      unit: 'calls',
    },
    asAdmin(),
  );
  client = await checkerOf(console);
}

type Player = {
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  readonly email: string;
  token: string;
  readonly grants: Id<'cgr'>[];
  readonly redemptions: Id<'rdm'>[];
  readonly oneOffs: Id<'ooc'>[];
  readonly minimums: Id<'msp'>[];
  readonly commitments: Id<'cmt'>[];
};
const asAdmin = () => ({ token: admin });

async function newPlayer(): Promise<Player> {
  const email = `owner@t${++made}.example`;
  const { organizationId, token } = await registerUser(console, email, `T${made}`);
  const service = await console.ok(
    catalogue.createService,
    {
      name: `S${made}`,
      type: 'API',
      category: 'Own',
      currency: 'TWD',
      charges: [
        {
          key: 'fee',
          name: called('Fee'),
          kind: 'recurring',
          model: 'flat',
          amount: fee.toString(),
        },
        {
          key: 'calls',
          name: called('Calls'),
          kind: 'usage',
          model: 'per_unit',
          unitPrice: '1',
          meter: meterKey,
        },
      ],
    },
    asAdmin(),
  );
  // The month begins in Taipei eight hours before UTC.
  const startedAt = new Date(Date.parse(`${named(month)}-01T00:00:00Z`) - 8 * 3_600_000);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId: service.id, startedAt },
    asAdmin(),
  );
  return {
    organizationId: organizationId as Id<'org'>,
    subscriptionId: id,
    serviceId: service.id,
    email,
    token,
    grants: [],
    redemptions: [],
    oneOffs: [],
    minimums: [],
    commitments: [],
  };
}

const amount = fc.bigInt({ min: 1n, max: 400n });
const which = fc.nat(7);
/** The number of months it lasts; 0 for unlimited. */
const lasts = fc.constantFrom(0, 0, 1, 2);
const step = <T extends string, R extends object>(
  weight: number,
  does: readonly T[],
  more: { [K in keyof R]: fc.Arbitrary<R[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...does), ...more } as {
    [K in keyof (R & { do: T })]: fc.Arbitrary<(R & { do: T })[K]>;
  }),
});
const ofGrant = {
  lasts,
  priority: fc.constantFrom(50, 50, 10),
  usageOnly: fc.constantFrom(false, false, true),
  back: fc.constantFrom(0, 0, 1),
  scope: fc.constantFrom(
    'all' as const,
    'all' as const,
    'service' as const,
    'fee' as const,
    'calls' as const,
  ),
};
const aStep = fc.oneof(
  step(4, ['use'], { value: fc.bigInt({ min: -60n, max: 150n }), back: fc.constantFrom(0, 0, 1, 2) }),
  step(2, ['percent', 'fixed'], {
    amount: fc.bigInt({ min: 1n, max: 500n }),
    lasts: fc.constantFrom(-1, 0, 1, 2),
    maximum: fc.constantFrom(null, null, 15n, 60n),
  }),
  step(2, ['order'], {
    order: fc.constantFrom('as_listed' as const, 'percent_first' as const, 'best_only' as const),
  }),
  step(1, ['end_discount'], { which }),
  step(3, ['promotional'], {
    amount,
    ...ofGrant,
    monthly: fc.constantFrom(null, null, { rollover: true }, { rollover: false }),
  }),
  // Large enough to pay some whole bills.
  step(3, ['paid'], { amount: fc.bigInt({ min: 1n, max: 1000n }), ...ofGrant }),
  step(1, ['withdraw_grant'], { which }),
  // The hourly job expires what no bill can use any more.
  step(2, ['expire'], {}),
  step(2, ['charge', 'refund'], { amount, ahead: fc.constantFrom(0, 0, 1) }),
  step(1, ['withdraw_one_off'], { which }),
  step(2, ['commit'], {
    amount: fc.bigInt({ min: 1n, max: 900n }),
    ofPeriod: fc.constantFrom(1, 1, 2, 3),
    periods: fc.constantFrom(1, 2),
    ahead: fc.constantFrom(0, 0, 1),
    usageOnly: fc.constantFrom(false, false, true),
    committed: fc.constantFrom(100n, 80n, 33n),
    overage: fc.constantFrom(100n, 90n, 130n),
  }),
  step(1, ['end_commitment'], {
    which,
    lasts: fc.constantFrom(0, 0, 1),
    settlement: fc.constantFrom('none' as const, 'prorated' as const, 'period' as const, 'all' as const),
  }),
  // With usage before it: earlier and new charges are on one bill only if both are counted.
  step(7, ['interim'], {
    amount: fc.bigInt({ min: 1n, max: 80n }),
    value: fc.bigInt({ min: 0n, max: 300n }),
  }),
  step(1, ['minimum'], { amount: fc.bigInt({ min: 50n, max: 500n }) }),
  step(1, ['end_minimum'], { lasts: fc.constantFrom(-1, 0, 1) }),
  step(3, ['top_up'], { amount: fc.bigInt({ min: 1n, max: 2000n }) }),
  step(2, ['pay', 'pay_all'], { amount, which }),
  step(2, ['credit', 'credit_percent', 'credit_rest'], { amount: fc.bigInt({ min: 1n, max: 150n }), which }),
  // What a credit note returned is not returned a second time.
  step(4, ['credit_and_void', 'credit_and_reissue'], { amount: fc.bigInt({ min: 1n, max: 150n }), which }),
  step(3, ['void', 'reissue', 'void_and_reissue'], { which }),
  step(4, ['next_month', 'next_month_closed_twice_at_once'], {}),
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;
/** What is done to one of the bills. */
type OfBill = Extract<
  Step,
  {
    do:
      | 'pay'
      | 'pay_all'
      | 'credit'
      | 'credit_percent'
      | 'credit_rest'
      | 'credit_and_void'
      | 'credit_and_reissue'
      | 'void'
      | 'reissue'
      | 'void_and_reissue';
  }
>;

/** All bills of a player, oldest first, in the order in which the model created them. */
async function billsOf(player: Player): Promise<Bill[]> {
  return (
    await console.ok(billing.listBills, { limit: 200, sort: 'issuedAt' }, { token: player.token })
  ).items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
/** One of the bills, in the console and in the model. */
async function pick(player: Player, model: TermBooks, place: number): Promise<[Bill, ModelBill] | undefined> {
  const bills = await billsOf(player);
  const index = bills.length === 0 ? -1 : place % bills.length;
  const [bill, modelled] = [bills[index], model.bills[index]];
  return bill && modelled && [bill, modelled];
}
/** One of a list’s items with its index. */
const oneOf = <T>(list: readonly T[], place: number): number => place % Math.max(1, list.length);

async function send(player: Player, of: number, value: bigint): Promise<void> {
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: gateway,
      body: JSON.stringify([
        {
          specversion: '1.0',
          id: `e${++made}`,
          source: `t-${player.subscriptionId}`,
          type: 'call',
          subject: player.subscriptionId,
          time: `${named(of)}-02T00:00:00Z`,
          data: { value: value.toString() },
        },
      ]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}

async function give(
  player: Player,
  model: TermBooks,
  asked: Extract<Step, { do: 'percent' | 'fixed' }>,
): Promise<void> {
  // Tenths of a percent, to 50 %.
  const text = `${asked.amount / 10n}.${asked.amount % 10n}`;
  const maximum = asked.do === 'percent' ? asked.maximum : null;
  const discount = await console.ok(
    discounts.createDiscount,
    {
      name: called(`D${++made}`),
      reduction:
        asked.do === 'percent'
          ? { kind: 'percent', percent: text }
          : { kind: 'fixed', amount: twd(asked.amount) },
      ...(maximum !== null && { maximum: twd(maximum) }),
      duration:
        asked.lasts === -1
          ? { kind: 'once' }
          : asked.lasts === 0
            ? { kind: 'forever' }
            : { kind: 'months', months: asked.lasts },
    },
    asAdmin(),
  );
  const { organizationId } = player;
  const given = await console.ok(
    discounts.giveDiscount,
    { discountId: discount.id, organizationId },
    asAdmin(),
  );
  player.redemptions.push(given.id);
  model.discounts.push({
    percent: asked.do === 'percent' ? asked.amount : null,
    fixed: asked.do === 'fixed' ? asked.amount : 0n,
    maximum,
    first: named(month),
    last: asked.lasts > 0 ? named(month + asked.lasts - 1) : null,
    isOnce: asked.lasts === -1,
    isEnded: false,
    on: new Set(),
  } satisfies ModelDiscount);
}

async function grant(
  player: Player,
  model: TermBooks,
  asked: Extract<Step, { do: 'promotional' | 'paid' }>,
): Promise<void> {
  const first = named(month - asked.back);
  const last = asked.lasts === 0 ? null : named(month - asked.back + asked.lasts - 1);
  const monthly = asked.do === 'promotional' ? asked.monthly : null;
  const ofService = asked.scope !== 'all';
  const isOfCharge = asked.scope === 'fee' || asked.scope === 'calls';
  const { status, data } = await console.call(
    creditgrants.giveGrant,
    {
      organizationId: player.organizationId,
      kind: asked.do,
      name: called(`G${++made}`),
      amount: twd(asked.amount),
      priority: asked.priority,
      scope: {
        services: ofService ? [player.serviceId] : null,
        ...(isOfCharge && { charges: [{ serviceId: player.serviceId, chargeKey: asked.scope }] }),
        usageOnly: asked.usageOnly,
      },
      ...(monthly && { recurring: monthly }),
      startsOn: first,
      ...(last !== null && { expiresOn: `${last}-15` as LocalDay }),
    },
    asAdmin(),
  );
  expect(status).toBe(asked.do === 'paid' && model.balance < asked.amount ? 409 : 201);
  if (status !== 201) return;
  if (asked.do === 'paid') model.balance -= asked.amount;
  player.grants.push(data.id);
  const { priority, usageOnly } = asked;
  model.grants.push({
    kind: asked.do,
    priority,
    usageOnly,
    first,
    last,
    left: monthly ? 0n : asked.amount,
    scope: asked.scope,
    monthly: monthly && { amount: asked.amount, rollover: monthly.rollover },
    taken: new Map(),
    expired: new Map(),
    isWithdrawn: false,
  });
}

async function commit(
  player: Player,
  model: TermBooks,
  asked: Extract<Step, { do: 'commit' }>,
): Promise<void> {
  const { ofPeriod, periods, usageOnly } = asked;
  const first = named(month + asked.ahead);
  // A ramp: each period is twice the previous one.
  const amounts = Array.from({ length: periods }, (_, index) => asked.amount * 2n ** BigInt(index));
  const { id } = await console.ok(
    commitments.makeCommitment,
    {
      organizationId: player.organizationId,
      name: called(`C${++made}`),
      startsOn: first,
      months: ofPeriod * periods,
      period: ofPeriod === 1 ? 'month' : ofPeriod === 3 ? 'quarter' : 'contract',
      amounts: ofPeriod === 2 ? [twd(asked.amount)] : amounts.map((each) => twd(each)),
      scope: { services: null, usageOnly },
      committedPercent: asked.committed.toString(),
      overagePercent: asked.overage.toString(),
    },
    asAdmin(),
  );
  player.commitments.push(id);
  model.commitments.push({
    usageOnly,
    committed: asked.committed,
    overage: asked.overage,
    first: countOf(first),
    months: ofPeriod * periods,
    ofPeriod: ofPeriod === 2 ? 2 * periods : ofPeriod,
    amounts: ofPeriod === 2 ? [asked.amount] : amounts,
    ended: null,
    draws: [],
  });
}

async function correct(player: Player, model: TermBooks, asked: OfBill): Promise<void> {
  const [bill, modelled] = (await pick(player, model, asked.which)) ?? [];
  if (!bill || !modelled) return;
  switch (asked.do) {
    case 'pay':
    case 'pay_all': {
      const wanted = asked.do === 'pay_all' ? model.due(modelled) : asked.amount;
      const { status } = await console.call(
        payments.payBill,
        { billId: bill.id, method: 'balance', ...(asked.do === 'pay' && { amount: twd(wanted) }) },
        { token: player.token },
      );
      if (!model.mayPay(modelled, wanted)) return;
      expect(status).toBe(201);
      model.pay(modelled, wanted);
      return;
    }
    case 'credit_and_void':
    case 'credit_and_reissue':
      await correct(player, model, { ...asked, do: 'credit_percent' });
      return correct(player, model, {
        which: asked.which,
        do: asked.do === 'credit_and_void' ? 'void' : 'void_and_reissue',
      });
    case 'credit':
    case 'credit_percent':
    case 'credit_rest': {
      const what =
        asked.do === 'credit'
          ? { kind: 'amount' as const, net: twd(asked.amount) }
          : asked.do === 'credit_rest'
            ? { kind: 'rest' as const }
            : { kind: 'percent' as const, percent: String(1n + (asked.amount % 99n)) };
      const { status, data } = await issueAsPreviewed(console, admin, {
        billId: bill.id,
        reason: 'random',
        what,
      });
      const left = { net: modelled.net - modelled.credited.net, tax: modelled.tax - modelled.credited.tax };
      if (status !== 201) {
        expect(asked.do === 'credit_rest' && !modelled.isVoid && left.net + left.tax > 0n).toBe(false);
        return;
      }
      expect(modelled.isVoid).toBe(false);
      if (asked.do === 'credit') expect(data.net.minor).toBe(asked.amount);
      if (asked.do === 'credit_rest') expect([data.net.minor, data.tax.minor]).toEqual([left.net, left.tax]);
      expect(data.net.minor <= left.net && data.net.minor + data.tax.minor <= left.net + left.tax).toBe(true);
      model.takeBack(modelled, data.net.minor, data.tax.minor);
      return;
    }
    case 'void': {
      const { status } = await voidAsPreviewed(console, admin, { billId: bill.id, reason: 'random' });
      expect(status === 200).toBe(model.mayVoid(modelled));
      if (status === 200) model.void(modelled);
      return;
    }
    case 'reissue':
    case 'void_and_reissue': {
      if (modelled.isInterim) {
        // Its usage is billed by the next interim bill or the monthly one; if the void is rejected, it stays
        // valid.
        const { status } = await reissueAsPreviewed(
          console,
          admin,
          { billId: bill.id, ...(!modelled.isVoid && { reason: 'random' }) },
          modelled.isReplaced,
        );
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        return;
      }
      const isVoiding = asked.do === 'void_and_reissue' && !modelled.isVoid;
      const { status, data } = await reissueAsPreviewed(
        console,
        admin,
        { billId: bill.id, ...(isVoiding && { reason: 'random' }) },
        modelled.isReplaced,
      );
      if (!modelled.isVoid && !(isVoiding && model.mayVoid(modelled))) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        return;
      }
      expect(status).toBe(200);
      // A repeat returns the replacement, whatever happened to that since.
      if (modelled.isReplaced) return;
      if (!modelled.isVoid) model.void(modelled);
      const again = model.reissue(modelled);
      expect([data.net.minor, data.tax.minor]).toEqual([again.net, again.tax]);
    }
  }
}

async function take(asked: Step, player: Player, model: TermBooks, first: number): Promise<void> {
  const { organizationId } = player;
  switch (asked.do) {
    case 'use': {
      const of = Math.max(first, month - asked.back);
      await send(player, of, asked.value);
      model.use(named(of), asked.value, named(month));
      return;
    }
    case 'percent':
    case 'fixed':
      return give(player, model, asked);
    case 'end_discount': {
      const at = oneOf(player.redemptions, asked.which);
      const [redemptionId, modelled] = [player.redemptions[at], model.discounts[at]];
      if (!redemptionId || !modelled) return;
      await console.call(discounts.endRedemption, { redemptionId }, asAdmin());
      modelled.isEnded = true;
      return;
    }
    case 'order':
      await console.ok(discounts.saveDiscountSettings, { stackingOrder: asked.order }, asAdmin());
      model.order = asked.order;
      return;
    case 'expire':
      await runFeatureJob(console.app, 'billing.expireCredit');
      model.expire();
      return;
    case 'promotional':
    case 'paid':
      return grant(player, model, asked);
    case 'withdraw_grant': {
      const at = oneOf(player.grants, asked.which);
      const [grantId, modelled] = [player.grants[at], model.grants[at]];
      if (!grantId || !modelled) return;
      const { status } = await console.call(
        creditgrants.withdrawGrant,
        { grantId, reason: 'random' },
        asAdmin(),
      );
      expect(status).toBe(mayWithdraw(modelled, named(month)) ? 200 : 409);
      if (status === 200) model.withdraw(modelled);
      return;
    }
    case 'charge':
    case 'refund': {
      const made_ = await console.ok(
        oneOffs.createOneOff,
        {
          organizationId,
          name: called(`O${++made}`),
          kind: asked.do === 'charge' ? 'charge' : 'credit',
          unitPrice: asked.amount.toString(),
          currency: 'TWD',
          chargeOn: `${named(month + asked.ahead)}-05` as LocalDay,
        },
        asAdmin(),
      );
      player.oneOffs.push(made_.id);
      model.oneOffs.push({
        amount: asked.do === 'charge' ? asked.amount : -asked.amount,
        month: named(month + asked.ahead),
        on: null,
        isWithdrawn: false,
      });
      return;
    }
    case 'withdraw_one_off': {
      const at = oneOf(player.oneOffs, asked.which);
      const [oneOffId, modelled] = [player.oneOffs[at], model.oneOffs[at]];
      if (!oneOffId || !modelled) return;
      const { status } = await console.call(oneOffs.withdrawOneOff, { oneOffId }, asAdmin());
      expect(status).toBe(modelled.isWithdrawn || modelled.on !== null ? 409 : 200);
      if (status === 200) modelled.isWithdrawn = true;
      return;
    }
    case 'commit':
      return commit(player, model, asked);
    case 'end_commitment': {
      const at = oneOf(player.commitments, asked.which);
      const [commitmentId, modelled] = [player.commitments[at], model.commitments[at]];
      if (!commitmentId || !modelled) return;
      const lastMonth = named(month + asked.lasts);
      const { status } = await console.call(
        commitments.endCommitment,
        { commitmentId, lastMonth, settlement: asked.settlement, reason: 'random' },
        asAdmin(),
      );
      const last = countOf(lastMonth);
      // One that has not begun ends without any effect.
      const mayEnd = !modelled.ended && last >= modelled.first && last < TermBooks.lastOf(modelled);
      if (last >= modelled.first) expect(status === 200).toBe(mayEnd);
      if (status === 200) modelled.ended = { last, settlement: asked.settlement };
      return;
    }
    case 'interim': {
      await send(player, month, asked.value);
      model.use(named(month), asked.value, named(month));
      // Only for this moment, so that no usage enqueues another one meanwhile.
      const threshold = (minor: bigint | null) =>
        console.ok(
          billing.setInterimThreshold,
          { organizationId, currency: 'TWD', amount: minor === null ? null : twd(minor) },
          asAdmin(),
        );
      await threshold(asked.amount);
      await runFeatureJob(console.app, 'billing.interim', { organizationId });
      await threshold(null);
      model.interim(named(month), asked.amount);
      return;
    }
    case 'minimum': {
      const { status, data } = await console.call(
        oneOffs.createMinimumSpend,
        { organizationId, amount: twd(asked.amount) },
        asAdmin(),
      );
      const isFree = model.minimums.every(
        ({ first: from, last }) => last !== null && (last < from || last < named(month)),
      );
      expect(status).toBe(isFree ? 201 : 409);
      if (status !== 201) return;
      player.minimums.push(data.id);
      model.minimums.push({ amount: asked.amount, first: named(month), last: null });
      return;
    }
    case 'end_minimum': {
      const [minimumSpendId, modelled] = [player.minimums.at(-1), model.minimums.at(-1)];
      if (!minimumSpendId || !modelled) return;
      const lastMonth = named(month + asked.lasts);
      const { status } = await console.call(
        oneOffs.endMinimumSpend,
        { minimumSpendId, lastMonth },
        asAdmin(),
      );
      const isEarlier = modelled.last === null || lastMonth < modelled.last;
      expect(status === 200).toBe(isEarlier);
      if (isEarlier) modelled.last = lastMonth;
      return;
    }
    case 'top_up': {
      const payment = await console.ok(
        payments.topUp,
        { amount: twd(asked.amount) },
        { token: player.token },
      );
      await console.ok(payments.confirmPayment, { paymentId: payment.id }, asAdmin());
      model.balance += asked.amount;
      return;
    }
    case 'next_month':
    case 'next_month_closed_twice_at_once': {
      month++;
      await moveOn(player);
      const answers = await closeAsPreviewed(console, admin, named(month - 1), () =>
        Promise.all(
          Array.from({ length: asked.do === 'next_month' ? 1 : 2 }, () =>
            console.ok(billing.closeMonth, { month: named(month - 1) }, asAdmin()),
          ),
        ),
      );
      expect(answers.map(({ parked }) => parked)).toEqual(answers.map(() => 0));
      model.close(named(month - 1));
      // The hourly job grants the new month’s credit.
      await runFeatureJob(console.app, 'creditgrants.hourly');
      return;
    }
    default:
      return correct(player, model, asked);
  }
}

async function moveOn(player?: Player): Promise<void> {
  console.clock.set(new Date(`${named(month)}-05T00:00:00Z`));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  if (player) player.token = await signIn(console, player.email);
}

/** Everything that a customer or an Admin sees of it equals the model. */
async function compare(player: Player, model: TermBooks): Promise<void> {
  const asUser = { token: player.token };
  const bills = await billsOf(player);
  expect(
    bills.map((bill) => [
      bill.month,
      bill.net.minor,
      bill.tax.minor,
      bill.paid.minor,
      bill.due.minor,
      bill.state === 'void',
    ]),
  ).toEqual(
    model.bills.map((bill) => [
      bill.month,
      bill.net,
      bill.tax,
      model.total(bill) <= 0n ? model.total(bill) : bill.paid,
      model.due(bill),
      bill.isVoid,
    ]),
  );
  const { balances, owed } = await console.ok(payments.balance, {}, asUser);
  expect(balances.reduce((sum, each) => sum + each.minor, 0n)).toBe(model.balance);
  expect(owed.reduce((sum, each) => sum + each.minor, 0n)).toBe(model.owed());
  const { items } = await console.ok(
    creditgrants.adminListGrants,
    { organizationId: player.organizationId, limit: 100 },
    asAdmin(),
  );
  const leftOf = new Map(items.map(({ id, left }) => [id, left.minor]));
  expect(player.grants.map((id) => required(leftOf.get(id), 'a grant'))).toEqual(
    model.grants.map((each) => shownOf(each, named(month))),
  );
  const [running] = (await console.ok(billing.currentBill, {}, asUser)).bills;
  const planned = model.planned(named(month));
  expect([running?.net.minor, running?.tax.minor, running?.prepaid.minor], 'the running month').toEqual([
    planned.net,
    planned.tax,
    planned.paid,
  ]);
}

describe.each(parts)('histories with terms from $first, $count on one console', ({ count }) => {
  beforeAll(begin);
  afterAll(async () => {
    await client.end();
    await console.end();
  });

  it(
    'bills, credit and balance equal a small model’s after any sequence of events',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { minLength: 15, maxLength: 40 }), async (steps) => {
          const first = month;
          await moveOn();
          const player = await newPlayer();
          const model = new TermBooks(fee, 1n);
          const listed = { do: 'order' as const, order: 'as_listed' as const };
          const begun = { do: 'top_up' as const, amount: 2000n };
          const end = { do: 'next_month' as const };
          for (const asked of [listed, begun, ...steps, end, end]) {
            // Terms apply in the order in which they were created.
            console.clock.set(new Date(console.app.clock.now().getTime() + 1000));
            await take(asked, player, model, first);
            await compare(player, model);
          }
          month++;
        }),
        { numRuns: count, endOnFailure: true },
      );
      // Metrics of the whole history are compared with bills and ledger, too.
      await runFeatureJob(console.app, 'metrics.refresh');
      expect(await foundBy(client)).toEqual([]);
    },
    120_000 + count * 10_000,
  );
});
