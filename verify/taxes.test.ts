// Taxes on real bills: several rates, reverse charge, exemptions, credits that return the tax of their line,
// and the independent checker after each step (T-TAX).
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { percentOf } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing, type BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { discounts } from '../src/features/invoicing/discounts/contract.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { oneOffs } from '../src/features/invoicing/one-offs/contract.ts';
import { taxes, type ServiceCategory } from '../src/features/invoicing/taxes/contract.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
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
  october,
  november,
  september,
  startBilling,
  topUp,
  use,
  type Customer,
} from '../tests/support/corrections.ts';
import { FakeVies } from '../tests/support/vies.ts';
import { foundIn } from './test-damage.ts';
import { checkerOf, foundBy } from './test-found.ts';

let client: pg.Client;
const vies = new FakeVies();
let plain: Customer, several: Customer, french: Customer, abroad: Customer;

const settings = {
  country: 'DE',
  vatId: 'DE136695976',
  iban: 'DE89370400440532013000',
  bic: '',
  electronicAddress: '',
};
const asAdmin = () => ({ token: at.admin });
const day = (text: string): LocalDay => text as LocalDay;

beforeAll(async () => {
  await vies.start();
  await startBilling({ VIES_API_BASE: vies.address });
  client = await checkerOf(at.console);
  plain = await customer(fee('100', 'EUR'));
  several = await customer(fee('100.33', 'EUR'), fee('50.05', 'EUR'), fee('20', 'EUR'));
  french = await customer(fee('100', 'EUR'), fee('30', 'EUR'));
  abroad = await customer(fee('100', 'EUR'));
});
afterAll(() => vies.stop());
/** The independent checker finds nothing. */
async function expectVerified(): Promise<void> {
  await expectSoundBooks();
  expect(await foundBy(client)).toEqual([]);
}
const serviceOf = async (one: Customer, index: number): Promise<Id<'svc'>> => {
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`select service_id as id from subscription where id = ${one.subscriptionIds[index]}`.execute(db());
  return required(rows[0], 'a service').id;
};
const taxed = async (one: Customer, index: number, category: ServiceCategory) =>
  at.console.ok(taxes.setServiceTax, { serviceId: await serviceOf(one, index), category }, asAdmin());
const place = (one: Customer, country: string, vatId: string) =>
  at.console.call(
    identity.adminUpdateOrganization,
    { organizationId: one.organizationId, country, vatId },
    asAdmin(),
  );
const taxesOf = ({ taxes: rows = [] }: BillDetail) =>
  rows.map(({ category, rate, net, tax, lines }) => [
    category,
    rate,
    Number(net.minor),
    Number(tax.minor),
    lines.join(),
  ]);
const sums = ({ net, tax, total }: BillDetail) => [net, tax, total].map(({ minor }) => Number(minor));

