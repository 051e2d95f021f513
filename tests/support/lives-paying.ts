// What is done with bills and money, each verb with a few numbers that say to whom, to what and how much.
import { expect } from 'vitest';
import { currencies, money } from '#kernel/money.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { credits, type CreditAsk } from '#features/invoicing/credits/contract.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { lateFees } from '#features/receivables/late-fees/contract.ts';
import { plans } from '#features/receivables/payment-plans/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { rates } from '#features/reporting/rates/contract.ts';
import { accounting } from '#features/reporting/accounting/contract.ts';
import { of, billsOf, type Numbers, type Verb } from './lives-verbs.ts';
import { scaleOf, type Lives, type Person } from './lives.ts';

const onBill =
  (verb: (lives: Lives, person: Person, numbers: Numbers, bill: Bill) => Promise<unknown>): Verb =>
  async (lives, person, numbers) => {
    const bill = of(await billsOf(lives, person), numbers.which);
    return bill && verb(lives, person, numbers, bill);
  };
async function paymentsOf(lives: Lives, { organizationId }: Person) {
  return (
    await lives.console.ok(payments.adminListPayments, { organizationId, limit: 200 }, lives.asAdmin)
  ).items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
/** Stripe's minor units of an amount in ours. */
const atStripe = ({ currency }: Person, minor: bigint): number => {
  const { billingDigits, providerDigits } = currencies[currency];
  return Number(minor) * 10 ** (providerDigits - billingDigits);
};

function expectPaidOnce(codes: readonly (string | undefined)[]): void {
  expect(codes.filter((code) => code === 'paid').length).toBeLessThan(2);
}
/** Being refused is an answer; a fault of the console is not. */
export function expectNoFault(answers: readonly { readonly status: number }[]): void {
  for (const { status } of answers) expect(status).toBeLessThan(500);
}

async function refund(
  lives: Lives,
  person: Person,
  { which, amount, way, isRepeated }: Omit<Numbers, 'who'>,
): Promise<void> {
  const one = of(
    (await paymentsOf(lives, person)).filter(({ state }) => state === 'succeeded'),
    which,
  );
  if (!one) return;
  const { refundable } = await lives.console.ok(
    payments.adminGetPayment,
    { paymentId: one.id },
    lives.asAdmin,
  );
  await lives.attempt(
    payments.refundPayment,
    {
      paymentId: one.id,
      amount: way > 2 && refundable ? refundable : lives.amountOf(person, amount),
      reason: 'random',
    },
    lives.admin,
    isRepeated,
  );
}

export const payingVerbs = {
  topUp: async (lives, person, { amount, way, isRepeated }) => {
    const payment = await lives.attempt(
      payments.topUp,
      {
        amount: lives.amountOf(person, amount * 3),
        ...(way > 3 && { method: 'stripe' as const }),
      },
      person.token,
      isRepeated,
    );
    if (!payment) return;
    if (payment.method === 'stripe') await lives.stripeSends(lives.stripe.pay(payment.id));
    else if (way === 3)
      await lives.attempt(payments.rejectPayment, { paymentId: payment.id, reason: 'random' }, lives.admin);
    else await lives.attempt(payments.confirmPayment, { paymentId: payment.id }, lives.admin, isRepeated);
  },
  pay: onBill((lives, person, { amount, way, isRepeated }, { id }) =>
    lives.attempt(
      payments.payBill,
      { billId: id, method: 'balance', ...(way > 2 && { amount: lives.amountOf(person, amount) }) },
      person.token,
      isRepeated,
    ),
  ),
  transfer: onBill(async (lives, person, { amount, way, isRepeated }, { id }) => {
    const payment = await lives.attempt(
      payments.payBill,
      { billId: id, method: 'bank_transfer' },
      person.token,
      isRepeated,
    );
    if (payment && way !== 5)
      await lives.attempt(
        payments.confirmPayment,
        { paymentId: payment.id, ...(way > 2 && { amount: lives.amountOf(person, amount) }) },
        lives.admin,
        isRepeated,
      );
  }),
  card: onBill(async (lives, person, { amount, way, isRepeated }, { id }) => {
    const payment = await lives.attempt(
      payments.payBill,
      { billId: id, method: 'stripe', ...(way > 3 && { amount: lives.amountOf(person, amount) }) },
      person.token,
      isRepeated,
    );
    if (!payment || way === 3) return;
    await lives.stripeSends(way === 2 ? lives.stripe.expire(payment.id) : lives.stripe.pay(payment.id));
  }),
  payTwiceAtOnce: onBill(async (lives, { token }, _numbers, { id, due }) => {
    const pay = () => lives.console.call(payments.payBill, { billId: id, method: 'balance' }, { token });
    const codes = (await Promise.all([pay(), pay()])).map(({ status, envelope }) =>
      status === 201 ? 'paid' : envelope.code,
    );
    lives.journal.push(`paid twice at once: ${codes.join()}`);
    lives.forget();
    await lives.settle();
    if (due.minor > 0n) expectPaidOnce(codes);
  }),
  payConsolidated: async (lives, { token }, { which, way, isRepeated }) => {
    const { status, data } = await lives.console.call(billing.listConsolidatedBills, {}, { token });
    const one = status === 200 ? of(data.items, which) : undefined;
    if (!one) return;
    const method = (['balance', 'bank_transfer', 'stripe'] as const)[way % 3] ?? 'balance';
    const made = await lives.attempt(
      payments.payConsolidatedBill,
      { consolidatedId: one.id, method },
      token,
      isRepeated,
    );
    if (!made?.payment) return;
    if (method === 'stripe') await lives.stripeSends(lives.stripe.pay(made.payment.id));
    else
      await lives.attempt(payments.confirmPayment, { paymentId: made.payment.id }, lives.admin, isRepeated);
  },
  settleOld: async (lives, person, { which, way }) => {
    const one = of(
      (await paymentsOf(lives, person)).filter(({ state }) => state === 'pending'),
      which,
    );
    if (!one) return;
    if (one.method === 'stripe')
      await lives.stripeSends(way > 3 ? lives.stripe.expire(one.id) : lives.stripe.pay(one.id));
    else
      await lives.attempt(
        way > 3 ? payments.rejectPayment : payments.confirmPayment,
        { paymentId: one.id, ...(way > 3 && { reason: 'random' }) } as never,
        lives.admin,
      );
  },
  refund: async (lives, person, { which, amount, way, isRepeated }) => {
    if (amount % 5 === 0)
      lives.stripe.mishaps.push((['lost before', 'lost after', 'fault'] as const)[way % 3] ?? 'fault');
    // Repeated, one that got no answer asks again.
    await refund(lives, person, { which, amount, way, isRepeated: isRepeated && amount % 5 !== 0 });
    lives.stripe.mishaps.length = 0;
  },
  dispute: async (lives, person, { which, amount, way }) => {
    const one = of(
      (await paymentsOf(lives, person)).filter(
        ({ method, state }) => method === 'stripe' && (state === 'succeeded' || state === 'refunded'),
      ),
      which,
    );
    if (!one?.received) return;
    const gone = lives.stripe.disputes.size;
    const asked = lives.amountOf(person, amount).minor;
    const part = way > 3 && asked < one.received.minor ? asked : one.received.minor;
    const { dispute, event } = lives.stripe.dispute(one.id, atStripe(person, part));
    lives.disputes.push(dispute);
    if (gone % 2 === 0) await lives.stripeSends(event);
    await lives.stripeSends(
      lives.stripe.moveDisputed(dispute, -atStripe(person, part), atStripe(person, scaleOf(person.currency))),
    );
  },
  endDispute: async (lives, _person, { which, way }) => {
    const [dispute] = lives.disputes.splice(which % Math.max(1, lives.disputes.length), 1);
    if (!dispute) return;
    if (way > 2) await lives.stripeSends(lives.stripe.closeDispute(dispute, 'lost'));
    else {
      await lives.stripeSends(lives.stripe.moveDisputed(dispute, dispute.amount));
      await lives.stripeSends(lives.stripe.closeDispute(dispute, 'won'));
    }
  },
  withhold: onBill((lives, person, { amount, way, isRepeated }, bill) =>
    lives.attempt(
      payments.recordWithholding,
      {
        billId: bill.id,
        amount: way > 3 ? bill.due : lives.amountOf(person, amount),
        withheldOn: lives.day(),
      },
      lives.admin,
      isRepeated,
    ),
  ),
  takeBackWithholding: async (lives, person, { which, isRepeated }) => {
    const one = of(
      (await paymentsOf(lives, person)).filter(({ method }) => method === 'withholding'),
      which,
    );
    if (one)
      await lives.attempt(
        payments.takeBackWithholding,
        { paymentId: one.id, reason: 'random' },
        lives.admin,
        isRepeated,
      );
  },
  automatic: (lives, { token }, { way }) =>
    lives.attempt(payments.setAutomatic, { isOn: way < 4, isPartial: way % 2 === 0 }, token),
  credit: onBill(async (lives, person, { amount, way, isRepeated }, bill) => {
    const detail = await lives.console.ok(billing.adminGetBill, { billId: bill.id }, lives.asAdmin);
    const line = of(detail.lines, amount);
    const what: CreditAsk =
      way < 2
        ? { kind: 'percent', percent: String(amount / 10) }
        : way === 2
          ? { kind: 'rest' }
          : way === 3 && line
            ? { kind: 'lines', lines: [{ lineId: line.id, net: lives.amountOf(person, amount % 50) }] }
            : { kind: 'amount', net: lives.amountOf(person, amount) };
    await lives.attempt(credits.previewCredit, { billId: bill.id, what }, lives.admin);
    await lives.attempt(
      credits.issueCredit,
      { billId: bill.id, reason: 'random', what },
      lives.admin,
      isRepeated,
    );
  }),
  void: onBill((lives, _person, { isRepeated }, { id }) =>
    lives.attempt(credits.voidBill, { billId: id, reason: 'random' }, lives.admin, isRepeated),
  ),
  reissue: onBill((lives, _person, { way, isRepeated }, { id }) =>
    lives.attempt(
      credits.reissueBill,
      { billId: id, ...(way > 1 && { reason: 'random' }) },
      lives.admin,
      isRepeated,
    ),
  ),
  lateFees: (lives, person, { way, amount }) =>
    lives.attempt(
      lateFees.saveLateFees,
      {
        terms:
          way > 4
            ? null
            : {
                graceDays: way,
                taxedAs: way % 2 === 0 ? 'standard' : 'exempt',
                currencies: [
                  {
                    currency: person.currency,
                    percent: way % 2 === 0 ? '36.5' : null,
                    fixed: way % 2 === 0 ? null : lives.amountOf(person, 5),
                    minimum: money(0n, person.currency),
                    cap: amount % 2 === 0 ? null : lives.amountOf(person, amount),
                  },
                ],
              },
      },
      lives.admin,
    ),
  waive: onBill(async (lives, _person, { amount, isRepeated }, bill) => {
    const { fees } = await lives.console.ok(lateFees.adminBillLateFees, { billId: bill.id }, lives.asAdmin);
    const fee = of(fees, amount);
    if (fee)
      await lives.attempt(
        lateFees.waiveLateFee,
        { lateFeeId: fee.id, reason: 'random' },
        lives.admin,
        isRepeated,
      );
  }),
  plan: onBill(async (lives, person, { way, isRepeated }, bill) => {
    const open = (await billsOf(lives, person)).filter(
      ({ due, currency }) => due.minor > 0n && currency === bill.currency,
    );
    const bills = way > 2 ? open : [bill];
    const due = bills.reduce((sum, each) => sum + each.due.minor, 0n);
    const first = due / 3n;
    return lives.attempt(
      plans.agreePlan,
      {
        billIds: bills.length > 0 ? bills.map(({ id }) => id) : [bill.id],
        instalments: [
          { on: lives.day(3), amount: money(first, bill.currency) },
          { on: lives.day(10 + way), amount: money(due - first, bill.currency) },
        ],
        graceDays: way,
        note: '',
      },
      lives.admin,
      isRepeated,
    );
  }),
  changePlan: onBill(async (lives, _person, { way }, bill) => {
    const { plan } = await lives.console.ok(plans.adminBillPlan, { billId: bill.id }, lives.asAdmin);
    if (!plan) return;
    const rest = plan.bills.reduce((sum, { due }) => sum + due.minor, 0n);
    await lives.attempt(
      plans.changePlan,
      {
        planId: plan.id,
        instalments: [{ on: lives.day(2 + way), amount: money(rest, plan.currency) }],
        graceDays: way,
        note: '',
      },
      lives.admin,
    );
  }),
  cancelPlan: onBill(async (lives, _person, { isRepeated }, bill) => {
    const { plan } = await lives.console.ok(plans.adminBillPlan, { billId: bill.id }, lives.asAdmin);
    if (plan)
      await lives.attempt(plans.cancelPlan, { planId: plan.id, reason: 'random' }, lives.admin, isRepeated);
  }),
  extend: onBill((lives, _person, { isRepeated }, { id }) =>
    lives.attempt(
      dunning.extendBill,
      { billId: id, until: lives.day(9), reason: 'random' },
      lives.admin,
      isRepeated,
    ),
  ),
  rate: (lives, person, { amount }) =>
    person.currency === 'TWD'
      ? Promise.resolve()
      : lives.attempt(
          rates.setRate,
          {
            currency: person.currency,
            against: 'TWD',
            day: lives.day(),
            rate: (1 + amount / 100).toFixed(2),
          },
          lives.admin,
        ),
  journal: (lives, _person, { way, isRepeated }) =>
    lives.attempt(
      accounting.makeJournal,
      { period: way > 2 ? lives.month(-1) : lives.day(-1) },
      lives.admin,
      isRepeated,
    ),
  days: (lives, _person, { way }) => lives.live(1 + 2 * way),
  closeMonth: (lives, _person, { way }) =>
    lives.attempt(billing.closeMonth, { month: lives.month(way > 3 ? -2 : -1) }, lives.admin),
  closeTwiceAtOnce: async (lives) => {
    const close = () => lives.console.call(billing.closeMonth, { month: lives.month(-1) }, lives.asAdmin);
    const answers = await Promise.all([close(), close()]);
    lives.journal.push(`closed twice at once: ${answers.map(({ status }) => status).join()}`);
    expectNoFault(answers);
    lives.forget();
    await lives.settle();
  },
  nextMonth: async (lives, _person, { way }) => {
    await lives.liveUntilNextMonth(1 + way);
    await lives.attempt(billing.closeMonth, { month: lives.month(-1) }, lives.admin);
  },
} as const satisfies Record<string, Verb>;
