// Messages for Turnkey compared with an XML Schema, validated by libxml2: it accepts what we write, and
// rejects what we reject.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOn, companyInvoice, consumerInvoice, seller } from '#tests/support/einvoices/documents.ts';
import { schemaErrors, xsdOf } from '#tests/support/einvoices/mig-xsd.ts';
import type { InvoiceToSend } from '../provider.ts';
import {
  allowanceMessage,
  cancelledAllowanceMessage,
  cancelledInvoiceMessage,
  invoiceMessage,
  migViolation,
  migXml,
  unusedNumbersMessage,
  writtenXml,
  type MigMessage,
  type MigNode,
} from './mig-message.ts';

const issued = { number: 'AB12345001', randomCode: '4321', issuedAt: new Date('2026-11-26T06:30:05Z') };
const at = new Date('2026-11-30T16:05:06Z');
const allowance = allowanceOn(companyInvoice(), issued);
const unused = {
  seller,
  period: '2026-11',
  track: 'AB',
  range: { from: '12345000', to: '12345049' },
  unused: [
    { from: '12345040', to: '12345049' },
    { from: '12345010', to: '12345010' },
  ],
};

const messages: readonly (readonly [string, MigMessage])[] = [
  ['an invoice to a company', invoiceMessage(companyInvoice())],
  ['an invoice to a consumer with a mobile bar code', invoiceMessage(consumerInvoice())],
  ['a donated invoice', invoiceMessage(consumerInvoice(2, { carrier: null, donationCode: '8999' }))],
  ['a printed invoice to a consumer', invoiceMessage(consumerInvoice(3, { carrier: null, isPrinted: true }))],
  ['a zero-rated invoice', invoiceMessage(zeroRated())],
  ['a voided invoice', cancelledInvoiceMessage('F0501', companyInvoice(), issued, '金額錯誤', at)],
  ['an annulled invoice', cancelledInvoiceMessage('F0701', consumerInvoice(), issued, '註銷', at)],
  ['an allowance', allowanceMessage(allowance)],
  ['a voided allowance', cancelledAllowanceMessage(allowance, { number: 'EA1' }, '作廢', at)],
  ['unused numbers', unusedNumbersMessage(unused)],
];

function zeroRated(): InvoiceToSend {
  const invoice = companyInvoice(4);
  return {
    ...invoice,
    items: invoice.items.map((item) => ({ ...item, taxKind: 'zero_rated' as const })),
    sales: { taxable: 0n, zero_rated: 1000n, exempt: 0n },
    tax: 0n,
    total: 1000n,
  };
}

