// Bills and credit notes in EN 16931, from a real database to the bytes of the file (T-EN16931).
import { mkdirSync, writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { XmlDocument } from 'libxml2-wasm';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { administration } from '#features/operations/administration/contract.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { en16931, type DocumentName } from '#features/reporting/en16931/contract.ts';
import { taxes, type ServiceCategory } from '#features/invoicing/taxes/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  fee,
  moveTo,
  october,
  september,
  startBilling,
  use,
  type Customer,
} from '../support/corrections.ts';

let before: Customer, several: Customer, french: Customer, abroad: Customer;
let bills: { several: BillDetail; french: BillDetail; abroad: BillDetail };

const asAdmin = () => ({ token: at.admin });
const taxSettings = {
  country: 'DE',
  vatId: 'DE136695976',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  electronicAddress: '9930:DE136695976',
};
const address = { billingAddress: '1 rue de la Paix\n75002 Paris', billingEmail: 'bills@buyer.example' };
const change = (one: Customer, changes: object) =>
  at.console.ok(
    identity.adminUpdateOrganization,
    { organizationId: one.organizationId, ...changes } as never,
    asAdmin(),
  );
const taxed = async (one: Customer, index: number, category: ServiceCategory) => {
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`select service_id as id from subscription where id = ${one.subscriptionIds[index]}`.execute(db());
  await at.console.ok(
    taxes.setServiceTax,
    { serviceId: required(rows[0], 'a service').id, category },
    asAdmin(),
  );
};

beforeAll(async () => {
  await startBilling();
  before = await customer(fee('100', 'EUR'));
  const perUnit = { model: 'per_unit', currency: 'EUR', baseFee: '100.33', unitPrice: '1' } as const;
  several = await customer(perUnit, fee('50.05', 'EUR'), fee('20', 'EUR'));
  french = await customer(fee('100', 'EUR'));
  abroad = await customer(fee('100', 'EUR'));
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
});

