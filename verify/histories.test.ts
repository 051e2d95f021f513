// Random sequences of everything that moves money, compared step by step with a small model, and the
// independent checker at the end (F13, F23, R-BILL-05).
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { money, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill } from '../src/features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '../src/features/selling/catalogue/contract.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import { usage } from '../src/features/metering/usage/contract.ts';
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
import { ModelBooks, type ModelBill } from '../tests/support/model.ts';
import { checkerOf, foundBy } from './test-found.ts';

// `npm run faults` runs many more. Only about 55 users can register at one console in a row, and its clock
// advances by years, so each group of histories gets its own console.
const histories = roundsOr(3);
const ofOneConsole = 50;
const parts = Array.from({ length: Math.ceil(histories / ofOneConsole) }, (_, part) => ({
  first: part * ofOneConsole + 1,
  count: Math.min(ofOneConsole, histories - part * ofOneConsole),
}));
const fee = 100n;
const twd = (minor: bigint): Money => money(minor, 'TWD');
const named = (number: number): BillingMonth =>
  `${2024 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}` as BillingMonth;

let console: TestConsole;
let admin: string;
let gateway: string;
let client: pg.Client;
// A console's clock only moves forward, so every history starts where the last one ended.
let month = 8;
let players = 0;

async function begin(): Promise<void> {
  console = await createTestConsole(new Date('2024-09-02T00:00:00Z'));
  [month, players] = [8, 0];
  admin = await setUp(console);
  gateway = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await console.ok(
    payments.setBankAccount,
    { bank: 'Bank', holder: 'Formosa Cloud', account: '1234', note: '' },
    { token: admin },
  );
  client = await checkerOf(console);
}

type Player = {
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  readonly email: string;
  token: string;
  events: { id: string; month: number; value: bigint }[];
  transfers: Id<'pay'>[];
  sent: number;
};
const pricing = (unitPrice: bigint): Pricing => ({
  model: 'per_unit',
  currency: 'TWD',
  baseFee: fee.toString(),
  unitPrice: unitPrice.toString(),
});

async function newPlayer(): Promise<Player> {
  const email = `owner@h${++players}.example`;
  const { organizationId, token } = await registerUser(console, email, `H${players}`);
  const service = await console.ok(
    catalogue.createService,
    {
      name: `S${players}`,
      type: 'API',
      category: 'Own',
      pricing: pricing(1n),
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  // The month begins in Taipei eight hours before UTC.
  const startedAt = new Date(Date.parse(`${named(month)}-01T00:00:00Z`) - 8 * 3_600_000);
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId: service.id, startedAt },
    { token: admin },
  );
  return {
    organizationId: organizationId as Id<'org'>,
    subscriptionId: id,
    serviceId: service.id,
    email,
    token,
    events: [],
    transfers: [],
    sent: 0,
  };
}
async function moveOn(player: Player, day: string): Promise<void> {
  console.clock.set(new Date(`${named(month)}-${day}T00:00:00Z`));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  player.token = await signIn(console, player.email);
}

const amount = fc.bigInt({ min: 1n, max: 700n });
const which = fc.nat(5);
const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      value: fc.bigInt({ min: 1n, max: 90n }),
      back: fc.constantFrom(0, 0, 1, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('use_again' as const, 'take_back' as const), which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('top_up' as const, 'transfer' as const, 'reject' as const),
      amount,
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('pay' as const, 'pay_all' as const, 'pay_twice' as const),
      amount,
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('credit' as const, 'credit_percent' as const, 'credit_rest' as const),
      amount,
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('void' as const, 'reissue' as const, 'void_and_reissue' as const),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund' as const), amount, which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'close_early' as const,
        'close_again' as const,
        'preview' as const,
        'read' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('price' as const), price: fc.bigInt({ min: 1n, max: 4n }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('next_month' as const, 'next_month_closed_twice_at_once' as const),
    }),
  },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/** All bills of a player, oldest first, in the order in which the model created them. */