describe('T-TAX: tax settings', () => {
  it('by default a bill has the single rate and no categories', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    const bill = await billOf(several);
    expect(bill).not.toHaveProperty('taxes');
    expect([bill.taxRate, ...sums(bill)]).toEqual(['5', 17038, 852, 17890]);
  });

  it('the seller’s country, VAT id and account are validated at their fields', async () => {
    const wrong = {
      country: 'DE',
      vatId: 'FR83404833048',
      iban: 'DE89370400440532013001',
      bic: 'X',
      electronicAddress: 'here',
    };
    const answer = await at.console.call(taxes.saveTaxSettings, { ...wrong, isViesOn: false }, asAdmin());
    expect(answer.status).toBe(400);
    expect(answer.envelope.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['vatId', 'taxes.vat_id_wrong'],
      ['iban', 'taxes.iban_wrong'],
      ['bic', 'taxes.bic_wrong'],
      ['electronicAddress', 'taxes.electronic_address_wrong'],
    ]);
    const typed = { ...settings, vatId: 'de 136 695 976', iban: 'DE89 3704 0044 0532 0130 00' };
    expect(await at.console.ok(taxes.saveTaxSettings, { ...typed, isViesOn: false }, asAdmin())).toEqual({
      seller: settings,
      isViesOn: false,
    });
  });

  it('an organization’s VAT id must match its country, and may contain spaces', async () => {
    const answer = await place(french, 'DE', 'FR83404833048');
    expect([answer.status, answer.envelope.errors?.[0]?.code]).toEqual([400, 'identity.vat_id_country']);
    expect((await place(french, 'FR', 'FR 83 404 833 049')).envelope.errors?.[0]?.code).toBe(
      'identity.vat_id_check',
    );
    expect((await place(french, 'FR', 'fr 83 404 833 048')).data).toMatchObject({
      country: 'FR',
      vatId: 'FR83404833048',
    });
    expect((await place(french, 'ES', 'FR83404833048')).envelope.errors?.[0]?.field).toBe('vatId');
    expect((await place(abroad, 'XX', '')).envelope.errors?.[0]?.code).toBe('identity.country_unknown');
    await place(abroad, 'US', '');
  });

  it('a rate is valid from its day, ends the previous one, and can be withdrawn only before', async () => {
    const ask = { country: 'DE', category: 'standard', rate: '20.5', validFrom: day('2024-12-01') } as const;
    const added = await at.console.ok(taxes.addTaxRate, ask, asAdmin());
    expect(added).toMatchObject({ rate: '20.5', state: 'future', validUntil: null });
    const german = async () =>
      (await at.console.ok(taxes.listTaxRates, { q: 'Germany', limit: 100 }, asAdmin())).items
        .filter(({ category }) => category === 'standard')
        .map(({ rate, validFrom, validUntil, state }) => [rate, validFrom, validUntil, state]);
    expect(await german()).toEqual([
      ['19', '2024-01-01', '2024-11-30', 'current'],
      ['20.5', '2024-12-01', null, 'future'],
    ]);
    const again = await at.console.call(taxes.addTaxRate, { ...ask, rate: '21' }, asAdmin());
    expect([again.status, again.envelope.errors?.[0]?.code ?? again.envelope.code]).toEqual([
      409,
      expect.anything(),
    ]);
    await at.console.ok(taxes.removeTaxRate, { rateId: added.id }, asAdmin());
    expect(await german()).toEqual([['19', '2024-01-01', null, 'current']]);
    const { items } = await at.console.ok(taxes.listTaxRates, { q: 'DE', limit: 100 }, asAdmin());
    const inForce = required(
      items.find(({ category }) => category === 'standard'),
      'a rate',
    );
    expect((await at.console.call(taxes.removeTaxRate, { rateId: inForce.id }, asAdmin())).status).toBe(409);
    await expect(sql`update tax_rate set rate = 1 where id = ${inForce.id}`.execute(db())).rejects.toThrow(
      /never changed/,
    );
  });
});