const fileOf = async (
  bill: Pick<BillDetail, 'id'>,
  document: DocumentName,
  token = at.admin,
): Promise<Buffer> => {
  const { body } = (await at.console.ok(
    en16931.adminBillDocument,
    { billId: bill.id, document, language: 'enUS' },
    { token },
  )) as unknown as { body: Uint8Array };
  return Buffer.from(body);
};
const noteFile = async (creditNoteId: Id<'crn'>, document: DocumentName): Promise<Buffer> => {
  const { body } = (await at.console.ok(
    en16931.adminCreditNoteDocument,
    { creditNoteId, document, language: 'enUS' },
    asAdmin(),
  )) as unknown as { body: Uint8Array };
  return Buffer.from(body);
};
/** Stores a file where another program validates it against the schemas of the standard. */
function kept(name: string, bytes: Buffer): Buffer {
  const folder = process.env['KEEP_DOCUMENTS'];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}`, bytes);
  }
  return bytes;
}
const refusal = async (bill: Pick<BillDetail, 'id'>) => {
  const answer = await at.console.call(
    en16931.adminBillDocument,
    { billId: bill.id, document: 'ubl.xml' },
    { ...asAdmin(), language: 'enUS' },
  );
  return [answer.status, answer.envelope.message];
};
const namespaces = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
};
/** Reads texts by XPath. */
function reader(xml: Buffer): (path: string) => string[] {
  const document = XmlDocument.fromBuffer(xml);
  return (path) => document.find(path, namespaces).map((node) => node.content);
}
/** The CII in a PDF: its one embedded file, which is deflated. */
function ciiOf(pdf: Buffer): Buffer {
  const text = pdf.toString('latin1');
  const begin = text.indexOf('stream\n', text.search(/\/EmbeddedFile\b/)) + 'stream\n'.length;
  return inflateSync(pdf.subarray(begin, text.indexOf('endstream', begin)));
}

describe('T-EN16931: missing data is reported with the place to enter it', () => {
  it('the seller’s country and VAT id, then addresses', async () => {
    const bill = await billOf(before);
    expect(await refusal(bill)).toEqual([
      409,
      'An e-invoice needs the seller’s country. An administrator sets it under Taxes.',
    ]);
    const save = (seller: object) =>
      at.console.ok(taxes.saveTaxSettings, { ...taxSettings, ...seller, isViesOn: false }, asAdmin());
    await save({ vatId: '' });
    await at.console.ok(
      administration.updateSettings,
      {
        seller: {
          name: 'Cloud GmbH',
          taxId: '',
          address: 'Hauptstr. 1\n10115 Berlin',
          email: 'bills@cloud.example',
        },
      },
      asAdmin(),
    );
    expect((await refusal(bill))[1]).toMatch(/billing address/);
    await change(before, address);
    expect((await refusal(bill))[1]).toMatch(/seller’s VAT ID/);
    await save({});
    // A bill from before any of it was set: at its single rate.
    const read = reader(kept('old-bill.ubl.xml', await fileOf(bill, 'ubl.xml')));
    expect(read('//cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent')).toEqual(['5']);
    expect(read('//cac:LegalMonetaryTotal/cbc:PayableAmount')).toEqual(['105.00']);
  });
});

describe('T-EN16931: UBL', () => {
  beforeAll(async () => {
    for (const one of [several, french, abroad]) await change(one, address);
    await change(several, {
      purchaseOrder: 'PO-7',
      billingReference: 'Cost centre 4',
      electronicAddress: '0088:7300010000001',
    });
    await change(french, { country: 'FR', vatId: 'FR83404833048' });
    await change(abroad, { country: 'US' });
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
    await moveTo('2024-10-20T00:00:00Z');
    await use(several, 'used', '12.5', '2024-10-10T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    bills = {
      several: await billOf(several, october),
      french: await billOf(french, october),
      abroad: await billOf(abroad, october),
    };
  });

  it('with several rates has each tax with its lines, discounts as allowances of each, and the totals of the bill', async () => {
    const read = reader(kept('several.ubl.xml', await fileOf(bills.several, 'ubl.xml')));
    const row = '//cac:TaxTotal/cac:TaxSubtotal';
    expect(
      ['cac:TaxCategory/cbc:ID', 'cac:TaxCategory/cbc:Percent', 'cbc:TaxableAmount', 'cbc:TaxAmount'].map(
        (path) => read(`${row}/${path}`),
      ),
    ).toEqual([
      ['S', 'S', 'E'],
      ['19', '7', '0'],
      ['101.55', '45.04', '18.00'],
      ['19.29', '3.15', '0.00'],
    ]);
    expect(read('/*/cac:AllowanceCharge/cbc:Amount')).toEqual(['11.28', '5.01', '2.00']);
    const totals = [
      'LineExtensionAmount',
      'AllowanceTotalAmount',
      'TaxExclusiveAmount',
      'TaxInclusiveAmount',
      'PayableAmount',
    ];
    expect(totals.map((name) => read(`//cac:LegalMonetaryTotal/cbc:${name}`)[0])).toEqual([
      '182.88',
      '18.29',
      '164.59',
      '187.03',
      '187.03',
    ]);
    expect(read('//cac:InvoiceLine/cbc:LineExtensionAmount')).toEqual(['100.33', '12.50', '50.05', '20.00']);
    expect(read('//cac:InvoiceLine/cbc:InvoicedQuantity')[1]).toBe('12.5');
    expect(read('//cac:InvoiceLine/cac:Price/cbc:PriceAmount')[1]).toBe('1');
    expect(bills.several.total.minor).toBe(18703n);
  });

  it('names both parties, their references and the account', async () => {
    const read = reader(await fileOf(bills.several, 'ubl.xml'));
    expect(read('//cbc:CustomizationID')[0]).toMatch(/peppol.eu:2017:poacc:billing:3.0$/);
    expect(read('//cac:AccountingSupplierParty//cac:PartyTaxScheme/cbc:CompanyID')).toEqual(['DE136695976']);
    expect(read('//cac:AccountingCustomerParty//cbc:EndpointID/@schemeID')).toEqual(['0088']);
    expect(
      read(
        '//cac:AccountingCustomerParty//cac:PostalAddress/*[self::cbc:StreetName or self::cbc:AdditionalStreetName]',
      ),
    ).toEqual(['1 rue de la Paix', '75002 Paris']);
    expect([read('//cbc:BuyerReference')[0], read('//cac:OrderReference/cbc:ID')[0]]).toEqual([
      'Cost centre 4',
      'PO-7',
    ]);
    expect([
      read('//cbc:PaymentMeansCode')[0],
      read('//cac:PayeeFinancialAccount/cbc:ID')[0],
      read('//cbc:PaymentID')[0],
    ]).toEqual(['58', 'DE89370400440532013000', bills.several.number]);
    expect([
      read('//cbc:IssueDate')[0],
      read('//cbc:DueDate')[0],
      read('/*/cac:InvoicePeriod/cbc:EndDate')[0],
    ]).toEqual(['2024-11-05', '2024-12-05', '2024-10-31']);
  });

  it('for a company elsewhere in the EU has reverse charge with both VAT ids', async () => {
    const read = reader(kept('reverse-charge.ubl.xml', await fileOf(bills.french, 'ubl.xml')));
    expect(read('//cac:TaxSubtotal//cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-AE']);
    expect(read('//cac:AccountingCustomerParty//cac:PartyTaxScheme/cbc:CompanyID')).toEqual([
      'FR83404833048',
    ]);
  });

  it('out of scope of tax has no VAT ids and no rate, but the seller’s registration', async () => {
    expect((await refusal(bills.abroad))[1]).toMatch(/registration number/);
    await at.console.ok(
      administration.updateSettings,
      {
        seller: {
          name: 'Cloud GmbH',
          taxId: '04595257',
          address: 'Hauptstr. 1\n10115 Berlin',
          email: 'bills@cloud.example',
        },
      },
      asAdmin(),
    );
    const read = reader(kept('outside.ubl.xml', await fileOf(bills.abroad, 'ubl.xml')));
    expect([read('//cac:PartyTaxScheme'), read('//cbc:Percent')]).toEqual([[], []]);
    expect(read('//cac:AccountingSupplierParty//cac:PartyLegalEntity/cbc:CompanyID')).toEqual(['04595257']);
  });

  it('of a credit note has the taxes of its lines and names the bill', async () => {
    const note = await credit(bills.several, { kind: 'percent', percent: '33.3' }, 'Outage');
    const read = reader(kept('credit-note.ubl.xml', await noteFile(note.data.id, 'ubl.xml')));
    expect(read('/*/cbc:CreditNoteTypeCode')).toEqual(['381']);
    expect(read('//cac:InvoiceDocumentReference/cbc:ID')).toEqual([bills.several.number]);
    expect(read('//cac:TaxSubtotal//cbc:Percent')).toEqual(['19', '7', '0']);
    expect(read('//cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount')).toEqual([
      `${note.data.total.minor / 100n}.${String(note.data.total.minor % 100n).padStart(2, '0')}`,
    ]);
    kept('credit-note.cii.xml', ciiOf(await noteFile(note.data.id, 'factur-x.pdf')));
  });
});