async function billsOf(player: Player): Promise<Bill[]> {
  return (
    await console.ok(billing.listBills, { limit: 200, sort: 'issuedAt' }, { token: player.token })
  ).items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
/** One of the bills, in the console and in the model. */
async function pick(
  player: Player,
  model: ModelBooks,
  place: number,
): Promise<[Bill, ModelBill] | undefined> {
  const bills = await billsOf(player);
  const index = bills.length === 0 ? -1 : place % bills.length;
  const [bill, modelled] = [bills[index], model.bills[index]];
  return bill && modelled && [bill, modelled];
}

async function send(events: readonly object[]): Promise<void> {
  await console.ok(
    usage.ingest,
    {},
    {
      token: gateway,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
}
const eventOf = (player: Player, id: string, of: number, data: object, type = 'call') => ({
  specversion: '1.0',
  id,
  source: `h-${player.subscriptionId}`,
  type,
  subject: player.subscriptionId,
  time: `${named(of)}-02T00:00:00Z`,
  data,
});

async function take(step: Step, player: Player, model: ModelBooks, first: number): Promise<void> {
  const close = (of: number) => console.call(billing.closeMonth, { month: named(of) }, { token: admin });
  switch (step.do) {
    case 'use': {
      const of = Math.max(first, month - step.back);
      const one = { id: `e${player.sent++}`, month: of, value: step.value };
      await send([eventOf(player, one.id, of, { value: one.value.toString() })]);
      player.events.push(one);
      model.use(named(of), one.value, named(month));
      return;
    }
    case 'use_again': {
      const again = player.events[step.which % Math.max(1, player.events.length)];
      if (again) await send([eventOf(player, again.id, again.month, { value: again.value.toString() })]);
      return;
    }
    case 'take_back': {
      const [wrong] = player.events.splice(step.which % Math.max(1, player.events.length), 1);
      if (!wrong) return;
      await send([eventOf(player, `v${wrong.id}`, wrong.month, { id: wrong.id }, 'call.void')]);
      model.use(named(wrong.month), -wrong.value, named(month));
      return;
    }
    case 'top_up':
    case 'reject': {
      const payment = await console.ok(payments.topUp, { amount: twd(step.amount) }, { token: player.token });
      if (step.do === 'reject') {
        await console.ok(
          payments.rejectPayment,
          { paymentId: payment.id, reason: 'random' },
          { token: admin },
        );
        return;
      }
      await console.ok(payments.confirmPayment, { paymentId: payment.id }, { token: admin });
      player.transfers.push(payment.id);
      model.balance += step.amount;
      return;
    }
    case 'transfer': {
      // The payment is announced with the amount due, but another amount arrives.
      const [bill, modelled] = (await pick(player, model, step.which)) ?? [];
      if (!bill || !modelled || model.due(modelled) <= 0n) return;
      const payment = await console.ok(
        payments.payBill,
        { billId: bill.id, method: 'bank_transfer' },
        { token: player.token },
      );
      await console.ok(
        payments.confirmPayment,
        { paymentId: payment.id, amount: twd(step.amount) },
        { token: admin },
      );
      player.transfers.push(payment.id);
      const toBill = step.amount < model.due(modelled) ? step.amount : model.due(modelled);
      modelled.paid += toBill;
      model.balance += step.amount - toBill;
      return;
    }
    case 'pay':
    case 'pay_all':
    case 'pay_twice': {
      const [bill, modelled] = (await pick(player, model, step.which)) ?? [];
      if (!bill || !modelled) return;
      const wanted = step.do === 'pay_all' ? model.due(modelled) : step.amount;
      const times = step.do === 'pay_twice' ? 2 : 1;
      const answers = await Promise.all(
        Array.from({ length: times }, () =>
          console.call(
            payments.payBill,
            { billId: bill.id, method: 'balance', ...(step.do !== 'pay_all' && { amount: twd(wanted) }) },
            { token: player.token },
          ),
        ),
      );
      for (let time = 0; time < times; time++) {
        if (model.mayPay(modelled, wanted)) {
          model.pay(modelled, wanted);
          expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThan(time);
        }
      }
      return;
    }
    case 'credit':
    case 'credit_percent':
    case 'credit_rest': {
      const [bill, modelled] = (await pick(player, model, step.which)) ?? [];
      if (!bill || !modelled) return;
      const what =
        step.do === 'credit'
          ? { kind: 'amount' as const, net: twd(step.amount) }
          : step.do === 'credit_rest'
            ? { kind: 'rest' as const }
            : { kind: 'percent' as const, percent: String(1 + (Number(step.amount) % 100)) };
      const { status, data } = await issueAsPreviewed(console, admin, {
        billId: bill.id,
        reason: 'random',
        what,
      });
      const left = { net: modelled.net - modelled.credited.net, tax: modelled.tax - modelled.credited.tax };
      if (status !== 201) {
        expect(step.do === 'credit_rest' && !modelled.isVoid && left.net + left.tax > 0n).toBe(false);
        return;
      }
      expect(modelled.isVoid).toBe(false);
      if (step.do === 'credit') expect(data.net.minor).toBe(step.amount);
      if (step.do === 'credit_rest') expect([data.net.minor, data.tax.minor]).toEqual([left.net, left.tax]);
      expect(data.net.minor <= left.net && data.net.minor + data.tax.minor <= left.net + left.tax).toBe(true);
      model.takeBack(modelled, data.net.minor, data.tax.minor);
      return;
    }
    case 'void':
    case 'reissue':
    case 'void_and_reissue': {
      const [bill, modelled] = (await pick(player, model, step.which)) ?? [];
      if (!bill || !modelled) return;
      if (step.do === 'void') {
        const { status } = await voidAsPreviewed(console, admin, { billId: bill.id, reason: 'random' });
        expect(status === 200).toBe(!modelled.isVoid);
        if (status === 200) model.void(modelled);
        return;
      }
      const { status } = await reissueAsPreviewed(
        console,
        admin,
        { billId: bill.id, ...(step.do === 'void_and_reissue' && !modelled.isVoid && { reason: 'random' }) },
        modelled.isReplaced,
      );
      if (step.do === 'reissue' && !modelled.isVoid) {
        expect(status).toBeGreaterThanOrEqual(400);
        return;
      }
      expect(status).toBe(200);
      // A repeat returns the replacement, whatever happened to that since.
      if (modelled.isReplaced) return;
      if (!modelled.isVoid) model.void(modelled);
      model.reissue(modelled);
      return;
    }
    case 'refund': {
      const paymentId = player.transfers[step.which % Math.max(1, player.transfers.length)];
      if (!paymentId) return;
      const { status } = await console.call(
        payments.refundPayment,
        { paymentId, amount: twd(step.amount), reason: 'random' },
        { token: admin },
      );
      if (status === 201) {
        expect(step.amount <= model.balance).toBe(true);
        model.balance -= step.amount;
      }
      return;
    }
    case 'close_early':
      expect((await close(month)).envelope.code).toBe('billing.month_not_over');
      return;
    case 'close_again':
      if (month > first) expect((await close(month - 1)).data).toMatchObject({ issued: 0, parked: 0 });
      return;
    case 'preview':
      await console.ok(billing.previewClose, { month: named(month) }, { token: admin });
      return;
    case 'read': {
      await console.ok(billing.currentBill, {}, { token: player.token });
      for (const bill of await billsOf(player))
        await console.ok(billing.getBill, { billId: bill.id }, { token: player.token });
      return;
    }
    case 'price': {
      const from = new Date(Date.parse(`${named(month + 1)}-01T00:00:00Z`) - 8 * 3_600_000);
      // Two prices cannot start at the same moment.
      if (
        (
          await console.call(
            catalogue.updateService,
            { serviceId: player.serviceId, pricing: pricing(step.price), effectiveFrom: from },
            { token: admin },
          )
        ).status === 200
      )
        model.setPrice(named(month + 1), step.price);
      return;
    }
    case 'next_month':
    case 'next_month_closed_twice_at_once': {
      month++;
      await moveOn(player, '05');
      const answers = await closeAsPreviewed(console, admin, named(month - 1), () =>
        Promise.all(Array.from({ length: step.do === 'next_month' ? 1 : 2 }, () => close(month - 1))),
      );
      expect(answers.map((answer) => answer.data.parked)).toEqual(answers.map(() => 0));
      model.close(named(month - 1));
    }
  }
}

describe.each(parts)('histories from $first, $count on one console', ({ count }) => {
  beforeAll(begin);
  afterAll(async () => {
    await client.end();
    await console.end();
  });

  it(
    'bills, amounts due and prepaid balances equal a small model’s after any sequence of events',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { minLength: 12, maxLength: 30 }), async (steps) => {
          const first = month;
          console.clock.set(new Date(`${named(month)}-05T00:00:00Z`));
          admin = await signIn(console, adminAccount.account, adminAccount.password);
          const player = await newPlayer();
          const model = new ModelBooks(fee, 1n);
          for (const step of [...steps, { do: 'next_month' as const }, { do: 'next_month' as const }]) {
            await take(step, player, model, first);
            const [bills, { balances, owed }] = [
              await billsOf(player),
              await console.ok(payments.balance, {}, { token: player.token }),
            ];
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
            expect(balances.reduce((sum, each) => sum + each.minor, 0n)).toBe(model.balance);
            expect(owed.reduce((sum, each) => sum + each.minor, 0n)).toBe(model.owed());
          }
          // Two closes after the last change everything is settled: the valid bills charge the cost of the
          // months.
          for (let each = first; each < month; each++)
            if (model.standing(named(each))) expect(model.billed(named(each))).toBe(model.cost(named(each)));
          month++;
        }),
        { numRuns: count, endOnFailure: true },
      );
      expect(await foundBy(client)).toEqual([]);
    },
    120_000 + count * 10_000,
  );
});