describe('T-TAX: VIES', () => {
  const check = (one: Customer) =>
    at.console.ok(taxes.checkVatId, { organizationId: one.organizationId }, asAdmin());
  const today = async (one: Customer) =>
    (await at.console.ok(taxes.organizationTax, { organizationId: one.organizationId }, asAdmin())).tax
      .category;

  it('without a response the id stays unchecked, and the buyer is billed by the id’s format', async () => {
    for (const mishap of ['MS_UNAVAILABLE', 'nonsense', 'busy'] as const) {
      vies.mishaps.push(mishap);
      expect((await check(french)).state).toBe('not_checked');
    }
    expect(await today(french)).toBe('AE');
  });
  it('a rejected id is ignored: the buyer is taxed as a consumer until VIES confirms it', async () => {
    expect(await check(french)).toMatchObject({ state: 'invalid', name: '', requestId: 'WAPIAAAA4' });
    expect(await today(french)).toBe('S');
    vies.companies.set('FR83404833048', { name: 'SARL Exemple', address: '1 rue de la Paix' });
    expect(await check(french)).toMatchObject({
      state: 'valid',
      name: 'SARL Exemple',
      vatId: 'FR83404833048',
    });
    expect(await today(french)).toBe('AE');
    expect(vies.questions.at(-1)).toEqual({
      countryCode: 'FR',
      vatNumber: '83404833048',
      requesterMemberStateCode: 'DE',
      requesterNumber: '136695976',
    });
  });
  it('ids outside the EU, and organizations without an id, are not checked', async () => {
    const code = async (one: Customer) =>
      (await at.console.call(taxes.checkVatId, { organizationId: one.organizationId }, asAdmin())).envelope
        .message;
    expect(await code(abroad)).toMatch(/no VAT ID/);
    const queriesBefore = vies.questions.length;
    expect(vies.questions.length).toBe(queriesBefore);
  });
  it('the job runs only where it is enabled, and only for unchecked ids', async () => {
    const queriesSoFar = vies.questions.length;
    await runFeatureJob(at.console.app, 'taxes.vatChecks');
    expect(vies.questions.length).toBe(queriesSoFar);
    await at.console.ok(taxes.saveTaxSettings, { ...settings, isViesOn: true }, asAdmin());
    await runFeatureJob(at.console.app, 'taxes.vatChecks');
    expect(vies.questions.length).toBe(queriesSoFar);
    await sql`update organization set vat_id = 'FR40303265045' where id = ${french.organizationId}`.execute(
      db(),
    );
    await runFeatureJob(at.console.app, 'taxes.vatChecks');
    expect(vies.questions.slice(queriesSoFar).map(({ vatNumber }) => vatNumber)).toEqual(['40303265045']);
    await place(french, 'FR', 'FR83404833048');
  });
});

describe('T-TAX: bills at several rates', () => {
  afterEach(expectVerified);
  it('each service has its rate, and each rate is computed once on its lines after discounts', async () => {
    await taxed(several, 1, 'reduced');
    await taxed(several, 2, 'exempt');
    const { id } = await at.console.ok(
      discounts.createDiscount,
      {
        name: { zhTW: '九折', enUS: 'Ten off' },
        reduction: { kind: 'percent', percent: '10' },
        duration: { kind: 'forever' },
      } as never,
      asAdmin(),
    );
    await at.console.ok(
      discounts.giveDiscount,
      { discountId: id, organizationId: several.organizationId } as never,
      asAdmin(),
    );
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    const bill = await billOf(several, october);
    expect(bill.lines.map(({ kind, total }) => [kind, Number(total.minor)])).toEqual([
      ['base_fee', 10033],
      ['base_fee', 5005],
      ['base_fee', 2000],
      ['discount', -1704],
    ]);
    // 19 % of 90.30 is 17.157, 7 % of 45.04 is 3.1528.
    expect(taxesOf(bill)).toEqual([
      ['S', '19', 9030, 1716, '1'],
      ['S', '7', 4504, 315, '2'],
      ['E', '0', 1800, 0, '3'],
    ]);
    expect(sums(bill)).toEqual([15334, 2031, 17365]);
    expect(bill.taxes?.[2]?.reason?.name.enUS).toBe('Exempt from tax');
  });

  it('a company in France gets a reverse charge, a buyer abroad is out of scope, and one without a country is domestic', async () => {
    const byCountry = await Promise.all([french, abroad, plain].map((one) => billOf(one, october)));
    expect(byCountry.map(taxesOf)).toEqual([
      [['AE', '0', 13000, 0, '1,2']],
      [['O', '0', 10000, 0, '1']],
      [['S', '19', 10000, 1900, '1']],
    ]);
    expect(byCountry[0]?.buyer).toMatchObject({ country: 'FR', vatId: 'FR83404833048' });
    expect(byCountry[2]?.buyer).not.toHaveProperty('country');
  });

  it('later settings change no issued bill', async () => {
    const before = await billOf(several, october);
    await taxed(several, 1, 'zero');
    await at.console.ok(
      taxes.saveTaxSettings,
      { ...settings, country: 'FR', vatId: '', isViesOn: true },
      asAdmin(),
    );
    expect(await billOf(several, october)).toEqual(before);
    await at.console.ok(taxes.saveTaxSettings, { ...settings, isViesOn: true }, asAdmin());
    await taxed(several, 1, 'reduced');
  });

  it('the export has a row per tax and rate, FOCUS one row', async () => {
    const fileOf = async (format: 'csv' | 'focus') => {
      const query = {
        format,
        month: october,
        organizationId: several.organizationId,
        language: 'enUS',
      } as const;
      const { body } = (await at.console.ok(billing.adminExportBills, query, asAdmin())) as unknown as {
        body: Uint8Array;
      };
      return parse(Buffer.from(body).toString('utf8'), { bom: true });
    };
    const rows = (await fileOf('csv')).filter((row) => row.some((cell) => /^tax$/i.test(cell)));
    expect(
      rows.map((row) => [
        row.find((cell) => cell.endsWith(' %')),
        row.includes('17.16') || row.includes('3.15'),
      ]),
    ).toEqual([
      ['19 %', true],
      ['7 %', true],
    ]);
    expect((await fileOf('focus')).filter((row) => row.includes('Tax'))).toHaveLength(1);
  });
});

