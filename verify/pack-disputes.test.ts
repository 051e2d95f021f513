// The month pack of a month with disputed payments: its totals equal the ledger’s, for all organizations and
// for one (R-BILL-04, R-BILL-05).
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, it, vi } from 'vitest';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { packs, type Pack } from '../src/features/reporting/packs/contract.ts';
import { openArchive } from './archive.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../tests/support/payments.ts';

type Row = Record<string, string>;
let app: PaymentApp;
beforeAll(async () => {
  app = await createPaymentApp(4);
});

/** Creates a month’s pack: returns its totals, and the rows of two of its tables. */
async function packOf(
  who: 'everybody' | 'one',
  language: 'zhTW' | 'enUS' = 'enUS',
): Promise<{ pack: Pack; money: Row[]; ledger: Row[] }> {
  const [make, list, download] =
    who === 'everybody'
      ? ([packs.makePack, packs.listPacks, packs.downloadPack] as const)
      : ([packs.makeOwnPack, packs.listOwnPacks, packs.downloadOwnPack] as const);
  const token = who === 'everybody' ? app.admin : app.user.token;
  const requested = await app.call(make, { month: '2024-10' as BillingMonth }, { token, language });
  const pack = await vi.waitFor(
    async () => {
      const found = required(
        (await app.ok(list, {}, { token })).items.find(({ id }) => id === requested.data.id),
        'the pack that was asked for',
      );
      expect(found.state).toBe('done');
      return found;
    },
    { timeout: 50_000, interval: 50 },
  );
  const { body } = (await app.ok(download, { packId: pack.id }, { token })) as unknown as {
    body: Uint8Array;
  };
  const path = join(tmpdir(), `${pack.id}.zip`);
  writeFileSync(path, body);
  const archive = await openArchive(path);
  const rows = async (name: string): Promise<Row[]> =>
    parse(
      await text(
        await archive.read(
          required(
            archive.files.find((file) => file.name === name),
            name,
          ),
        ),
      ),
      { bom: true, columns: true },
    );
  const [money, ledger] = [await rows('payments.csv'), await rows('ledger.csv')];
  archive.close();
  return { pack, money, ledger };
}
const sum = (rows: readonly Row[], column: string): string =>
  sumDecimals(rows.map((row) => decimal(row[column] || '0'))).toFixed();

it('R-BILL-04, R-BILL-05: contains withdrawals, reversals and fees, and adds up to the ledger’s cash', async () => {
  const [lost, won] = [app.bill(), app.bill()];
  const payments = [await app.pay(lost.id, 'stripe'), await app.pay(won.id, 'stripe')] as const;
  for (const { id } of payments) expect(await app.sendStripeEvent(app.stripe.pay(id))).toBe(200);
  for (const [index, { id }] of payments.entries()) {
    const { dispute, event } = app.stripe.dispute(id, billTotal * 100);
    const events = [
      event,
      app.stripe.moveDisputed(dispute, -billTotal * 100, 45_000),
      ...(index === 1 ? [app.stripe.moveDisputed(dispute, billTotal * 100, -15_000)] : []),
      app.stripe.closeDispute(dispute, index === 1 ? 'won' : 'lost'),
    ];
    for (const each of events) {
      app.clock.advance(1000);
      expect(await app.sendStripeEvent(each)).toBe(200);
    }
  }
  await app.later(27 * 24 * 60);

  const all = await packOf('everybody');
  expect(all.money.map((row) => [row['Kind'], row['Amount'], row['Paid on the bill']])).toEqual([
    ['Payment', '1050', '1050'],
    ['Payment', '1050', '1050'],
    ['Dispute, withdrawn', '-1050', '-1050'],
    ['Dispute fee', '-450', ''],
    ['Dispute, withdrawn', '-1050', '-1050'],
    ['Dispute fee', '-450', ''],
    ['Dispute, returned', '1050', '1050'],
    ['Dispute fee', '150', ''],
  ]);
  const cash = all.ledger.filter((row) => row['Account'] === 'Cash and bank');
  const moved = decimal(sum(cash, 'Debit'))
    .minus(decimal(sum(cash, 'Credit')))
    .toFixed();
  expect([
    sum(all.money, 'Amount'),
    sum(
      all.money.filter((row) => row['Bill number'] === won.number),
      'Paid on the bill',
    ),
  ]).toEqual([moved, String(billTotal)]);
  expect(all.pack.totals).toMatchObject([
    {
      currency: 'TWD',
      received: twd(2 * billTotal),
      refunded: twd(0),
      disputes: { withdrawn: twd(2 * billTotal), reinstated: twd(billTotal), fees: twd(750) },
    },
  ]);

  // The provider’s fee is not charged to the customer.
  const own = await packOf('one', 'zhTW');
  expect(own.money.map((row) => [row['類別'], row['金額']])).toEqual([
    ['付款', '1050'],
    ['付款', '1050'],
    ['爭議款扣回', '-1050'],
    ['爭議款扣回', '-1050'],
    ['爭議款退還', '1050'],
  ]);
  expect(own.pack.totals).toMatchObject([
    { disputes: { withdrawn: twd(2 * billTotal), reinstated: twd(billTotal), fees: null } },
  ]);
});
