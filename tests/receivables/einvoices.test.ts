// E-invoices on a real database: bills get invoices, numbers come from tracks in order, payments, credit notes and voids follow (T-EINV).
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { einvoices, type Einvoice, type EinvoiceDetail } from '#features/receivables/einvoices/contract.ts';
import { runEinvoices } from '#features/receivables/einvoices/server/index.ts';
import { TestProvider } from '../support/einvoices-test-provider.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  fee,
  moveTo,
  net,
  november,
  october,
  pay,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';

const asAdmin = () => ({ token: at.admin });
let provider: TestProvider;
const run = () => runEinvoices(at.console.app, provider);
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
const save = (more: object = {}) =>
  at.console.ok(einvoices.saveEinvoiceSettings, { ...settings, ...more }, asAdmin());
const list = async (): Promise<Einvoice[]> =>
  (await at.console.ok(einvoices.adminListEinvoices, { limit: 200, sort: 'createdAt' }, asAdmin())).items;
const ofBill = async (bill: BillDetail) =>
  (await at.console.ok(einvoices.adminBillEinvoices, { billId: bill.id }, asAdmin())).items;
const detail = (einvoiceId: Einvoice['id']): Promise<EinvoiceDetail> =>
  at.console.ok(einvoices.adminGetEinvoice, { einvoiceId }, asAdmin());
const addTrack = (period: string, from: string, to: string, letters = 'AB') =>
  at.console.call(
    einvoices.addTrack,
    { period: period as never, letters, from, to },
    asAdmin(),
  );

describe('T-EINV', () => {
  beforeAll(async () => {
    await startBilling();
  });
  it('nothing appears while no provider is set, and a provider needs the seller’s tax id and address', async () => {
    const refused = await at.console.call(einvoices.saveEinvoiceSettings, settings, asAdmin());
    expect(refused.envelope.errors?.[0]).toMatchObject({ field: 'provider', code: 'einvoices.seller_missing' });
  });
});
