// Exchange rates with their versions, and reproducible reports in one currency (issue 30).
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Currency } from '#kernel/money.ts';
import { moneyText } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { zipOf, type ZipEntry } from '#platform/server/files/zip.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import { rates } from '#features/reporting/rates/contract.ts';
import {
  at,
  close,
  customer,
  db,
  fee,
  moveTo,
  october,
  september,
  startBilling,
} from '../support/corrections.ts';
import { stopRepeating } from '../support/jobs.ts';

const asAdmin = () => ({ token: at.admin });
const day = (text: string) => text as LocalDay;
const set = (currency: Currency, against: Currency, on: string, rate: string) =>
  at.console.call(rates.setRate, { currency, against, day: day(on), rate }, asAdmin());
const take = (body: Uint8Array | string, type: string) =>
  at.console.call(
    rates.importRates,
    {},
    { ...asAdmin(), body: body as never, headers: { 'content-type': type } },
  );
const listed = async (): Promise<string[]> =>
  (await at.console.ok(rates.listRates, { limit: 100 }, asAdmin())).items.map(
    ({ currency, against, day: on, rate, source, version }) =>
      `${on} ${currency} ${against} ${rate} ${source} ${version}`,
  );
const report = (more: object = {}) =>
  at.console.ok(metrics.consolidated, { from: day('2024-09-01'), to: day('2024-11-15'), ...more }, asAdmin());
/** "2024-10 USD 30.00 → 960 (32 of 2024-10-30)". */
async function shown(more: object = {}): Promise<string[]> {
  const { revenue, receivables, revenueTotal, receivablesTotal } = await report(more);
  return [
    ...[...revenue, ...receivables.map((one) => ({ month: 'owed', ...one }))].map(
      ({ month, amount, converted, rate }) =>
        `${month} ${amount.currency} ${moneyText(amount)} → ${converted ? moneyText(converted) : '-'}${rate ? ` (${rate.text} of ${rate.day})` : ''}`,
    ),
    `${revenueTotal ? moneyText(revenueTotal) : '-'} ${receivablesTotal ? moneyText(receivablesTotal) : '-'}`,
  ];
}

