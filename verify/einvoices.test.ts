// `npm run verify` finds wrong e-invoices, and nothing in correct ones (I4, I5).
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { enUS } from '../src/features/reporting/books/locales/enUS.ts';
import { einvoiceChecks } from './einvoices.ts';
import { foundIn } from './test-damage.ts';
import { addTrack, asAdmin, company, run, save, startEinvoices } from '../tests/support/einvoices-console.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  fee,
  moveTo,
  net,
  october,
  pay,
  september,
  topUp,
  twd,
} from '../tests/support/corrections.ts';
import { checkerOf } from './test-found.ts';

let client: pg.Client;
beforeAll(async () => {
  await startEinvoices();
  const [one, two, three] = [
    await company(fee('1000'), fee('333')),
    await customer(fee('501')),
    await company(fee('77')),
  ];
  await addTrack('2024-09', '00000000', '00000049');
  await addTrack('2024-11', '00000000', '00000049', 'CD');
  await moveTo('2024-10-05T03:00:00Z');
  await close(september);
  await run();
  await credit(await billOf(one), net(100));
  await at.console.ok(credits.voidBill, { billId: (await billOf(three)).id, reason: 'wrong' }, asAdmin());
  await run();
  await save({ consumers: 'on_payment' });
  await moveTo('2024-11-04T03:00:00Z');
  await close(october);
  await topUp(two, twd(200));
  await pay(two, await billOf(two, october), twd(200));
  await run();
  client = await checkerOf(at.console);
});
const found = (...damage: string[]): Promise<string[]> => foundIn(client, damage);

describe('T-EINV: e-invoices in the books', () => {
  it('are correct after issue, allowance, void and a partial payment', async () => {
    expect(await found()).toEqual([]);
  });
  it('are reported when they were changed', async () => {
    const first = `number = 'AB00000000'`;
    expect(
      await found(
        `update einvoice set total_minor = total_minor + 1, net_minor = net_minor + 1 where ${first}`,
      ),
    ).toEqual([
      'einvoice-sums: einvoice_items_differ AB00000000',
      'einvoice-sums: einvoice_lines_differ AB00000000',
      'einvoice-bills: einvoices_differ_from_bill B-202409-000001',
    ]);
    expect(
      await found(`update einvoice_allowance set document = jsonb_set(document, '{items,0,amount}', '"99"')`),
    ).toEqual([expect.stringMatching(/^einvoice-sums: allowance_items_differ /)]);
    expect(
      await found(
        `update einvoice_allowance set tax_minor = tax_minor + 100, total_minor = total_minor + 100, document = jsonb_set(document, '{items,0,tax}', to_jsonb((tax_minor + 100)::text))`,
      ),
    ).toEqual([
      'einvoice-sums: allowed_above_einvoice AB00000000',
      'einvoice-bills: einvoices_differ_from_bill B-202409-000001',
    ]);
    expect(
      await found(
        `update einvoice set void_asked_at = null, void_reason = null, voided_at = null where void_asked_at is not null`,
      ),
    ).toEqual(['einvoice-bills: einvoices_differ_from_bill B-202409-000003']);
    expect(
      await found(`update einvoice set state = 'dropped' where kind = 'consumer' and period = '2024-11'`),
    ).toEqual(['einvoice-bills: einvoices_differ_from_payments B-202410-000002']);
  });
  it('are reported when numbers are of another period, outside their range, missing, or out of order', async () => {
    expect(
      await found(`update einvoice set issued_at = '2024-10-31T16:00:00Z' where number = 'AB00000002'`),
    ).toEqual(['einvoice-numbers: einvoice_period_differs AB00000002']);
    expect(
      await found(`update einvoice_track set next_number = next_number + 1 where letters = 'AB'`),
    ).toEqual(['einvoice-numbers: einvoice_numbers_missing AB00000000']);
    expect(await found(`update einvoice set number = 'AB00000049' where number = 'AB00000002'`)).toEqual([
      'einvoice-numbers: einvoice_outside_track AB00000049',
    ]);
    expect(
      await found(
        `update einvoice set issued_at = issued_at - interval '1 hour' where number = 'AB00000002'`,
      ),
    ).toEqual(['einvoice-numbers: einvoice_out_of_order AB00000002']);
  });
  it('have a text for every finding', () => {
    for (const { id } of einvoiceChecks)
      expect(Object.keys(enUS)).toContain(`books.check_${id.replaceAll('-', '_')}`);
  });
});