describe('T-TAX: credits at several rates', () => {
  afterEach(expectVerified);
  it('a credit of a line returns that line’s rate', async () => {
    const bill = await billOf(several, october);
    const note = await credit(bill, {
      kind: 'lines',
      lines: [{ lineId: '2', net: { minor: 1000n, currency: 'EUR' } }],
    });
    expect([note.data.net.minor, note.data.tax.minor]).toEqual([1000n, 70n]);
    const exempt = await credit(bill, {
      kind: 'lines',
      lines: [{ lineId: '3', net: { minor: 1800n, currency: 'EUR' } }],
    });
    expect([exempt.data.net.minor, exempt.data.tax.minor]).toEqual([1800n, 0n]);
  });
  it('a credit of the rest returns the rest of each tax', async () => {
    const note = await credit(await billOf(several, october), { kind: 'rest' });
    expect([note.data.net.minor, note.data.tax.minor]).toEqual([12534n, 1961n]);
  });
  it('a void returns all taxes, and its replacement has those of its month', async () => {
    const bill = await billOf(french, october);
    await place(french, 'FR', '');
    const again = await at.console.ok(
      credits.reissueBill,
      { billId: bill.id, reason: 'consumer' },
      asAdmin(),
    );
    expect(taxesOf(await at.console.ok(billing.adminGetBill, { billId: again.id }, asAdmin()))).toEqual([
      ['S', '20', 13000, 2600, '1,2'],
    ]);
    await place(french, 'FR', 'FR83404833048');
  });
  it('the running month shows the taxes of its future bill', async () => {
    const current = await at.console.ok(billing.currentBill, {}, { token: several.token });
    const now = required(current.bills[0], 'a running bill');
    await moveTo('2024-12-05T00:00:00Z');
    await close(november as BillingMonth);
    const bill = await billOf(several, november as BillingMonth);
    expect(bill.taxes).toEqual(now.taxes);
    expect([bill.net, bill.tax, bill.total]).toEqual([now.net, now.tax, now.total]);
  });
});

