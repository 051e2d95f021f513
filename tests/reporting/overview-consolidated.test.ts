// The overview of all currencies in the reporting one: months at the rates of their last days, movements that
// add up to the closing, and nothing estimated.
import { beforeAll, describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { metrics, type MetricMonth } from '#features/reporting/metrics/contract.ts';
import { rates } from '#features/reporting/rates/contract.ts';
import {
  at,
  close,
  customer,
  fee,
  moveTo,
  october,
  september,
  startBilling,
} from '../support/corrections.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const asAdmin = () => ({ token: at.admin });
const summary = (more: object = {}) =>
  at.console.ok(metrics.summary, { consolidated: true, months: 2, ...more }, asAdmin());
const setRate = (on: string, rate: string) =>
  at.console.ok(rates.setRate, { currency: 'USD', against: 'TWD', day: on as LocalDay, rate }, asAdmin());
/** "2024-10: 4200 new 0 … exchange -100 = 4100". */
const shown = ({ month, opening, movements, exchange, recurring }: MetricMonth): string =>
  `${month}: ${opening.minor} ${movements
    .filter(({ amount }) => amount.minor !== 0n)
    .map(({ kind, amount, customers }) => `${kind} ${amount.minor} (${customers}) `)
    .join('')}exchange ${exchange.minor} = ${recurring.minor}`;

beforeAll(async () => {
  await startBilling();
  await stopRepeating(at.console.app);
  // C2 is a customer in both currencies.
  await customer(fee('1000'));
  await customer(fee('100', 'USD'), fee('500'));
  await moveTo('2024-10-05T12:00:00+08:00');
  await close(september);
  await moveTo('2024-11-05T12:00:00+08:00');
  await close(october);
  await runFeatureJob(at.console.app, 'metrics.refresh');
});

describe('T-FXMRR: the overview in the reporting currency', () => {
  it('has no months without rates, and reports what is missing', async () => {
    const found = await summary();
    expect(found).toMatchObject({
      currency: 'TWD',
      reportingCurrency: 'TWD',
      isConsolidated: true,
      months: [],
      lacking: [
        { month: '2024-09', currency: 'USD' },
        { month: '2024-10', currency: 'USD' },
      ],
      overdue: null,
      receivable: null,
      proof: null,
    });
  });

  it('begins after the last month without a rate: a month also needs the previous month’s rates', async () => {
    await setRate('2024-10-31', '31');
    // September’s closing is October’s opening, and has no rate.
    expect((await summary()).months).toEqual([]);
    await setRate('2024-09-30', '32');
    const { months, lacking } = await summary();
    expect(lacking).toEqual([]);
    expect(months.map(shown)).toEqual([
      '2024-09: 0 new 4700 (3) exchange 0 = 4700',
      '2024-10: 4700 exchange -100 = 4600',
    ]);
  });

  it('counts a customer with two currencies once, and excludes exchange rates from retention', async () => {
    const { months, receivable, currencies } = await summary();
    expect(currencies).toEqual(['TWD', 'USD']);
    expect(months.at(-1)).toMatchObject({
      customers: 2,
      average: money(2300n, 'TWD'),
      netRetention: '100.0',
      revenueChurn: '0.0',
      customerChurn: '0.0',
      opening: money(4700n, 'TWD'),
    });
    // Two months of NT$1,575 and US$105.00 with tax, at 31 today.
    expect(receivable).toEqual(money(2n * 1575n + 6510n, 'TWD'));
  });

  it('of one currency is as before, without exchange movements', async () => {
    const { months, isConsolidated, currency } = await at.console.ok(
      metrics.summary,
      { currency: 'USD', months: 1 },
      asAdmin(),
    );
    expect([isConsolidated, currency]).toEqual([false, 'USD']);
    expect(months.map(shown)).toEqual(['2024-10: 10000 exchange 0 = 10000']);
  });

  it('is exported as CSV in the reporting currency, with the rates as a column', async () => {
    const { body } = await at.console.ok(
      metrics.export,
      { report: 'months', currency: 'USD', consolidated: true, format: 'csv', language: 'enUS' },
      asAdmin(),
    );
    const lines = new TextDecoder().decode(body as Uint8Array).split('\r\n');
    expect(lines[0]).toContain('Exchange rates');
    expect(lines[2]).toMatch(/^2024-10,4700,0,0,0,0,0,-100,4600,.*,TWD$/);
  });
});