describe('T-EINV: messages of MIG 4.1', () => {
  it.each(messages)('%s is accepted by the schema', (_name, message) => {
    expect(migViolation(message)).toBeNull();
    expect(schemaErrors(xsdOf(message.type), migXml(message))).toBe('');
  });

  it('contain the invoice, in the order of the guide', () => {
    const xml = migXml(invoiceMessage(companyInvoice()));
    expect(xml.replaceAll(/>\s+</g, '><')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="urn:GEINV:eInvoiceMessage:F0401:4.1"' +
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
        ' xsi:schemaLocation="urn:GEINV:eInvoiceMessage:F0401:4.1 F0401.xsd"><Main><InvoiceNumber>AB12345001</InvoiceNumber>' +
        '<InvoiceDate>20261126</InvoiceDate><InvoiceTime>14:30:05</InvoiceTime><Seller><Identifier>53212539</Identifier>' +
        '<Name>雲端服務股份有限公司</Name><Address>臺北市信義區市府路45號</Address></Seller><Buyer><Identifier>12345675</Identifier>' +
        '<Name>客戶有限公司</Name><Address>新北市板橋區文化路1段100號</Address></Buyer><MainRemark>B-202611-000001</MainRemark>' +
        `<RelateNumber>${companyInvoice().invoiceId.slice(-20)}</RelateNumber><InvoiceType>07</InvoiceType>` +
        '<DonateMark>0</DonateMark><PrintMark>Y</PrintMark><RandomNumber>4321</RandomNumber></Main><Details>' +
        '<ProductItem><Description>物件儲存空間</Description><Quantity>2</Quantity><Unit>式</Unit><UnitPrice>300</UnitPrice>' +
        '<TaxType>1</TaxType><Amount>600</Amount><SequenceNumber>001</SequenceNumber></ProductItem>' +
        '<ProductItem><Description>資料庫</Description><Quantity>1</Quantity><Unit>式</Unit><UnitPrice>400</UnitPrice>' +
        '<TaxType>1</TaxType><Amount>400</Amount><SequenceNumber>002</SequenceNumber></ProductItem></Details>' +
        '<Amount><SalesAmount>1000</SalesAmount><FreeTaxSalesAmount>0</FreeTaxSalesAmount><ZeroTaxSalesAmount>0</ZeroTaxSalesAmount>' +
        '<TaxType>1</TaxType><TaxRate>0.05</TaxRate><TaxAmount>50</TaxAmount><TotalAmount>1050</TotalAmount></Amount></Invoice>\n',
    );
  });

  it('have a consumer as ten zeros without address, and the tax included in the amount', () => {
    const xml = migXml(
      invoiceMessage(
        consumerInvoice(1, { buyer: { taxId: '', name: '王小明', address: '某處', email: '' } }),
      ),
    );
    expect(xml).toContain('<Identifier>0000000000</Identifier>');
    expect(xml).not.toContain('某處');
    expect(xml).toContain('<CarrierType>3J0002</CarrierType>');
    expect(xml).toMatch(/<SalesAmount>340<[^]*<TaxAmount>0<[^]*<TotalAmount>340</);
  });

  it('have the reason and customs mark of a zero rate, and no rate', () => {
    const xml = migXml(invoiceMessage(zeroRated()));
    expect(xml).toContain('<CustomsClearanceMark>1</CustomsClearanceMark>');
    expect(xml).toContain('<ZeroTaxRateReason>72</ZeroTaxRateReason>');
    expect(xml).toMatch(/<ZeroTaxSalesAmount>1000<[^]*<TaxType>2<[^]*<TaxRate>0</);
  });

  it('have dates and times of Taiwan: a void at 16:05 UTC is on the next day', () => {
    const xml = migXml(cancelledInvoiceMessage('F0501', companyInvoice(), issued, '金額錯誤', at));
    expect(xml).toMatch(/<CancelDate>20261201<[^]*<CancelTime>00:05:06</);
  });

  it('report unused numbers in order, by the even month of the Republic’s year', () => {
    const xml = migXml(unusedNumbersMessage(unused)).replaceAll(/\s/g, '');
    expect(xml).toContain('<YearMonth>11512</YearMonth><InvoiceTrack>AB</InvoiceTrack>');
    expect(xml.indexOf('12345010')).toBeLessThan(xml.indexOf('12345040'));
  });

  it('with overlapping or reversed ranges are rejected', () => {
    const overlap = [
      { from: '12345010', to: '12345020' },
      { from: '12345020', to: '12345030' },
    ];
    for (const wrong of [overlap, [{ from: '12345010', to: '12345009' }]])
      expect(() => unusedNumbersMessage({ ...unused, unused: wrong })).toThrow(
        expect.objectContaining({ code: 'field_wrong:unused' }),
      );
  });

  it.each<readonly [string, Partial<InvoiceToSend>, string]>([
    ['no number', { number: null }, 'field_missing:number'],
    ['an invalid number', { number: 'ab12345678' }, 'field_wrong:number'],
    ['no random code', { randomCode: null }, 'field_missing:randomCode'],
    ['no address of the seller', { seller: { ...seller, address: ' ' } }, 'field_missing:seller.address'],
    ['a long name', { buyer: { ...seller, name: '公'.repeat(61) } }, 'field_long:buyer.name'],
    ['a wrong tax id', { buyer: { ...seller, taxId: '1234567' } }, 'field_wrong:buyer.taxId'],
    ['a negative total', { total: -1n }, 'field_wrong:total'],
    ['a rate that does not exist', { taxRate: '7' }, 'field_wrong:taxRate'],
    ['a wrong donation code', { donationCode: '12' }, 'field_wrong:donationCode'],
    ['a long remark', { remark: 'x'.repeat(201) }, 'field_long:remark'],
    ['no items', { items: [] }, 'field_missing:items'],
    ['a member carrier', { carrier: { kind: 'member', code: 'x' } }, 'field_wrong:carrier.kind'],
    [
      'an item with a quantity of eight decimals',
      { items: [{ ...firstItem(), quantity: '0.12345678' }] },
      'field_long:items.1.quantity',
    ],
    [
      'an item without a name',
      { items: [firstItem(), { ...firstItem(), description: '' }] },
      'field_missing:items.2.description',
    ],
    [
      'zero-rated beside exempt items',
      {
        items: [
          { ...firstItem(), taxKind: 'exempt' },
          { ...firstItem(), taxKind: 'zero_rated' },
        ],
      },
      'field_wrong:items',
    ],
  ])('with %s are rejected with the field named', (_name, more, code) => {
    expect(() => migXml(invoiceMessage(companyInvoice(1, more)))).toThrow(expect.objectContaining({ code }));
  });

  it('are rejected by us exactly where the schema rejects them', () => {
    const change = fc.record({
      message: fc.constantFrom(...messages.map(([, message]) => message)),
      place: fc.nat(200),
      text: fc.oneof(
        fc.constantFrom(
          '',
          '0',
          '-1',
          '1.5',
          '12345678901234567890123',
          'AB1234567',
          '20261301',
          '24:00:00',
          '8',
          '無',
        ),
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\p{C}\s]/gu, 'x')),
        fc.constantFrom(60, 61, 100, 101, 200, 201, 500, 501).map((length) => '字'.repeat(length)),
      ),
      isRemoved: fc.boolean(),
    });
    let refused = 0;
    fc.assert(
      fc.property(change, ({ message, place, text, isRemoved }) => {
        const changed = { ...message, nodes: changedAt(message.nodes, place, isRemoved ? null : text) };
        const isRefused = migViolation(changed) !== null;
        refused += isRefused ? 1 : 0;
        const errors = schemaErrors(xsdOf(message.type), writtenXml(changed));
        expect(errors !== '', `${errors} ${JSON.stringify(changed)}`).toBe(isRefused);
      }),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});

function firstItem(): InvoiceToSend['items'][number] {
  const [first] = companyInvoice().items;
  if (!first) throw new Error('no item');
  return first;
}

/** The tree with one leaf, counted from the first, changed or removed. */
function changedAt(nodes: readonly MigNode[], place: number, text: string | null): MigNode[] {
  let leaves = 0;
  const count = (all: readonly MigNode[]): number =>
    all.reduce((sum, { content }) => sum + (typeof content === 'string' ? 1 : count(content)), 0);
  const wanted = place % count(nodes);
  const walk = (all: readonly MigNode[]): MigNode[] =>
    all.flatMap((node): MigNode[] => {
      if (typeof node.content !== 'string') return [{ ...node, content: walk(node.content) }];
      if (leaves++ !== wanted) return [node];
      return text === null ? [] : [{ ...node, content: text }];
    });
  return walk(nodes);
}
