// A console that issues e-invoices through a simulated provider, and the calls that its tests make.
import { expect } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { administration } from '#features/operations/administration/contract.ts';
import {
  einvoices,
  type BillEinvoices,
  type Einvoice,
  type EinvoiceDetail,
  type EinvoiceDocument,
} from '#features/receivables/einvoices/contract.ts';
import { runEinvoices } from '#features/receivables/einvoices/server/index.ts';
import { stopRepeating } from './jobs.ts';
import { TestProvider } from './einvoices-test-provider.ts';
import { at, billOf, customer, fee, startBilling, type Customer } from './corrections.ts';

/** The provider of this test file. */
export const way = {} as { provider: TestProvider };
export const run = (): Promise<void> => runEinvoices(at.console.app, way.provider);
export const asAdmin = () => ({ token: at.admin });
export const seller = {
  name: '福爾摩沙雲端股份有限公司',
  taxId: '04595257',
  address: '臺北市信義區市府路一號',
  email: 'billing@cloud.example',
};
export const companyTaxId = '22099131';

const settings = {
  provider: 'turnkey',
  merchantId: '',
  isStage: false,
  hasB2b: false,
  companies: 'on_issue',
  consumers: 'on_issue',
  consumerHours: 48,
  companyHours: 168,
  warnHours: 12,
  lowPercent: 20,
} as const;
/** Saves settings, based on those of a Turnkey that issues with the bill. */
export const save = (more: object = {}) =>
  at.console.ok(einvoices.saveEinvoiceSettings, { ...settings, ...more }, asAdmin());

/** Sets a console up in September 2024 that issues e-invoices. */
export async function startEinvoices(name: 'turnkey' | 'ecpay' = 'turnkey'): Promise<void> {
  await startBilling();
  // The console's own job would send what these tests pass to their provider.
  await stopRepeating(at.console.app);
  way.provider = new TestProvider(name, () => at.console.clock.now());
  await at.console.ok(administration.updateSettings, { seller }, asAdmin());
  await save(name === 'turnkey' ? {} : { provider: name, merchantId: '2000132', hashKey: 'k', hashIv: 'i' });
}

/** A customer with a 統一編號. */
export async function company(...pricings: ReturnType<typeof fee>[]): Promise<Customer> {
  const one = await customer(...pricings);
  await at.console.ok(identity.updateOrganization, { taxId: companyTaxId }, { token: one.token });
  return one;
}

export const addTrack = (period: string, from: string, to: string, letters = 'AB') =>
  at.console.call(einvoices.addTrack, { period: period as never, letters, from, to }, asAdmin());
export const list = async (more: object = {}): Promise<Einvoice[]> =>
  (await at.console.ok(einvoices.adminListEinvoices, { limit: 200, sort: 'createdAt', ...more }, asAdmin()))
    .items;
export const coverOf = (bill: Pick<BillDetail, 'id'>): Promise<BillEinvoices> =>
  at.console.ok(einvoices.adminBillEinvoices, { billId: bill.id }, asAdmin());
export const invoicesOf = async (bill: Pick<BillDetail, 'id'>): Promise<EinvoiceDocument[]> =>
  (await coverOf(bill)).items;
/** The only invoice of a customer's bill. */
export async function invoiceOf(one: Customer, month?: BillDetail['month']): Promise<EinvoiceDocument> {
  const items = await invoicesOf(await billOf(one, month));
  expect(items).toHaveLength(1);
  const [only] = items;
  if (!only) throw new Error('no invoice');
  return only;
}
export const detail = (einvoiceId: Id<'ein'>): Promise<EinvoiceDetail> =>
  at.console.ok(einvoices.adminGetEinvoice, { einvoiceId }, asAdmin());
/** The amounts of an invoice: net, tax, total, allowed. */
export const sums = (one: Einvoice): bigint[] => [
  one.net.minor,
  one.tax.minor,
  one.total.minor,
  one.allowed.minor,
];
/** The errors of a failed call: `field: code`, else the code. */
export const fails = async (
  call: Promise<{
    envelope: { code?: string; errors?: readonly { field: string; code: string }[] };
  }>,
): Promise<string | undefined> => {
  const { envelope } = await call;
  return envelope.errors?.map((each) => `${each.field}: ${each.code}`).join() ?? envelope.code;
};
