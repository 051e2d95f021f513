// Realized exchange gains and losses: per payment and credit note of bills in other currencies, by stored
// rates, never estimated.
import { beforeAll, describe, expect, it } from 'vitest';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import { rates } from '#features/reporting/rates/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  fee,
  moveTo,
  net,
  pay,
  september,
  startBilling,
  topUp,
  type Customer,
} from '../support/corrections.ts';
import { stopRepeating } from '../support/jobs.ts';

const asAdmin = () => ({ token: at.admin });
const day = (text: string) => text as LocalDay;
const usd = (minor: number) => money(BigInt(minor), 'USD');
const setRate = (currency: Currency, on: string, rate: string) =>
  at.console.ok(rates.setRate, { currency, against: 'TWD', day: day(on), rate }, asAdmin());
const report = (more: object = {}) =>
  at.console.ok(
    metrics.exchangeGains,
    { from: day('2024-10-01'), to: day('2024-11-30'), ...more },
    asAdmin(),
  );
const settled = async (one: Customer, more: object = {}) =>
  (
    await at.console.ok(
      metrics.settlements,
      {
        from: day('2024-10-01'),
        to: day('2024-11-30'),
        organizationId: one.organizationId,
        of: 'USD',
        ...more,
      },
      asAdmin(),
    )
  ).items;
/** "payment 2024-10-10 30.00: 960 → 975 = 15". */
const shown = async (one: Customer, more: object = {}): Promise<string[]> =>
  (await settled(one, more)).map(
    ({ kind, day: on, amount, booked, value, gain }) =>
      `${kind} ${on} ${moneyText(amount)}: ${booked ? moneyText(booked) : '-'} → ${value ? moneyText(value) : '-'} = ${gain ? moneyText(gain) : '-'}`,
  );

async function paid(...asked: Parameters<typeof pay>): Promise<void> {
  const { status } = await pay(...asked);
  if (status !== 201) throw new Error(`a payment was answered with ${status}`);
}

let dollars: Customer;
let credited: Customer;
let bill: BillDetail;

beforeAll(async () => {
  await startBilling();
  await stopRepeating(at.console.app);
  dollars = await customer(fee('100', 'USD'));
  credited = await customer(fee('100', 'USD'));
  const own = await customer(fee('1000'));
  await moveTo('2024-10-05T12:00:00+08:00');
  await close(september);
  bill = await billOf(dollars);
  for (const one of [dollars, credited]) await topUp(one, usd(20_000));
  await topUp(own, money(5000n, 'TWD'));
  await paid(own, await billOf(own));
  await moveTo('2024-10-10T12:00:00+08:00');
  await paid(dollars, bill, usd(3000));
  await moveTo('2024-11-20T12:00:00+08:00');
  await paid(dollars, bill);
  const other = await billOf(credited);
  await credit(other, net(2000, 'USD'));
  await paid(credited, other);
});

