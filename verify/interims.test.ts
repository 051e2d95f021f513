// Interim bills on a real database: issued once at the threshold, deducted by their month’s bill, credited,
// voided and raced, with the independent checker after each step (R-BILL-05).
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { moneyText } from '#kernel/money.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing, type BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { issueInterimBills } from '../src/features/invoicing/billing/server/index.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  bills,
  close,
  credit,
  customer,
  expectVerified,
  fee,
  moveTo,
  net,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../tests/support/corrections.ts';
import { drainJob, runFeatureJob } from '../tests/support/jobs.ts';
import { checkerOf } from './test-found.ts';

let client: pg.Client;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
});
afterEach(() => expectVerified(client));

const asAdmin = () => ({ token: at.admin });
const threshold = (one: Customer | null, amount: number | null) =>
  at.console.call(
    billing.setInterimThreshold,
    {
      organizationId: one?.organizationId ?? null,
      currency: 'TWD',
      amount: amount === null ? null : twd(amount),
    },
    asAdmin(),
  );
/** Issues due interim bills, unless the job that usage enqueued has already done so. */
const check = (one: Customer): Promise<number> =>
  unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
    issueInterimBills(ctx, one.organizationId),
  );
const shown = (bill: BillDetail): string =>
  `${bill.kind} ${bill.state}: ${bill.lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`).join(', ')} = ${moneyText(bill.net)} + ${moneyText(bill.tax)}`;
const all = async (one: Customer): Promise<string[]> => (await bills(one, september)).map(shown);
const last = async (one: Customer): Promise<BillDetail> =>
  required((await bills(one, september)).at(-1), 'a bill');
/** The jobs that usage enqueues. */
const runCheck = (one: Customer): Promise<void> =>
  runFeatureJob(at.console.app, 'billing.interim', { organizationId: one.organizationId });
const voidBill = (bill: BillDetail) =>
  at.console.call(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());

describe('T-INTERIM: interim bills', () => {
  let plain: Customer, exempt: Customer, prepaid: Customer, raced: Customer, corrected: Customer;

  beforeAll(async () => {
    plain = await customer(fee('100'), fee('0'));
    exempt = await customer(fee('0'));
    prepaid = await customer(fee('0'));
    raced = await customer(fee('0'));
    corrected = await customer(fee('0'));
    await moveTo('2024-09-10T04:00:00Z');
    await threshold(null, 1000);
    await threshold(exempt, null);
    await topUp(prepaid, twd(5000));
    await at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: prepaid.organizationId,
        kind: 'paid',
        name: { zhTW: '預付', enUS: 'Prepaid' },
        amount: twd(1050),
      } as never,
      asAdmin(),
    );
  });

  it('an invalid amount is rejected with the reason at its field', async () => {
    for (const [one, amount, currency, code] of [
      [null, null, 'TWD', 'billing.threshold_needs_amount'],
      [plain, twd(0), 'TWD', 'billing.threshold_not_positive'],
      [plain, twd(5), 'USD', 'billing.threshold_other_currency'],
    ] as const) {
      const { envelope } = await at.console.call(
        billing.setInterimThreshold,
        { organizationId: one?.organizationId ?? null, currency, amount },
        asAdmin(),
      );
      expect([envelope.code, envelope.errors?.[0]?.field]).toEqual([code, 'amount']);
    }
  });

  it('are issued once usage reaches the threshold, not before', async () => {
    await use(plain, 'a', '999', '2024-09-09T00:00:00Z');
    expect(await check(plain)).toBe(0);
    await use(plain, 'b', '301', '2024-09-10T00:00:00Z', {}, 1);
    await runCheck(plain);
    // The fee is not usage; 5 % tax.
    expect(await all(plain)).toEqual(['interim open: interim 999, interim 301 = 1300 + 65']);
    expect(await check(plain)).toBe(0);
    await use(exempt, 'a', '5000', '2024-09-10T00:00:00Z');
    expect(await check(exempt)).toBe(0);
  });

  it('show their usage, are paid like any other bill, and do not replace the running month', async () => {
    const bill = await last(plain);
    expect(bill).toMatchObject({ kind: 'interim', month: september, change: null });
    expect(bill.lines[0]?.term?.name).toEqual({
      zhTW: '截至2024年9月10日的用量',
      enUS: 'Usage until Sep 10, 2024',
    });
    const explained = await at.console.ok(
      billing.explainLine,
      { billId: bill.id, lineId: '1' },
      { token: plain.token },
    );
    expect(explained.steps.map(({ kind, amount }) => [kind, amount])).toEqual([['used', '999']]);
    await topUp(plain, twd(1365));
    expect((await pay(plain, bill)).status).toBe(201);
    const { bills: running } = await at.console.ok(billing.currentBill, {}, { token: plain.token });
    expect(running.map((each) => moneyText(each.net))).toEqual(['100']);
  });

  it('exclude what prepaid credit will pay', async () => {
    await use(prepaid, 'a', '1900', '2024-09-10T00:00:00Z');
    expect(await check(prepaid)).toBe(0);
    await use(prepaid, 'b', '100', '2024-09-10T00:00:00Z');
    await check(prepaid);
    expect(await all(prepaid)).toEqual(['interim open: interim 1000 = 1000 + 50']);
  });

  it('fifty concurrent checks issue one', async () => {
    await use(raced, 'a', '4000', '2024-09-10T00:00:00Z');
    const issued = await Promise.all(Array.from({ length: 50 }, () => check(raced)));
    // None of them does if the job that usage had enqueued was first.
    expect(issued.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1);
    expect(await all(raced)).toEqual(['interim open: interim 4000 = 4000 + 200']);
  });

  it('the usage of a voided one is on the next, and it is not issued again by itself', async () => {
    // A check that usage had enqueued and that runs only after the voiding would bill the usage again.
    await drainJob(at.console.app, 'billing.interim');
    await voidBill(await last(raced));
    const { envelope } = await at.console.call(
      credits.reissueBill,
      { billId: (await last(raced)).id },
      asAdmin(),
    );
    expect(envelope.code).toBe('credits.nothing_to_issue');
    await use(raced, 'b', '10', '2024-09-10T01:00:00Z');
    await check(raced);
    expect(await all(raced)).toEqual([
      'interim void: interim 4000 = 4000 + 200',
      'interim open: interim 4010 = 4010 + 201',
    ]);
  });

  it('are deducted by the monthly bill, so that together they charge the month once', async () => {
    await use(corrected, 'a', '1500', '2024-09-10T00:00:00Z');
    await check(corrected);
    await credit(await last(corrected), net(200));
    await moveTo('2024-10-05T00:00:00Z');
    await use(corrected, 'b', '-900', '2024-09-11T00:00:00Z');
    await use(plain, 'c', '500', '2024-09-20T00:00:00Z');
    await Promise.all([close(september), close(september)]);
    expect(await all(plain)).toEqual([
      'interim paid: interim 999, interim 301 = 1300 + 65',
      'month open: base_fee 100, usage 1499, usage 301, interim_deduction -999, interim_deduction -301 = 600 + 30',
    ]);
    expect(await all(prepaid)).toEqual([
      'interim open: interim 1000 = 1000 + 50',
      'month paid: usage 2000, interim_deduction -1000 = 1000 + 50',
    ]);
    expect(await all(raced)).toEqual([
      'interim void: interim 4000 = 4000 + 200',
      'interim open: interim 4010 = 4010 + 201',
      'month paid: usage 4010, interim_deduction -4010 = 0 + 0',
    ]);
    // Less was used in the end than billed: the difference goes to the balance; the credit note is not
    // charged again.
    expect(await all(corrected)).toEqual([
      'interim open: interim 1500 = 1500 + 75',
      'month paid: usage 600, interim_deduction -1500 = -900 + -45',
    ]);
    expect(await balanceOf(corrected)).toBe(945n);
    expect(await all(exempt)).toEqual(['month open: usage 5000 = 5000 + 250']);
  });

  it('deducted by a monthly bill can be voided only after that bill', async () => {
    const [interim] = await bills(plain, september);
    const month = await billOf(plain, september).then(() => last(plain));
    const refused = await voidBill(required(interim, 'the interim bill'));
    expect([refused.status, refused.envelope.code]).toEqual([409, 'billing.interim_deducted']);
    expect(refused.envelope.message).toContain(month.number);
    expect((await voidBill(month)).status).toBe(200);
    expect((await voidBill(required(interim, 'the interim bill'))).status).toBe(200);
    await at.console.ok(credits.reissueBill, { billId: month.id }, asAdmin());
    expect((await all(plain)).at(-1)).toBe('month open: base_fee 100, usage 1499, usage 301 = 1900 + 95');
  });

  it('are deducted again by a reissued monthly bill', async () => {
    const month = await last(prepaid);
    await at.console.ok(credits.reissueBill, { billId: month.id, reason: 'again' }, asAdmin());
    expect((await all(prepaid)).at(-1)).toBe('month paid: usage 2000, interim_deduction -1000 = 1000 + 50');
  });

  it('an Admin lists, changes and deletes thresholds', async () => {
    const { items } = await at.console.ok(billing.listInterimThresholds, {}, asAdmin());
    expect(items.map(({ organization, amount }) => [organization, amount && moneyText(amount)])).toEqual([
      [null, '1000'],
      ['C2', null],
    ]);
    await at.console.ok(
      billing.removeInterimThreshold,
      { thresholdId: required(items[0], 'the amount for all').id },
      asAdmin(),
    );
    await use(plain, 'd', '9000', '2024-10-04T00:00:00Z');
    expect(await check(plain)).toBe(0);
  });
});