const history = `Date,USD,JPY,TRY,
2024-10-31,1.08,165.5,N/A,
2024-10-30,1.0815,165.9,37.1,
2020-01-02,1.1193,121.75,6.6,
`;
const xml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><Cube>
<Cube time="2024-10-31"><Cube currency="USD" rate="1.09"/><Cube currency="JPY" rate="165.5"/></Cube>
<Cube time="2024-11-01"><Cube currency="USD" rate="1.085"/></Cube></Cube></gesmes:Envelope>`;

async function zipped(name: string, text: string): Promise<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name, content: Buffer.from(text) };
  }
  return buffer(zipOf(entries()));
}

describe('T-FX: exchange rates', () => {
  beforeAll(async () => {
    await startBilling();
    await stopRepeating(at.console.app);
    await customer(fee('1000'));
    await customer(fee('30', 'USD'));
    await customer(fee('10', 'EUR'));
    await moveTo('2024-10-01T00:10:00Z');
    await close(september);
    await moveTo('2024-11-01T00:10:00Z');
    await close(october);
    await moveTo('2024-11-15T00:00:00Z');
  });

  it('without rates nothing is converted, and nothing is added up unconverted', async () => {
    expect(await shown()).toEqual([
      '2024-10 EUR 10.00 → -',
      '2024-10 TWD 1000 → 1000',
      '2024-10 USD 30.00 → -',
      '2024-11 EUR 10.00 → -',
      '2024-11 TWD 1000 → 1000',
      '2024-11 USD 30.00 → -',
      'owed EUR 21.00 → -',
      'owed TWD 2100 → 2100',
      'owed USD 63.00 → -',
      '- -',
    ]);
  });

  it('the bank’s file is imported as CSV, XML and ZIP: from the first booking on, and nothing twice', async () => {
    const csv = await take(history, 'text/csv');
    expect(csv.envelope.data).toEqual({ added: 4, days: 2, firstDay: '2024-10-30', lastDay: '2024-10-31' });
    const again = await take(await zipped('eurofxref-hist.csv', history), 'application/zip');
    expect(again.envelope.data).toMatchObject({ added: 0, days: 2 });
    // A correction by the bank is another version.
    expect((await take(xml, 'application/xml')).envelope.data).toMatchObject({ added: 2, days: 2 });
    const found = await listed();
    expect(found[0]).toBe('2024-11-01 EUR USD 1.085 ecb 1');
    expect(found.toSorted()).toEqual([
      '2024-10-30 EUR JPY 165.9 ecb 1',
      '2024-10-30 EUR USD 1.0815 ecb 1',
      '2024-10-31 EUR JPY 165.5 ecb 1',
      '2024-10-31 EUR USD 1.09 ecb 2',
      '2024-11-01 EUR USD 1.085 ecb 1',
    ]);
    for (const [body, code] of [
      ['', 'rates.file_empty'],
      ['Day;Dollar\n1;2', 'rates.file_unreadable'],
      ['<no', 'rates.file_unreadable'],
      ['Date,USD\n2024-10-31,N/A\n', 'rates.file_without_rates'],
    ] as const)
      expect((await take(body, 'text/csv')).envelope.code, body).toBe(code);
    expect((await take(Buffer.from('PK\u0003\u0004 broken'), 'application/zip')).envelope.code).toBe(
      'rates.file_unreadable',
    );
  });

  it('a manual rate must be of a past day, positive, and of two currencies; the bank’s file does not replace it', async () => {
    const wrong = async (...given: Parameters<typeof set>) => (await set(...given)).envelope.code;
    expect(await wrong('USD', 'USD', '2024-11-01', '1')).toBe('rates.same_currency');
    expect(await wrong('USD', 'TWD', '2024-11-01', '0.00')).toBe('rates.not_positive');
    expect(await wrong('USD', 'TWD', '2024-11-16', '32')).toBe('rates.future_day');
    expect((await set('USD', 'TWD', '2024-10-30', '32')).status).toBe(200);
    expect((await set('EUR', 'USD', '2024-11-01', '1.1')).envelope.data).toMatchObject({ version: 2 });
    expect((await take(xml, 'application/xml')).envelope.data).toMatchObject({ added: 0 });
  });

  it('reports convert at the month’s last day or the last one before, through other currencies if needed, rounded once', async () => {
    expect(await shown()).toEqual([
      // 10 EUR = 10.90 USD (31 October) = 348.8 TWD.
      '2024-10 EUR 10.00 → 349 (34.88 of 2024-10-30)',
      '2024-10 TWD 1000 → 1000',
      '2024-10 USD 30.00 → 960 (32 of 2024-10-30)',
      '2024-11 EUR 10.00 → 352 (35.2 of 2024-10-30)',
      '2024-11 TWD 1000 → 1000',
      '2024-11 USD 30.00 → 960 (32 of 2024-10-30)',
      // 21 EUR = 23.10 USD = 739.2 TWD; not twice the rounded amount.
      'owed EUR 21.00 → 739 (35.2 of 2024-10-30)',
      'owed TWD 2100 → 2100',
      'owed USD 63.00 → 2016 (32 of 2024-10-30)',
      '4621 4855',
    ]);
  });

  it('a changed rate does not change earlier reports: the same time gives the same figures', async () => {
    const { knownAt } = await report();
    const before = await shown();
    await moveTo('2024-11-15T01:00:00Z');
    await set('USD', 'TWD', '2024-10-30', '31');
    expect((await shown())[2]).toBe('2024-10 USD 30.00 → 930 (31 of 2024-10-30)');
    expect(await shown({ knownAt })).toEqual(before);
    expect((await listed()).includes('2024-10-30 USD TWD 31 manual 2')).toBe(true);
    await expect(sql`update exchange_rate set rate = 1`.execute(db())).rejects.toThrow();
  });

  it('the reporting currency is a setting, and the report is exported as CSV', async () => {
    await at.console.ok(rates.saveReporting, { currency: 'USD' }, asAdmin());
    const { currency, revenue } = await report();
    expect([currency, revenue[1]?.converted && moneyText(revenue[1].converted)]).toEqual(['USD', '32.26']);
    const { body } = await at.console.ok(
      metrics.export,
      {
        report: 'consolidated',
        currency: 'TWD',
        format: 'csv',
        language: 'enUS',
        from: day('2024-09-01'),
        to: day('2024-11-15'),
      },
      asAdmin(),
    );
    expect(
      new TextDecoder()
        .decode(body as Uint8Array)
        .split('\r\n')
        .slice(0, 3),
    ).toEqual([
      'Figure,Month,Amount,Original currency,Rate,Rate of,Converted,Currency',
      'Recognized revenue,2024-10,10.00,EUR,1.09,2024-10-31,10.90,USD',
      'Recognized revenue,2024-10,1000,TWD,0.0322580645,2024-10-30,32.26,USD',
    ]);
  });
});