describe('T-TAX: terms at several rates', () => {
  afterEach(expectVerified);
  const december = '2024-12' as BillingMonth;
  const eur = (minor: number) => ({ minor: BigInt(minor), currency: 'EUR' as const });
  const named = (enUS: string) => ({ zhTW: enUS, enUS });
  const give = (kind: 'promotional' | 'paid', amount: number) =>
    at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: several.organizationId,
        kind,
        name: named(kind),
        amount: eur(amount),
      } as never,
      asAdmin(),
    );

  it('an interim bill has the taxes of its services', async () => {
    await at.console.ok(
      billing.setInterimThreshold,
      { organizationId: several.organizationId, currency: 'EUR', amount: eur(5000) },
      asAdmin(),
    );
    await moveTo('2024-12-10T00:00:00Z');
    await use(several, 'reduced', '100', '2024-12-05T00:00:00Z', {}, 1);
    await use(several, 'standard', '30', '2024-12-05T00:00:00Z', {}, 0);
    await runFeatureJob(at.console.app, 'billing.interim', { organizationId: several.organizationId });
    const bill = await billOf(several, december);
    // After the discount of a tenth.
    expect([bill.kind, ...taxesOf(bill)]).toEqual([
      'interim',
      ['S', '19', 2700, 513, '1'],
      ['S', '7', 9000, 630, '2'],
    ]);
  });

  it('the monthly bill deducts it at its rates; promotional credit lowers the tax, prepaid credit pays the rest', async () => {
    await topUp(several, eur(2000));
    await give('promotional', 3000);
    await give('paid', 2000);
    await at.console.ok(
      oneOffs.createOneOff,
      {
        organizationId: several.organizationId,
        name: named('Set-up'),
        kind: 'charge',
        unitPrice: '15.55',
        currency: 'EUR',
        chargeOn: '2024-12-20',
      } as never,
      asAdmin(),
    );
    await moveTo('2025-01-06T00:00:00Z');
    await close(december);
    const { items } = await at.console.ok(billing.listBills, { month: december }, { token: several.token });
    const bill = await at.console.ok(
      billing.getBill,
      {
        billId: required(
          items.find(({ kind }) => kind === 'month'),
          'the month',
        ).id,
      },
      { token: several.token },
    );
    const rows = bill.taxes ?? [];
    expect(rows.map(({ category, rate }) => `${category} ${rate}`)).toEqual(['S 19', 'S 7', 'E 0']);
    // Fees, usage and the one-off charge, less a tenth, less promotional credit, less the interim bill.
    const net =
      10033 + 5005 + 2000 + 10000 + 3000 + 1555 - 1003 - 501 - 200 - 1000 - 300 - 156 - 3000 - 11700;
    expect(Math.abs(Number(bill.net.minor) - net)).toBeLessThanOrEqual(1);
    expect(bill.paid.minor).toBe(2000n);
    for (const { net: of, rate, tax } of rows) expect(tax.minor).toBe(percentOf(of, rate).minor);
    const interim = required(
      items.find(({ kind }) => kind === 'interim'),
      'the interim bill',
    );
    expect(interim.state).toBe('open');
  });

  it('voided and issued again it is the same, with the next number', async () => {
    const { items } = await at.console.ok(billing.listBills, { month: december }, { token: several.token });
    const bill = required(
      items.find(({ kind }) => kind === 'month'),
      'the month',
    );
    const again = await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
    expect([again.net, again.tax, again.taxes]).toEqual([bill.net, bill.tax, bill.taxes]);
  });
});

describe('T-TAX: the checker', () => {
  it('finds a changed tax, taxed amount and reason', async () => {
    const bill = await billOf(several, november as BillingMonth);
    const after = (change: string) =>
      foundIn(client, [`update bill set taxes = ${change} where id = '${bill.id}'`]);
    expect(await after(`jsonb_set(taxes, '{0,tax,amount}', '"17.15"')`)).toEqual(
      expect.arrayContaining([
        `bill-tax: tax_of_rate_differs ${bill.number} 1`,
        `bill-tax: taxes_differ_from_bill ${bill.number}`,
        `bill-content: content_changed ${bill.number}`,
      ]),
    );
    expect(await after(`jsonb_set(taxes, '{1,lines}', '["3"]')`)).toContain(
      `bill-tax: taxed_amount_differs ${bill.number} 2`,
    );
    expect(await after(`jsonb_set(taxes, '{2,reason,name,enUS}', '"None"')`)).toEqual([
      `bill-content: content_changed ${bill.number}`,
    ]);
  });
});