describe('T-FXGAIN: realized exchange gains and losses', () => {
  it('are unknown without rates, not estimated', async () => {
    const { items, unknown, net: sum } = await report();
    expect(unknown).toBe(4);
    expect(sum).toEqual(money(0n, 'TWD'));
    expect(items.map(({ month, of, count, unknown: without }) => [month, of, count, without])).toEqual([
      ['2024-10', 'USD', 1, 1],
      ['2024-11', 'USD', 1, 1],
      ['2024-11', 'USD', 2, 2],
    ]);
    expect(await shown(dollars)).toEqual([
      'payment 2024-10-10 30.00: - → - = -',
      'payment 2024-11-20 75.00: - → - = -',
    ]);
  });

  it('are each payment’s amount at its own day’s rate less that at the bill’s day', async () => {
    await setRate('USD', '2024-10-05', '32.01');
    await setRate('USD', '2024-10-10', '32.5');
    await setRate('USD', '2024-11-20', '31.2');
    // 105.00 × 32.01 = 3,361.05; of the first 30.00 it is 960.3, so 960; the last payment has the rest of
    // 3,361.
    expect(await shown(dollars)).toEqual([
      'payment 2024-10-10 30.00: 960 → 975 = 15',
      'payment 2024-11-20 75.00: 2401 → 2340 = -61',
    ]);
    const [first] = await settled(dollars);
    expect(first).toMatchObject({
      billNumber: bill.number,
      billDay: '2024-10-05',
      billRate: { text: '32.01', day: '2024-10-05', steps: [{ source: 'manual' }] },
      rate: { text: '32.5', day: '2024-10-10' },
    });
  });

  it('include credit notes by their day, and only bills in other currencies', async () => {
    // 21.00 credited: 672 at issue (672.21), 655 on its day (655.2); 84.00 paid the same day: 2,689 and 2,621 (105.00 × 31.2 = 3,276).
    expect(await shown(credited)).toEqual([
      'credit 2024-11-20 21.00: 672 → 655 = -17',
      'payment 2024-11-20 84.00: 2689 → 2621 = -68',
    ]);
    const { items, gains, losses, net: sum, unknown } = await report();
    expect(items).toHaveLength(3);
    expect([gains.minor, losses.minor, sum.minor, unknown]).toEqual([15n, -146n, -131n, 0]);
    expect(items.reduce((all, { gain }) => all + gain.minor, 0n)).toBe(-131n);
  });

  it('use the last rate before a day without one, and show its day; before the first there is none', async () => {
    await setRate('USD', '2024-11-20', '31.2');
    expect((await report({ knownAt: new Date('2024-11-19T00:00:00Z') })).unknown).toBe(4);
    const other = await report({ from: day('2024-10-10'), to: day('2024-10-10') });
    expect(other.items.map(({ month, gain }) => [month, gain.minor])).toEqual([['2024-10', 15n]]);
  });

  it('are exported as CSV with both rates', async () => {
    const { body } = await at.console.ok(
      metrics.export,
      {
        report: 'exchange',
        currency: 'USD',
        from: day('2024-10-01'),
        to: day('2024-11-30'),
        format: 'csv',
        language: 'enUS',
      },
      asAdmin(),
    );
    const lines = new TextDecoder()
      .decode(body as Uint8Array)
      .split('\r\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      'Day,Customer,Settlement,Document,Amount,Original currency,Bill issued,Rate at issue,Rate at issue of,Rate,Rate of,At issue,At settlement,Gain or loss,Currency',
    );
    expect(lines[1]).toBe(
      `2024-10-10,C1,Payment,${bill.number},30.00,USD,2024-10-05,32.01,2024-10-05,32.5,2024-10-10,960,975,15,TWD`,
    );
  });

  it('of reversed payments have the opposite sign, and a void has none', async () => {
    const withheld = await customer(fee('100', 'USD'));
    const voided = await customer(fee('200', 'USD'));
    await moveTo('2024-12-05T12:00:00+08:00');
    for (const month of ['2024-10', '2024-11']) await close(month as BillingMonth);
    const own = await billOf(withheld, '2024-11' as BillingMonth);
    const payment = await at.console.ok(
      payments.recordWithholding,
      { billId: own.id, amount: usd(1000), withheldOn: day('2024-12-05') },
      asAdmin(),
    );
    await at.console.ok(
      credits.voidBill,
      { billId: (await billOf(voided, '2024-11' as BillingMonth)).id, reason: 'wrong' },
      asAdmin(),
    );
    await setRate('USD', '2024-12-05', '32.5');
    await moveTo('2024-12-10T12:00:00+08:00');
    await at.console.ok(
      payments.takeBackWithholding,
      { paymentId: payment.id, reason: 'a mistake' },
      asAdmin(),
    );
    await setRate('USD', '2024-12-10', '33');
    const december = { from: day('2024-12-01'), to: day('2024-12-31') };
    expect(await shown(withheld, december)).toEqual([
      'payment 2024-12-05 10.00: 325 → 325 = 0',
      'returned 2024-12-10 -10.00: -325 → -330 = -5',
    ]);
    expect(await settled(voided, december)).toEqual([]);
  });
});
