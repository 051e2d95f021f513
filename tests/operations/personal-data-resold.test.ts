// The export of an organization that buys from a reseller: what the reseller pays the operator, and what it
// notes about its customer, is not in it.
import { beforeAll, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { personalData } from '#features/operations/personal-data/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  close,
  customer,
  moveTo,
  september,
  startBilling,
  yearInAdvance,
  type Customer,
} from '../support/corrections.ts';
import { unschedule } from '../support/jobs.ts';
import { unzip } from '../support/unzip.ts';

const called = (text: string) => ({ zhTW: text, enUS: text });
const note = 'Pays late, ask for a deposit';
let shop: Customer;
let client: Customer;
const asAdmin = () => ({ token: at.admin });

/** The files of an organization's own export, by name. */
async function exportOf({ token }: Customer): Promise<Map<string, string>> {
  const { id: exportId } = await at.console.ok(personalData.makeOwnExport, {}, { token });
  await vi.waitFor(
    async () => {
      const { items } = await at.console.ok(personalData.listOwnExports, {}, { token });
      if (items.find(({ id }) => id === exportId)?.state !== 'done') throw new Error('not yet');
    },
    { timeout: 50_000, interval: 50 },
  );
  const { body } = (await at.console.ok(
    personalData.downloadOwnExport,
    { exportId },
    { token },
  )) as unknown as { body: Uint8Array };
  return new Map([...unzip(Buffer.from(body))].map(([name, bytes]) => [name, bytes.toString()]));
}
/** The lines of a table without its header. */
const rowsIn = (files: ReadonlyMap<string, string>, name: string): string[] =>
  required(files.get(name), name).trim().split('\n').slice(1);

beforeAll(async () => {
  await startBilling();
  await unschedule(at.console.app, 'close-month');
  shop = await customer();
  client = await customer();
  const service = await at.console.ok(
    catalogue.createService,
    {
      name: 'Rack',
      type: 'Hosting',
      category: 'Own',
      currency: 'TWD',
      charges: [yearInAdvance],
    },
    asAdmin(),
  );
  await at.console.ok(
    resellers.makeReseller,
    {
      organizationId: shop.organizationId,
      name: 'Cloud Shop',
      numberPrefix: 'SHOP',
      taxRate: '5',
      dueDays: 14,
      instructions: '',
    },
    asAdmin(),
  );
  await at.console.ok(
    resellers.setReseller,
    { organizationId: client.organizationId, resellerId: shop.organizationId, from: september },
    asAdmin(),
  );
  await at.console.ok(
    resellers.saveMarkUps,
    { from: september, markUps: { percent: '100', services: [] } },
    { token: shop.token },
  );
  await at.console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: client.organizationId,
      serviceId: service.id,
      startedAt: new Date('2024-08-31T16:00:00Z'),
    },
    asAdmin(),
  );
  await at.console.ok(
    oneOffs.createOneOff,
    {
      organizationId: client.organizationId,
      name: called('Moving'),
      kind: 'charge',
      unitPrice: '777',
      currency: 'TWD',
    },
    asAdmin(),
  );
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  const { items } = await at.console.ok(resellers.resellerBills, {}, { token: shop.token });
  await at.console.ok(
    resellers.notePayment,
    { retailBillId: required(items[0], 'a bill').id, paidOn: '2024-10-05' as LocalDay, note },
    { token: shop.token },
  );
});

it('T-PDATA has its bills from the reseller, and neither what the reseller pays nor its note', async () => {
  const files = await exportOf(client);
  expect(rowsIn(files, 'bills/retail_bill.csv')).toEqual([
    expect.stringContaining(',24000,5.0000,1200,25200,'),
  ]);
  // Deferred revenue in the ledger would be the reseller's price: 11,000 of 12,000.
  for (const name of ['bills/ledger_account.csv', 'bills/ledger_entry.csv', 'terms/one_off_charge.csv'])
    expect([name, rowsIn(files, name)]).toEqual([name, []]);
  const all = [...files]
    .filter(([name]) => name.endsWith('.csv'))
    .map(([, text]) => text)
    .join('\n');
  expect(all).not.toContain(note);
  for (const wholesale of ['11000', '777']) expect(all).not.toMatch(new RegExp(`[,-]${wholesale}\\b`));
});

it('of the reseller has its own ledger and the bills it issued', async () => {
  const files = await exportOf(shop);
  expect(rowsIn(files, 'bills/retail_bill.csv')).toHaveLength(1);
  expect(rowsIn(files, 'bills/ledger_entry.csv').length).toBeGreaterThan(0);
});
