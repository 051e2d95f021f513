// The checker finds payment plans that do not add up, each by its code, and nothing in correct ones.
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { addDays, dayOf } from '#kernel/time.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { plans } from '../src/features/receivables/payment-plans/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { unschedule } from '../tests/support/jobs.ts';
import { createPaymentApp, twd, type PaymentApp } from '../tests/support/payments.ts';
import { foundIn } from './test-damage.ts';
import { checkerOf } from './test-found.ts';

let app: PaymentApp;
let client: pg.Client;
let number: string;
let other: string;
let planId: string;

beforeAll(async () => {
  app = await createPaymentApp(2);
  for (const name of ['dunning', 'payment-plans', 'collect']) await unschedule(app.app, name);
  client = await checkerOf(app);
  const asAdmin = () => ({ token: app.admin });
  await app.ok(
    payments.setBankAccount,
    { bank: '004', holder: 'Us', account: '1234567', note: '' },
    asAdmin(),
  );
  const bills = [app.bill(), app.bill()].toSorted((a, b) => a.number.localeCompare(b.number));
  [number, other] = [bills[0]!.number, bills[1]!.number];
  const pay = async (billId: string, amount: number) => {
    const { id } = await app.pay(billId as never, 'bank_transfer', amount);
    await app.ok(payments.confirmPayment, { paymentId: id }, asAdmin());
  };
  // 50 are paid before the plan, and 105 credited; the remaining 1,945 of both bills are agreed in three
  // instalments.
  await pay(bills[0]!.id, 50);
  await app.ok(
    credits.issueCredit,
    { billId: bills[1]!.id, reason: 'goodwill', what: { kind: 'amount', net: twd(100) } },
    asAdmin(),
  );
  await app.later(60);
  const today = dayOf(app.clock.now(), 'Asia/Taipei');
  const agreed = await app.ok(
    plans.agreePlan,
    {
      billIds: bills.map(({ id }) => id),
      instalments: [700, 700, 545].map((amount, index) => ({
        on: addDays(today, 1 + 7 * index),
        amount: twd(amount),
      })),
      graceDays: 3,
      note: '',
    },
    asAdmin(),
  );
  planId = agreed.id;
  await app.later(60);
  await pay(bills[0]!.id, 400);
  await app.ok(
    credits.issueCredit,
    { billId: bills[1]!.id, reason: 'goodwill', what: { kind: 'amount', net: twd(200) } },
    asAdmin(),
  );
});

const found = async (...damage: string[]): Promise<string[]> =>
  (await foundIn(client, damage)).filter((each) => each.startsWith('plan-instalments'));
const ofBill = (which: string): string => `(select id from bill where number = '${which}')`;

it('T-PLAN: a plan with payments and credit notes before and after it is correct', async () => {
  expect(await found()).toEqual([]);
});

it('T-PLAN: instalments that do not add up to the amount due are found', async () => {
  expect(
    await found(
      `update payment_plan_instalment set amount_minor = amount_minor + 1 where plan_id = '${planId}' and position = 3`,
    ),
  ).toEqual([`plan-instalments: instalments_differ ${planId}`]);
});

it('T-PLAN: a shortened running instalment is found, because the rest is less than the amount due', async () => {
  expect(
    await found(
      `update bill_instalment set until_minor = until_minor - 1 where bill_id = ${ofBill(number)} and position = 2`,
    ),
  ).toEqual([
    `plan-instalments: instalments_left_differ ${number}`,
    `plan-instalments: instalment_changed ${number} 2`,
  ]);
});

it('T-PLAN: gaps, other days and a plan that does not cover its bill are found', async () => {
  expect(
    await found(
      `update payment_plan_part set from_minor = from_minor + 1 where bill_id = ${ofBill(number)} and position = 2`,
      `update bill_instalment set from_minor = from_minor + 1 where bill_id = ${ofBill(number)} and position = 2`,
    ),
  ).toEqual([
    `plan-instalments: instalments_left_differ ${number}`,
    `plan-instalments: instalment_gap ${number} 2`,
  ]);
  expect(
    await found(
      `update payment_plan_instalment set due_on = due_on + 1 where plan_id = '${planId}' and position = 1`,
    ),
  ).toEqual([`plan-instalments: instalment_day_differs ${number} 1`]);
  expect(
    await found(
      `update payment_plan_part set until_minor = until_minor + 5 where bill_id = ${ofBill(other)} and position = 3`,
      `update bill_instalment set until_minor = until_minor + 5 where bill_id = ${ofBill(other)} and position = 3`,
    ),
  ).toEqual([
    `plan-instalments: plan_is_not_the_bill ${other}`,
    `plan-instalments: instalments_differ ${planId}`,
  ]);
});
