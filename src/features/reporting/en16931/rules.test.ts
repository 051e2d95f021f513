// The rules of EN 16931: a valid document, and a violation of each rule.
import { describe, expect, it } from 'vitest';
import { money, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import {
  addressLines,
  allowancesOf,
  brokenRules,
  pricedAs,
  sumsOf,
  type DocumentTax,
  type TaxDocument,
} from './rules.ts';

const eur = (minor: number): Money => money(BigInt(minor), 'EUR');
const day = (text: string): LocalDay => text as LocalDay;
const S19 = { category: 'S', rate: '19' } as const;
const S7 = { category: 'S', rate: '7' } as const;
const exempt = { category: 'E', rate: '0', reason: { name: { zhTW: '免稅', enUS: 'Exempt' } } } as const;
const party = {
  name: 'Seller',
  address: ['Hauptstr. 1', '10115 Berlin'],
  country: 'DE',
  vatId: 'DE136695976',
  registration: '',
  email: 'bills@seller.example',
  electronicAddress: '',
};
const line = (id: string, minor: number, tax: { category: 'S' | 'E' | 'AE' | 'O' | 'K'; rate: string }) => ({
  id,
  name: `Line ${id}`,
  description: '',
  quantity: minor < 0 ? '-1' : '1',
  unit: 'C62',
  price: String(Math.abs(minor) / 100),
  net: eur(minor),
  tax,
});
const good: TaxDocument = {
  kind: 'invoice',
  number: 'B-202410-000001',
  issuedOn: day('2024-11-05'),
  dueOn: day('2024-12-05'),
  period: { from: day('2024-10-01'), to: day('2024-10-31') },
  currency: 'EUR',
  seller: { ...party, iban: 'DE89370400440532013000', bic: '' },
  buyer: { ...party, name: 'Buyer', country: 'FR', vatId: 'FR83404833048' },
  buyerReference: '',
  orderReference: '',
  preceding: null,
  note: '',
  paymentTerms: '',
  lines: [line('1', 10033, S19), line('2', 5005, S7), line('3', 2000, exempt), line('4', -500, S19)],
  allowances: [
    { isCharge: false, reason: 'Ten off', amount: eur(1003), tax: S19 },
    { isCharge: true, reason: 'Overage', amount: eur(7), tax: S7 },
  ],
  taxes: [
    { ...S19, net: eur(8530), tax: eur(1621) },
    { ...S7, net: eur(5012), tax: eur(351) },
    { ...exempt, net: eur(2000), tax: eur(0) },
  ],
  net: eur(15542),
  tax: eur(1972),
  total: eur(17514),
  prepaid: eur(1000),
};
const rulesOf = (changes: Partial<TaxDocument>): string[] =>
  brokenRules({ ...good, ...changes }).map(({ rule }) => rule);
const taxes = (change: (row: DocumentTax, index: number) => DocumentTax) => ({
  taxes: good.taxes.map(change),
});

describe('T-EN16931: the rules', () => {
  it('accept a valid document', () => {
    expect(brokenRules(good)).toEqual([]);
    const { lines, allowances, charges, payable } = sumsOf(good);
    expect([lines, allowances, charges, payable].map(({ minor }) => minor)).toEqual([
      16538n,
      1003n,
      7n,
      16514n,
    ]);
  });

  it.each<[string, Partial<TaxDocument>]>([
    ['BR-09', { seller: { ...good.seller, country: '' } }],
    ['BR-08', { seller: { ...good.seller, address: [] } }],
    ['BR-11', { buyer: { ...good.buyer, country: '' } }],
    ['BR-10', { buyer: { ...good.buyer, address: [] } }],
    ['BR-S-02', { seller: { ...good.seller, vatId: '' } }],
    ['BR-CO-13', { net: eur(15541), total: eur(17513) }],
    ['BR-CO-14', { tax: eur(1973), total: eur(17515) }],
    ['BR-CO-15', { total: eur(17515) }],
    ['BR-CO-25', { dueOn: null }],
    [
      'BR-27',
      { lines: [{ ...line('1', 10033, S19), price: '-100.33', quantity: '-1' }, ...good.lines.slice(1)] },
    ],
    [
      'PEPPOL-EN16931-R120',
      { lines: [{ ...line('1', 10033, S19), price: '100.30' }, ...good.lines.slice(1)] },
    ],
    ['BR-CO-04', { lines: [...good.lines, line('5', 0, { category: 'S', rate: '20' })] }],
    [
      'BR-31',
      { allowances: [...good.allowances, { isCharge: false, reason: '', amount: eur(0), tax: S19 }] },
    ],
    ['BR-S-08', taxes((row, index) => (index < 2 ? { ...row, net: eur(index === 0 ? 8531 : 5011) } : row))],
    ['BR-S-09', taxes((row, index) => (index < 2 ? { ...row, tax: eur(index === 0 ? 1622 : 350) } : row))],
    [
      'BR-E-10',
      taxes((row, index) => (index === 2 ? { category: 'E', rate: '0', net: row.net, tax: row.tax } : row)),
    ],
    ['BR-S-05', taxes((row, index) => (index === 0 ? { ...row, rate: '0' } : row))],
  ])('%s is detected', (rule, changes) => {
    expect(rulesOf(changes)).toContain(rule);
  });

  it('reverse charge needs both VAT ids', () => {
    const AE = {
      category: 'AE',
      rate: '0',
      reason: { code: 'VATEX-EU-AE', name: { zhTW: '', enUS: 'Reverse charge' } },
    } as const;
    const one = {
      lines: [line('1', 100, AE)],
      allowances: [],
      taxes: [{ ...AE, net: eur(100), tax: eur(0) }],
      net: eur(100),
      tax: eur(0),
      total: eur(100),
    };
    expect(rulesOf(one)).toEqual([]);
    expect(brokenRules({ ...good, ...one, buyer: { ...good.buyer, vatId: '' } })).toEqual([
      { rule: 'BR-AE-02', code: 'en16931.buyer_vat_id' },
    ]);
  });

  it('out of scope allows nothing else, no VAT id, and needs the registration number', () => {
    const O = {
      category: 'O',
      rate: '0',
      reason: { code: 'VATEX-EU-O', name: { zhTW: '', enUS: 'Not subject to VAT' } },
    } as const;
    const [seller, buyer] = [
      { ...good.seller, vatId: '' },
      { ...good.buyer, vatId: '' },
    ];
    const one = {
      seller,
      buyer,
      lines: [line('1', 100, O)],
      allowances: [],
      taxes: [{ ...O, net: eur(100), tax: eur(0) }],
      net: eur(100),
      tax: eur(0),
      total: eur(100),
    };
    expect(brokenRules({ ...good, ...one })).toEqual([
      { rule: 'BR-CO-26', code: 'en16931.seller_registration' },
    ]);
    expect(rulesOf({ ...one, seller: { ...seller, registration: 'HRB 1' } })).toEqual([]);
    expect(rulesOf({ ...one, seller: good.seller })).toContain('BR-O-02');
  });

  it('a credit note’s tax may differ by a minor unit, a bill’s may not', () => {
    const off = taxes((row, index) => (index === 0 ? { ...row, tax: eur(1622) } : row));
    const sums = { tax: eur(1973), total: eur(17515) };
    expect(rulesOf({ ...off, ...sums })).toEqual(['BR-S-09']);
    expect(rulesOf({ ...off, ...sums, kind: 'credit_note' })).toEqual([]);
  });
});

describe('T-EN16931: lines', () => {
  const priced = (quantity: string, unitPrice: string | null, minor: number, unit = 'hours') =>
    Object.values(pricedAs({ quantity, unitPrice, unit, total: eur(minor) })).join(' ');
  it.each([
    ['quantity and unit price where they make the amount', priced('3', '0.333333', 100), '3 HUR 0.333333'],
    ['one unit where tiers make the amount', priced('150', null, 1234), '1 C62 12.34'],
    ['one unit where the product is different', priced('1', '100', 5000), '1 C62 50'],
    ['a credit has a negative quantity', priced('0.5', '-100', -5000), '-1 C62 50'],
    ['an unknown unit is one', priced('3', '1', 300, 'calls'), '3 C62 1'],
    ['a price of zero', priced('0', '1', 0), '1 C62 0'],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
  it('deductions from lines of several rates are an allowance for each, additions a charge', () => {
    const shares = [
      { lineId: '1', amount: eur(100) },
      { lineId: '2', amount: eur(-30) },
      { lineId: '4', amount: eur(5) },
    ];
    const rows = [
      { ...S19, net: eur(0), tax: eur(0), lines: ['1', '4'] },
      { ...S7, net: eur(0), tax: eur(0), lines: ['2'] },
    ];
    expect(allowancesOf([{ name: 'Rates', shares }], rows, 'EUR')).toEqual([
      { isCharge: false, reason: 'Rates', amount: eur(105), tax: S19 },
      { isCharge: true, reason: 'Rates', amount: eur(30), tax: S7 },
    ]);
  });
  it('an address consists of its lines', () => {
    expect(addressLines(' Hauptstr. 1\r\n\n10115 Berlin ')).toEqual(['Hauptstr. 1', '10115 Berlin']);
  });
});
