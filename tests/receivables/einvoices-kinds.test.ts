// A bill with items of several tax kinds (應稅, 零稅率, 免稅) on its statutory invoice: each line as it is taxed, and the invoice the bill exactly.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { taxes, type ServiceCategory } from '#features/invoicing/taxes/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  net,
  october,
  pay,
  september,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';
import {
  addTrack,
  asAdmin,
  company,
  detail,
  invoiceOf,
  invoicesOf,
  run,
  save,
  startEinvoices,
  sums,
} from '../support/einvoices-console.ts';

let mixed: Customer;
let consumer: Customer;

/** How the service of one of a customer's subscriptions is taxed from the next bill on. */
async function taxedAs(one: Customer, index: number, category: ServiceCategory): Promise<void> {
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`select service_id as id from subscription where id = ${one.subscriptionIds[index]}`.execute(db());
  await at.console.ok(
    taxes.setServiceTax,
    { serviceId: required(rows[0], 'a service').id, category },
    asAdmin(),
  );
}

beforeAll(async () => {
  await startEinvoices();
  const seller = { country: 'TW', vatId: '', iban: '', bic: '', electronicAddress: '' };
  await at.console.ok(taxes.saveTaxSettings, { ...seller, isViesOn: false }, asAdmin());
  mixed = await company(fee('1000'), fee('333'), fee('77'));
  consumer = await customer(fee('500'), fee('99'));
  for (const [one, index, category] of [
    [mixed, 1, 'exempt'],
    [mixed, 2, 'exempt'],
    [consumer, 1, 'zero'],
  ] as const)
    await taxedAs(one, index, category);
  await addTrack('2024-09', '00000000', '00000049');
  await moveTo('2024-10-04T03:00:00Z');
  await close(september);
  await run();
});

it('T-EINV: a company’s invoice has taxable and exempt sales, each of its own lines, and the tax of the taxable ones', async () => {
  const invoice = await invoiceOf(mixed);
  expect(invoice).toMatchObject({
    sales: { taxable: twd(1000), zero_rated: twd(0), exempt: twd(410) },
    shownTax: twd(50),
    total: twd(1460),
  });
  expect(invoice.items.map(({ amount, taxKind }) => [amount.minor, taxKind])).toEqual([
    [1000n, 'taxable'],
    [333n, 'exempt'],
    [77n, 'exempt'],
  ]);
  const bill = await billOf(mixed);
  expect(sums(invoice)).toEqual([bill.net.minor, bill.tax.minor, bill.total.minor, 0n]);
});

it('T-EINV: a consumer’s has the taxable sale with its tax, and the zero-rated one without', async () => {
  expect(await invoiceOf(consumer)).toMatchObject({
    sales: { taxable: twd(525), zero_rated: twd(99), exempt: twd(0) },
    shownTax: twd(0),
    total: twd(624),
  });
});

it('T-EINV: credit notes give allowances of net and tax', async () => {
  const bill = await billOf(mixed);
  await credit(bill, net(141));
  await run();
  const invoice = await invoiceOf(mixed);
  const { allowances } = await detail(invoice.id);
  expect(allowances).toHaveLength(1);
  expect(invoice.allowed.minor).toBe((await billOf(mixed)).credited.minor);
  await expectSoundBooks();
});

it('T-EINV: on payment, a bill of several tax kinds is invoiced completely with its first payment', async () => {
  await save({ consumers: 'on_payment' });
  await moveTo('2024-11-04T03:00:00Z');
  expect((await addTrack('2024-11', '00000050', '00000099')).status).toBe(201);
  await close(october);
  await run();
  const bill = await billOf(consumer, october);
  expect(await invoicesOf(bill)).toEqual([]);
  await topUp(consumer, twd(1000));
  await pay(consumer, bill, twd(100));
  await run();
  const invoice = await invoiceOf(consumer, october);
  expect(sums(invoice)).toEqual([bill.net.minor, bill.tax.minor, bill.total.minor, 0n]);
  expect(invoice.items).toHaveLength(2);
  await pay(consumer, bill);
  await run();
  expect(await invoicesOf(bill)).toHaveLength(1);
});