describe('T-EN16931: Factur-X', () => {
  it('is the bill’s PDF with the same figures as CII, declared as PDF/A-3', async () => {
    const pdf = kept('several.factur-x.pdf', await fileOf(bills.several, 'factur-x.pdf'));
    const read = reader(kept('several.cii.xml', ciiOf(pdf)));
    const sums = '//ram:SpecifiedTradeSettlementHeaderMonetarySummation';
    expect([read(`${sums}/ram:TaxBasisTotalAmount`)[0], read(`${sums}/ram:GrandTotalAmount`)[0]]).toEqual([
      '164.59',
      '187.03',
    ]);
    expect(read('//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:CalculatedAmount')).toEqual(
      ['19.29', '3.15', '0.00'],
    );
    const text = pdf.toString('latin1');
    expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(text).toMatch(/GTS_PDFA1/);
  });
  it('works for reverse charge and out of scope, too', async () => {
    for (const [name, bill] of [
      ['reverse-charge', bills.french],
      ['outside', bills.abroad],
    ] as const) {
      const read = reader(kept(`${name}.cii.xml`, ciiOf(await fileOf(bill, 'factur-x.pdf'))));
      expect(read('//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:CategoryCode')).toEqual([
        name === 'outside' ? 'O' : 'AE',
      ]);
    }
  });
});

describe('T-EN16931: access', () => {
  it('members get their own bills; a void bill has no file', async () => {
    const own = await at.console.call(
      en16931.billDocument,
      { billId: bills.several.id, document: 'ubl.xml' },
      { token: several.token },
    );
    expect(own.status).toBe(200);
    const foreign = await at.console.call(
      en16931.billDocument,
      { billId: bills.several.id, document: 'ubl.xml' },
      { token: french.token },
    );
    expect(foreign.status).toBe(404);
    await at.console.ok(credits.voidBill, { billId: bills.french.id, reason: 'wrong' }, asAdmin());
    expect((await refusal(bills.french))[0]).toBe(409);
  });
});
