// What having a payer affects: late fees, payment plans, yearly fees whose payer changes during the year, and
// a closed organization; with the independent checker after each step (R-BILL-05).
import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { consoleContract } from '../src/app/console/contract.ts';
import { jobs } from '../src/app/jobs.ts';
import type { BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { payers } from '../src/features/invoicing/payers/contract.ts';
import { lateFees } from '../src/features/receivables/late-fees/contract.ts';
import { chargeLateFees } from '../src/features/receivables/late-fees/server/index.ts';
import { plans } from '../src/features/receivables/payment-plans/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import { adminAccount, signIn } from '../tests/support/console.ts';
import {
  at,
  balanceOf,
  bills,
  close,
  credit,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  net,
  november,
  october,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../tests/support/corrections.ts';
import { unschedule } from '../tests/support/jobs.ts';
import { checkerOf } from './test-found.ts';

let client: pg.Client;
let payer: Customer;
let next: Customer;
let yearly: Customer;
let monthly: Customer;
const december = '2024-12' as BillingMonth;

beforeAll(async () => {
  await startBilling();
  for (const name of ['late-fees', 'payment-plans', 'billing.recognizeRevenue'])
    await unschedule(at.console.app, name);
  client = await checkerOf(at.console);
  payer = await customer();
  next = await customer(fee('10'));
  yearly = await customer({
    model: 'rate_card',
    currency: 'TWD',
    charges: [
      {
        key: 'licence',
        name: { zhTW: '授權', enUS: 'Licence' },
        kind: 'recurring',
        model: 'flat',
        // 36500 / 12 = 3041 a month from September 2024 to July 2025.
        amount: '36500',
        cycle: 'year',
        anchor: 'anniversary',
      },
    ],
  });
  monthly = await customer(fee('100000'));
  for (const one of [yearly, monthly]) await set(one, payer, september);
});
afterEach(() => expectVerified(client));

const asAdmin = () => ({ token: at.admin });
const set = (one: Customer, by: Customer | null, from: BillingMonth) =>
  at.console.ok(
    payers.setPayer,
    { organizationId: one.organizationId, payerId: by?.organizationId ?? null, from },
    asAdmin(),
  );
const billFor = async (by: Customer, user: Customer, month: BillingMonth): Promise<BillDetail> =>
  required(
    (await bills(by, month)).find(({ usedBy }) => usedBy?.organizationId === user.organizationId),
    'the bill of what another used',
  );
const deferred = async (one: Customer): Promise<number> => {
  const { rows } = await sql<{ minor: string }>`
    select coalesce(sum(balance_minor), 0)::text as minor from ledger_account where organization_id = ${one.organizationId} and kind = 'deferred_revenue'`.execute(
    db(),
  );
  return 0 - Number(rows[0]?.minor ?? 0);
};
const recognize = async (): Promise<void> =>
  required(
    jobs.find(({ name }) => name === 'billing.recognizeRevenue'),
    'the job',
  ).run(at.console.app, {} as never, new AbortController().signal);

describe('T-PAYER: yearly fees', () => {
  it('are deferred for the organization that uses them; a new payer during the year neither owes nor receives anything', async () => {
    await moveTo('2024-10-05T04:00:00Z');
    await close(september);
    const bill = await billFor(payer, yearly, september);
    expect([bill.net, bill.organizationId]).toEqual([twd(36_500), payer.organizationId]);
    // September is recognized with the bill, the rest month by month.
    expect([await deferred(yearly), await deferred(payer)]).toEqual([33_459, 0]);
    await set(yearly, next, october);
    await moveTo('2024-11-05T04:00:00Z');
    await recognize();
    await close(october);
    expect(await deferred(yearly)).toBe(30_418);
    // The year is paid: the next payer gets no bill for it.
    expect((await bills(next, october)).map(({ usedBy, net: whole }) => [usedBy, whole])).toEqual([
      [undefined, twd(10)],
    ]);
    expect([await deferred(payer), await deferred(next)]).toEqual([0, 0]);
  });

  it('when credited are returned to the billed payer, and reduce deferred revenue', async () => {
    const bill = await billFor(payer, yearly, september);
    await topUp(payer, twd(38_325));
    expect((await pay(payer, bill)).status).toBe(201);
    expect((await credit(bill, net(3650))).status).toBe(201);
    expect([await balanceOf(payer), await balanceOf(next), await balanceOf(yearly)]).toEqual([3833n, 0n, 0n]);
    expect(await deferred(yearly)).toBeLessThan(30_418);
  });
});

describe('T-PAYER: late payment', () => {
  it('charges late fees to the payer, on its own next bill, although it uses nothing itself', async () => {
    await at.console.ok(
      lateFees.saveLateFees,
      {
        terms: {
          graceDays: 2,
          taxedAs: 'standard',
          currencies: [{ currency: 'TWD', percent: '10', fixed: null, minimum: twd(0), cap: null }],
        },
      },
      asAdmin(),
    );
    const bill = await billFor(payer, monthly, october);
    await moveTo('2025-01-05T04:00:00Z');
    await chargeLateFees(at.console.app);
    const { fees } = await at.console.ok(lateFees.adminBillLateFees, { billId: bill.id }, asAdmin());
    // 105,000 from 8 to 31 December: 24 days × 10 % ÷ 365 = 690.4.
    expect(fees.map(({ state, amount }) => [state, amount])).toEqual([['pending', twd(690)]]);
    await close(november);
    await close(december);
    expect((await bills(payer, december)).filter(({ usedBy }) => usedBy === undefined)).toEqual([]);
    expect((await bills(monthly, december)).length).toBe(0);
  });

  it('allows a payment plan of the payer, which pays the bill in instalments', async () => {
    const bill = await billFor(payer, monthly, december);
    await at.console.ok(
      plans.agreePlan,
      {
        billIds: [bill.id],
        instalments: [
          { on: '2025-01-10', amount: twd(50_000) },
          { on: '2025-02-10', amount: twd(55_000) },
        ],
        graceDays: 3,
        note: '',
      } as never,
      asAdmin(),
    );
    const planned = async (one: Customer) =>
      (await at.console.call(plans.billPlan, { billId: bill.id }, { token: one.token })).status;
    expect([await planned(payer), await planned(monthly), await planned(next)]).toEqual([200, 404, 404]);
    await topUp(payer, twd(50_000));
    expect((await pay(payer, bill, twd(50_000))).status).toBe(201);
    expect((await billFor(payer, monthly, december)).instalment).toMatchObject({
      number: 2,
      of: 2,
      amount: twd(55_000),
    });
  });
});

describe('T-PAYER: a closed organization', () => {
  it('its usage is billed to its payer; bills of a payer do not prevent its closing', async () => {
    const january = '2025-01' as BillingMonth;
    for (const id of monthly.subscriptionIds)
      await at.console.ok(
        subscriptions.cancel,
        { subscriptionId: id, when: 'now' },
        { token: monthly.token },
      );
    const closing = await at.console.call(
      consoleContract.closeOrganization,
      { organizationId: monthly.organizationId, reason: 'moved away' },
      asAdmin(),
    );
    expect(closing.status).toBe(200);
    // Its own users can no longer sign in.
    at.console.clock.set(new Date('2025-02-05T04:00:00Z'));
    at.admin = await signIn(at.console, adminAccount.account, adminAccount.password);
    payer.token = await signIn(at.console, payer.email);
    await close(january);
    // The late fee of October’s bill is on a bill of the payer’s own.
    const own = (await bills(payer, january)).filter(({ usedBy }) => usedBy === undefined);
    expect(own.map(({ lines }) => lines.map(({ kind, total }) => [kind, total]))).toEqual([
      [['one_off', twd(690)]],
    ]);
    const last = await billFor(payer, monthly, january);
    expect(last.lines.length).toBeGreaterThan(0);
    expect(last.organizationId).toBe(payer.organizationId);
  });
});
